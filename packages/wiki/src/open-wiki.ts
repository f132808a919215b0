import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRequestId } from './contract/ids.ts';
import type { Wiki } from './contract/wiki.ts';
import { starterPages } from './core/pages/starter-pages.ts';
import type { Host } from './core/session.ts';
import { createWiki } from './core/wiki.ts';
import { type Makes, openWikiDirectory } from './git/wikis/wiki-directory.ts';
import type { Embedder } from './search/meaning/embedder.ts';
import { openPageVectors, type PageVectors } from './search/meaning/page-vectors.ts';
import { openVectorStore } from './search/meaning/vector-store.ts';
import { withMeaning } from './search/meaning/with-meaning.ts';
import { openIndexes } from './search/open-indexes.ts';
import { randomName } from './storage/files/host.ts';
import { localFileSystem } from './storage/files/local-file-system.ts';
import { nodeFileSystem } from './storage/files/node-file-system.ts';
import { nodeHost } from './storage/files/node-host.ts';
import type { Trace } from './storage/storage.ts';

export interface WikiOptions {
  /** A directory of wikis, each a bare repository `<name>.git`. */
  directory: string;
  /** The default wiki, used when a call names none; null leaves it to the directory. */
  wiki: string | null;
  /** The files that may be created if they are missing; by default the first wiki and its directory. */
  makes?: Makes;
  /** `local`: a disk of this machine, where native git may work as well. `shared`: a mount such as EFS. */
  placement: 'local' | 'shared';
  /** Refuses every write and creates nothing. */
  readOnly?: boolean;
  /**
   * On a local disk: for data that can be rebuilt, such as indexes. By default the system's cache directory.
   */
  workDirectory?: string;
  /** If given, searches also find pages that mean the same in other words. */
  embedder?: Embedder | undefined;
  /** Facts about the host, for wiki_status. */
  host: Omit<Host, 'wikis'>;
  /** Runs around each phase of reading and writing. */
  trace?: Trace;
}

export interface OpenedWiki {
  wiki: Wiki;
  /** The wiki of calls that name none. */
  name: string;
  /**
   * Opens that wiki and reads its newest commit, so that the first call need not wait for it; with `index` also the
   * search index as of that commit. Throws the same errors as that call.
   */
  warm(options?: { index?: boolean }): Promise<void>;
  /** Finishes the work that acknowledged writes left for later. Nothing is lost without it. */
  settle(): Promise<void>;
  /** Settles, and closes every file. */
  close(): Promise<void>;
}

/**
 * Opens a directory of wikis. Throws WikiError, with what to do instead, if the directory is something else.
 * A wiki that cannot be used is reported by the calls that name it, not here.
 */
export async function openWiki(options: WikiOptions): Promise<OpenedWiki> {
  const {
    directory,
    placement,
    makes = 'default wiki',
    readOnly = false,
    workDirectory = tmpdir(),
    embedder,
    trace,
  } = options;
  const machine = nodeHost();
  const indexes = await openIndexes({
    workDirectory,
    mostBytes: INDEX_BYTES,
    isPatient: placement === 'local',
    randomName: () => randomName(machine),
    now: machine.now,
  });
  /** Those that may be asking the provider in the background. */
  const vectors = new Set<PageVectors>();
  const wikis = openWikiDirectory({
    fs: placement === 'local' ? localFileSystem : nodeFileSystem,
    host: machine,
    directory,
    placement,
    readOnly,
    makes,
    firstPages: starterPages,
    openIndex(repository, gitDirectory, isPrivate) {
      const snapshotDirectory = join(gitDirectory, 'pagetree', 'index');
      const index = indexes.open({ repository, snapshotDirectory, readOnly, isPrivate });
      if (embedder === undefined) return index;
      const directory = join(gitDirectory, 'pagetree', 'vectors');
      const randomFileName = () => randomName(machine);
      const store = openVectorStore({ directory, model: embedder.name, readOnly, isPrivate, randomFileName });
      const ofPages = openPageVectors({ repository, embedder, store });
      vectors.add(ofPages);
      const { close, ...searches } = withMeaning(index, embedder, ofPages);
      return { ...searches, close: () => close().finally(() => vectors.delete(ofPages)) };
    },
    trace,
  });
  const name = await wikis.chooseDefault(options.wiki);
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
    async warm({ index: withIndex = false } = {}) {
      const { repository, index } = await wikis.open(name);
      const head = await repository.head();
      const ahead = withIndex && head.commit !== null ? index.catchUp(head.commit) : null;
      await Promise.all([head.folder(''), ahead]);
    },
    settle: wikis.settle,
    async close() {
      try {
        await Promise.all([...vectors].map((ofPages) => ofPages.close()));
        await indexes.close();
      } finally {
        await wikis.close();
      }
    },
  };
}

/** For the working copies of all indexes: a little more than half of the temporary storage of AWS Lambda. */
const INDEX_BYTES = 300_000_000;
