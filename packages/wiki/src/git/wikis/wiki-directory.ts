import { join } from 'node:path';
import type { OpenWiki, WikiDirectory } from '../../core/directory-port.ts';
import type { OpenIndex } from '../../core/index-port.ts';
import type { Repository } from '../../core/ports.ts';
import { createRepository } from '../../storage/create-repository.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { privateFileSystem } from '../../storage/files/private-file-system.ts';
import { givesOthersRights } from '../../storage/git-config.ts';
import { judgePushes } from '../../storage/judge-pushes.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { type PackedHistory, placeHistory } from '../../storage/place-history.ts';
import { readRepositoryFormat } from '../../storage/repository-format.ts';
import type { ObjectReader, Storage, Trace } from '../../storage/storage.ts';
import { judgeObject } from '../fsck/judge-object.ts';
import { keptRemote } from '../kept-remote.ts';
import { mergeForeign } from '../merging/merge-foreign.ts';
import { openRepository, writesRefused } from '../open-repository.ts';
import { importBundle } from '../received/import-bundle.ts';
import { keptList } from '../sending/kept-list.ts';
import { throwAsWikiError } from '../storage-failures.ts';
import { decideDefault, FIRST_WIKI, openDefaultWikiRecord } from './default-wiki.ts';
import { describeRepository } from './describe-repository.ts';
import { keptRound } from './kept-round.ts';
import { keptUploads } from './kept-uploads.ts';
import { unopenedWiki } from './unopened-wiki.ts';
import { type DefaultWiki, wikiNotFound } from './wiki-not-found.ts';
import { directoryOf, findWikis, makeDirectoryOfWikis } from './wiki-place.ts';

export interface WikiDirectoryOptions {
  fs: FileSystem;
  host: Host;
  /** Contains the bare repositories `<name>.git`. Made if it is missing. */
  directory: string;
  /** `local`: a disk of this machine. `shared`: a mount to which other machines write. */
  placement: 'local' | 'shared';
  /** Refuses every write, and creates nothing. */
  readOnly: boolean;
  makes: Makes;
  /** The first pages of a wiki that is made here, by tree path. */
  firstPages: readonly { path: string; content: string }[];
  /** `isPrivate`: other users get no rights to new files in the repository. */
  openIndex(repository: Repository, gitDirectory: string, isPrivate: boolean): OpenIndex;
  /** Runs around each phase of reading and writing. */
  trace?: Trace | undefined;
}

/**
 * The files that may be created: the directory with its first wiki, even if no call requests it; the
 * directory with the wikis that calls make; only the record of the default wiki; or nothing.
 */
export type Makes = 'default wiki' | 'named wikis' | 'record' | 'nothing';

export interface OpenWikiDirectory extends WikiDirectory {
  /**
   * The default wiki, used when a call names none: `given`, else the recorded one, else the only one or
   * `main`, which is then recorded. Does not check that it exists: the calls that use it report that.
   */
  chooseDefault(given: string | null): Promise<string>;
  /** Finishes the work that acknowledged writes left for later, in every open wiki. */
  settle(): Promise<void>;
  /** Settles, and closes every file. */
  close(): Promise<void>;
}

