import { join } from 'node:path';
import { WikiError } from '../contract/errors.ts';
import type { Index } from '../core/index-port.ts';
import type { OpenWiki, Repository, WikiDirectory } from '../core/ports.ts';
import type { Trace } from '../storage/chain/landing.ts';
import { type PackedHistory, placeHistory } from '../storage/chain/place-history.ts';
import { createRepository } from '../storage/create-repository.ts';
import type { FileSystem } from '../storage/files/file-system.ts';
import { type Host, randomName } from '../storage/files/host.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { ObjectReader, Storage } from '../storage/storage.ts';
import { describeRepository } from './describe-repository.ts';
import { importBundle } from './import-bundle.ts';
import { mergeForeign } from './merge-foreign.ts';
import { openRepository, writesRefused } from './open-repository.ts';
import { tellAsWikiError } from './storage-failures.ts';
import { directoryOf, findWikis } from './wiki-place.ts';

export interface WikiDirectoryOptions {
  fs: FileSystem;
  host: Host;
  /** Holds the bare repositories `<name>.git`; made if it is missing. */
  directory: string;
  /** `local`: a disk of this machine. `shared`: a mount to which other machines write. */
  placement: 'local' | 'shared';
  /** Refuses every write, and makes nothing. */
  readOnly: boolean;
  /** What a wiki that is made here begins with, by tree path. */
  firstPages: readonly { path: string; content: string }[];
  openIndex(repository: Repository, gitDirectory: string): Index;
  /** Told of each phase of reading and writing, around it. */
  trace?: Trace | undefined;
}

export interface OpenWikiDirectory extends WikiDirectory {
  /**
   * The wiki of calls that name none: `given`; without that the only one there is, else `main`. It is made where
   * it is missing and `make` says so, unless `given` may be a slip because there are other wikis.
   */
  chooseDefault(given: string | null, options?: { make: boolean }): Promise<string>;
  /** Finishes what acknowledged writes left for later, in every open wiki. */
  settle(): Promise<void>;
  /** Settles, and closes every file. */
  close(): Promise<void>;
}

/** A directory of wikis, each opened when it is first asked for. Every method throws WikiError. */
export function openWikiDirectory(options: WikiDirectoryOptions): OpenWikiDirectory {
  const { fs, host, directory, placement, readOnly } = options;
  const opened = new Map<string, Promise<OpenStoredWiki>>();
  /** Seen in a listing: a shared mount is not asked again for what does not go away. */
  const seen = new Set<string>();
  let defaultName: string | null = null;

  async function names(): Promise<string[]> {
    const found = await findWikis(fs, directory, { make: !readOnly, host });
    for (const name of found) seen.add(name);
    return found;
  }

  async function open(name: string): Promise<OpenWiki> {
    const before = opened.get(name);
    if (before) return before;
    const opening = openNamed(name);
    opened.set(name, opening);
    // What stands in the way may be cured while the server runs, so the next call tries again.
    opening.catch(() => opened.delete(name));
    return opening;
  }

  async function openNamed(name: string): Promise<OpenStoredWiki> {
    if (!seen.has(name)) {
      const present = await names();
      if (!present.includes(name)) throw wikiNotFound(name, directory, present, defaultName);
    }
    const gitDirectory = join(directory, directoryOf(name));
    const { storage, repository } = await openStored(options, name, gitDirectory);
    return { storage, repository, index: options.openIndex(repository, gitDirectory) };
  }

  async function chooseDefault(given: string | null, { make } = { make: true }): Promise<string> {
    const present = await names();
    const name = given ?? (present.length === 1 ? present[0] : undefined) ?? 'main';
    defaultName = name;
    const isMade = make && !readOnly && !present.includes(name) && (given === null || present.length === 0);
    if (isMade) await create(name, (made) => writeFirstPages(options, made));
    return name;
  }

  /** Filled before anybody sees it: of two who make it at once one makes it, the other finds it whole. */
  async function create(name: string, fill: Fill, history?: PackedHistory): Promise<boolean> {
    if (readOnly) throw writesRefused();
    const isMade = await createRepository({
      fs,
      host,
      directory: join(directory, directoryOf(name)),
      branch: 'main',
      shared: placement === 'shared',
      fill: async (aside) => {
        if (history) await placeHistory(fs, aside, 'main', history);
        const { storage, repository } = await openStored(options, name, aside);
        try {
          await fill(repository, storage);
        } finally {
          await storage.close();
        }
      },
    }).catch(tellAsWikiError);
    seen.add(name);
    return isMade;
  }

  async function eachOpen(act: (storage: Storage) => Promise<void>): Promise<void> {
    const wikis = await Promise.allSettled(opened.values());
    const done = wikis.map((wiki) => (wiki.status === 'fulfilled' ? act(wiki.value.storage) : undefined));
    await Promise.all(done).catch(tellAsWikiError);
  }

  return {
    names,
    open,
    create,
    importBundle: (name, bundle, importOptions) =>
      importBundle(bundle, importOptions, (history, inspect) => create(name, inspect, history)),
    chooseDefault,
    settle: () => eachOpen((storage) => storage.settle()),
    close: () => eachOpen((storage) => storage.close()),
  };
}

