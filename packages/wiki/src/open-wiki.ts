import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRequestId } from './contract/ids.ts';
import type { Wiki } from './contract/wiki.ts';
import type { Host } from './core/session.ts';
import { starterPages } from './core/starter-pages.ts';
import { createWiki } from './core/wiki.ts';
import { openWikiDirectory } from './git/wiki-directory.ts';
import { openIndexes } from './index/open-indexes.ts';
import type { Trace } from './storage/chain/landing.ts';
import { randomName } from './storage/files/host.ts';
import { localFileSystem } from './storage/files/local-file-system.ts';
import { nodeFileSystem } from './storage/files/node-file-system.ts';
import { nodeHost } from './storage/files/node-host.ts';

export interface WikiOptions {
  /** A directory of wikis, each a bare repository `<name>.git`. It is made if it is missing. */
  directory: string;
  /** The wiki of calls that name none; null takes the only one there, else `main`, which is made if it is missing. */
  wiki: string | null;
  /** Whether that one is made where it is missing; without saying so it is. */
  makesDefaultWiki?: boolean;
  /** `local`: a disk of this machine, where native git may work as well. `shared`: a mount such as EFS. */
  placement: 'local' | 'shared';
  /** Refuses every write, and makes nothing. */
  readOnly?: boolean;
  /** On a local disk: for what can be made again, such as indexes. Without it, where the system keeps such files. */
  workDirectory?: string;
  /** What wiki_status tells of where this runs. */
  host: Omit<Host, 'wikis'>;
  /** Told of each phase of reading and writing, around it. */
  trace?: Trace;
}

export interface OpenedWiki {
  wiki: Wiki;
  /** The wiki of calls that name none. */
  name: string;
  /** Opens that wiki and reads its newest commit, which else the first call waits for. Throws what that call would. */
  warm(): Promise<void>;
  /** Finishes what acknowledged writes left for later; nothing is lost without it. */
  settle(): Promise<void>;
  /** Settles, and closes every file. */
  close(): Promise<void>;
}

/**
 * Opens a directory of wikis. Throws WikiError, with what to do instead where the directory is something else. A
 * wiki that cannot be used is told by the calls that name it, not here.
 */
export async function openWiki(options: WikiOptions): Promise<OpenedWiki> {
  const {
    directory,
    placement,
    makesDefaultWiki = true,
    readOnly = false,
    workDirectory = tmpdir(),
    trace,
  } = options;
  const machine = nodeHost();
  const indexes = await openIndexes({
    workDirectory,
    mostBytes: INDEX_BYTES,
    randomName: () => randomName(machine),
    now: machine.now,
  });
  const wikis = openWikiDirectory({
    fs: placement === 'local' ? localFileSystem : nodeFileSystem,
    host: machine,
    directory,
    placement,
    readOnly,
    firstPages: starterPages,
    openIndex(repository, gitDirectory) {
      const snapshotDirectory = join(gitDirectory, 'pagetree', 'index');
      return indexes.open({ repository, snapshotDirectory, readOnly });
    },
    trace,
  });
  const name = await wikis.chooseDefault(options.wiki, { make: makesDefaultWiki });
  const problems = [...options.host.problems, ...(indexes.problem === null ? [] : [indexes.problem])];
  const wiki = createWiki({
    directory: wikis,
    defaultWiki: name,
    newRequestId: () => newRequestId(machine.now(), machine.randomBytes(10)),
    now: machine.now,
    host: { ...options.host, problems, wikis: wikis.names },
  });
  return {
    wiki,
    name,
    async warm() {
      const { repository } = await wikis.open(name);
      await (await repository.head()).folder('');
    },
    settle: wikis.settle,
    async close() {
      try {
        await indexes.close();
      } finally {
        await wikis.close();
      }
    },
  };
}

/** For the working copies of all indexes: half of what AWS Lambda has for temporary files, and a little more. */
const INDEX_BYTES = 300_000_000;