/** A directory of wikis, each opened on first use. Every method throws WikiError. */
export function openWikiDirectory(options: WikiDirectoryOptions): OpenWikiDirectory {
  const { host, directory, placement, readOnly } = options;
  // On a shared mount the functions that read run as another user.
  const fs = placement === 'local' ? privateFileSystem(options.fs) : options.fs;
  const makes = readOnly ? 'nothing' : options.makes;
  const makesWikis = makes === 'default wiki' || makes === 'named wikis';
  const record = openDefaultWikiRecord({ ...options, fs });
  const opened = new Map<string, Promise<OpenStoredWiki>>();
  /** The wikis seen in a listing: a shared mount is not asked again, as wikis do not go away. */
  const seen = new Set<string>();
  let defaultWiki: DefaultWiki | null = null;

  async function names(): Promise<string[]> {
    const found = await findWikis(fs, directory, {
      mayBeMissing: makesWikis,
      sweep: makesWikis,
      host,
    });
    for (const name of found) seen.add(name);
    return found;
  }

  async function open(name: string): Promise<OpenWiki> {
    const before = opened.get(name);
    if (before) return before;
    const opening = openNamed(name);
    opened.set(name, opening);
    // The obstacle may be removed while the server runs, so the next call tries again.
    opening.catch(() => opened.delete(name));
    return opening;
  }

  async function visit<Result>(name: string, act: (wiki: OpenWiki) => Promise<Result>): Promise<Result> {
    const before = opened.get(name);
    if (before) return act(await before);
    const wiki = await openNamed(name);
    const close = () => wiki.index.close().finally(() => wiki.storage.close().catch(throwAsWikiError));
    let result: Result;
    try {
      result = await act(wiki);
    } catch (error) {
      // The caller gets the error of the action, not that of closing.
      await close().catch(() => undefined);
      throw error;
    }
    await close();
    return result;
  }

  async function openNamed(name: string): Promise<OpenStoredWiki> {
    if (!seen.has(name)) {
      const present = await names();
      if (!present.includes(name)) throw wikiNotFound(name, directory, present, defaultWiki);
    }
    const gitDirectory = join(directory, directoryOf(name));
    const { storage, repository, isPrivate } = await openStored(options, name, gitDirectory);
    return { storage, repository, index: options.openIndex(repository, gitDirectory, isPrivate) };
  }

  async function chooseDefault(given: string | null): Promise<string> {
    const present = await names();
    // A given name needs no record if nothing will be created.
    const recorded =
      given === null || present.length === 0 ? await record.read().catch(throwAsWikiError) : null;
    const decided = recorded ?? decideDefault(present);
    const name = given ?? decided ?? FIRST_WIKI;
    defaultWiki = { name, isRecorded: name === recorded, isGiven: given !== null };
    if (makes === 'nothing') return name;
    if (present.length > 0) {
      if (given === null && recorded === null && decided !== null) await record.makeIfWritable(decided);
    } else if (makes === 'default wiki' && recorded === null) {
      await create(name, (made) => writeFirstPages(options, made));
      // Another process may have made its own wiki at the same time.
      if (given === null) defaultWiki.name = (await record.read()) ?? name;
    }
    return defaultWiki.name;
  }

  async function requireDefault(): Promise<void> {
    if (defaultWiki === null || defaultWiki.isGiven || seen.has(defaultWiki.name)) return;
    const { name, isRecorded } = defaultWiki;
    const present = await names();
    const isFirst = present.length === 0 && !isRecorded;
    if (!isFirst && !present.includes(name)) throw wikiNotFound(name, directory, present, defaultWiki);
  }

  /**
   * Filled before anybody sees it: if two processes make it at once, one succeeds and the other finds it
   * complete.
   */
  async function create(name: string, fill: Fill, history?: PackedHistory): Promise<boolean> {
    if (readOnly) throw writesRefused();
    await makeDirectoryOfWikis(fs, directory);
    const before = await names();
    const recorded = await record.read().catch(throwAsWikiError);
    const decided = recorded === null ? decideDefault(before) : null;
    // Recorded now, because the new wiki changes the choice.
    if (decided !== null) await record.make(decided).catch(throwAsWikiError);
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
    }).catch(throwAsWikiError);
    seen.add(name);
    if (before.length === 0) await record.makeIfWritable(name);
    return isMade;
  }

  async function eachOpen(act: (storage: Storage) => Promise<void>): Promise<void> {
    const wikis = await Promise.allSettled(opened.values());
    const done = wikis.map((wiki) => (wiki.status === 'fulfilled' ? act(wiki.value.storage) : undefined));
    await Promise.all(done).catch(throwAsWikiError);
  }

  return {
    names,
    open,
    unopened: (name) => unopenedWiki({ ...options, fs }, name),
    visit,
    ...keptRound(fs, host, directory),
    ...keptUploads({ fs, host, directory, readOnly }),
    create,
    requireDefault,
    importBundle: (name, bundle, importOptions) =>
      importBundle(bundle, importOptions, (history, inspect) => create(name, inspect, history)),
    chooseDefault,
    settle: () => eachOpen((storage) => storage.settle()),
    close: () => eachOpen((storage) => storage.close()),
  };
}

type Fill = (made: Repository, reader: ObjectReader) => Promise<void>;

interface OpenStoredWiki extends OpenWiki {
  index: OpenIndex;
  storage: Storage;
}

async function openStored(options: WikiDirectoryOptions, name: string, gitDirectory: string) {
  const { host, placement, readOnly, trace } = options;
  const isPrivate = placement === 'local' && !(await isSharedByGit(options.fs, gitDirectory));
  const fs = isPrivate ? privateFileSystem(options.fs) : options.fs;
  const now = host.now;
  const storage = await openStorage({
    fs,
    host,
    directory: gitDirectory,
    placement,
    mergeForeign: (tip, foreign, transaction) => mergeForeign(tip, foreign, transaction, now()),
    judge: judgeObject,
    cacheBytes: OBJECT_CACHE_BYTES,
    ...(trace && { trace }),
  }).catch(throwAsWikiError);
  if (placement === 'local' && !readOnly) await judgePushes(fs, gitDirectory);
  const temporaryName = () => `probe-${randomName(host)}`;
  const describe = () =>
    describeRepository({ fs, directory: gitDirectory, placement, readOnly, storage, temporaryName }).catch(
      throwAsWikiError,
    );
  const remote = keptRemote({ fs, host, gitDirectory });
  const cloneList = keptList({ fs, host, gitDirectory });
  return {
    storage,
    repository: openRepository({ name, storage, readOnly, now, describe, remote, cloneList }),
    isPrivate,
  };
}

/** True if the owner of the repository shares it with other users of the machine. */
async function isSharedByGit(fs: FileSystem, gitDirectory: string): Promise<boolean> {
  const { config } = await readRepositoryFormat(fs, gitDirectory).catch(throwAsWikiError);
  return givesOthersRights(config);
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

/** Shared in equal parts by objects and pack indexes. */
const OBJECT_CACHE_BYTES = 16_000_000;