type Fill = (made: Repository, reader: ObjectReader) => Promise<void>;

interface OpenStoredWiki extends OpenWiki {
  storage: Storage;
}

async function openStored(options: WikiDirectoryOptions, name: string, gitDirectory: string) {
  const { fs, host, placement, readOnly, trace } = options;
  const now = host.now;
  const storage = await openStorage({
    fs,
    host,
    directory: gitDirectory,
    placement,
    mergeForeign: (tip, foreign, transaction) => mergeForeign(tip, foreign, transaction, now()),
    cacheBytes: OBJECT_CACHE_BYTES,
    ...(trace && { trace }),
  }).catch(tellAsWikiError);
  const temporaryName = () => `probe-${randomName(host)}`;
  const describe = () =>
    describeRepository({ fs, directory: gitDirectory, placement, readOnly, storage, temporaryName }).catch(
      tellAsWikiError,
    );
  return { storage, repository: openRepository({ name, storage, readOnly, now, describe }) };
}

async function writeFirstPages({ firstPages }: WikiDirectoryOptions, repository: Repository): Promise<void> {
  await repository.write({
    requestId: 'first-pages',
    idIsNew: true,
    digest: 'first-pages',
    author: { name: 'Pagetree', email: 'pagetree@localhost' },
    agent: null,
    apply: async () => ({
      message: 'Begin the wiki',
      files: firstPages.map(({ path, content }) => ({ path, content: Buffer.from(content) })),
    }),
  });
}

function wikiNotFound(
  name: string,
  directory: string,
  present: readonly string[],
  defaultName: string | null,
): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There is no wiki ${JSON.stringify(name)}.`,
      now: present.length === 0 ? 'There is none at all.' : `There are: ${present.join(', ')}.`,
      next: howToName(directory, name, present, defaultName),
    },
    { wikis: present },
  );
}

function howToName(
  directory: string,
  name: string,
  present: readonly string[],
  defaultName: string | null,
): string {
  const [first] = present;
  if (first === undefined) {
    return `Make one with \`git init --bare ${JSON.stringify(join(directory, directoryOf(name)))}\`.`;
  }
  const pass = `Pass wiki: ${JSON.stringify(first)}`;
  if (defaultName === null) return `${pass}.`;
  if (present.includes(defaultName)) return `${pass}, or leave wiki out for the default one.`;
  return `${pass}. Where none is named, ${JSON.stringify(defaultName)} is meant: ask the person who runs this to name another.`;
}

/** For objects and for pack indexes, in equal parts. */
const OBJECT_CACHE_BYTES = 16_000_000;
