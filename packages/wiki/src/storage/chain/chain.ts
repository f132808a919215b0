import { join } from 'node:path';
import { refreshDirectory } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { openSerialQueue } from '../files/serial-queue.ts';
import type { Layout } from '../layout.ts';
import type { PackDirectory } from '../objects/pack-directory.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import {
  type ChainEnd,
  type ChainLink,
  FIRST_NAME,
  isOid,
  linksAfter,
  nameAfter,
  parseLink,
  targetOf,
} from './chain-link.ts';
import type { NamedLinks } from './named-links.ts';

/**
 * The order of all commits of a branch, as names in one directory: `chain/<parent>` leads to its successor.
 * A name is made once, by exactly one of all who try, and is never removed: that is the commit point. No call
 * here waits for another process.
 */
export interface CommitChain {
  /** The end as of a moment after the call began: it sees every link made before, by whomever. */
  refresh(): Promise<ChainEnd>;
  /** The end as this process last saw it. */
  known(): ChainEnd;
  /** Whether the last look for links of others found none: the next may be left out where it only saves time. */
  isQuiet(): boolean;
  /** The links after `end`, in order. */
  follow(end: ChainEnd): Promise<ChainLink[]>;
  /** The commit after this one, null where the chain has none. Null asks for the first commit. */
  successor(commit: Oid | null): Promise<Oid | null>;
  /** Whether a commit has a successor, so that it lies in the chain before its end. */
  hasSuccessor(commit: Oid): Promise<boolean>;
  /**
   * Makes `commit` the successor of `end`. Answers false where there is another. Throws a StorageError:
   * `write_state_unknown` where nobody can tell, any other code where it was certainly not made.
   */
  append(end: ChainEnd, commit: Oid, adopted: boolean): Promise<boolean>;
  /** Makes every link that this process knows of survive a power cut. On a shared mount the server did. */
  sync(): Promise<void>;
  /** The same, and their packs stay visible: after it native git and later starts may rely on them. */
  settle(): Promise<void>;
  /** Writes where the next process starts to follow, if the chain has grown by `grown` links since. */
  writeHint(grown: number): Promise<void>;
}

export interface ChainOptions {
  fs: FileSystem;
  links: NamedLinks;
  layout: Layout;
  shared: boolean;
  packs: Pick<PackDirectory, 'sync' | 'complete'>;
  objects: ChainObjects;
}

/** Where the objects of the newest commits lie, which is told to whoever reads objects. */
export interface ChainObjects {
  /** Commits of writers' were met, the newest last, whose packs are then most likely read. */
  expectPacks(commits: readonly Oid[]): Promise<void>;
  packHints(mostBytes: number): string;
  takePackHints(text: string): void;
}

export function openChain({ fs, links, layout, shared, packs, objects }: ChainOptions): CommitChain {
  /** Counted from where this process started; -1 before it did. */
  let tip: { end: ChainEnd; count: number } = { end: null, count: -1 };
  let hintedCount = 0;
  /** How many links were read or made, and how many of these a sync covers that began after. */
  let linksMet = 0;
  let linksSynced = 0;
  let linksSettled = 0;
  const syncInTurn = openSerialQueue();
  let quiet = false;

  async function refresh(): Promise<ChainEnd> {
    if (shared) await failing('Opening the chain', layout.chain, () => refreshDirectory(fs, layout.chain));
    if (tip.count < 0) {
      const start = await readHint();
      if (start && !start.adopted) await objects.expectPacks([start.commit]);
      await completeAfter(start);
      if (tip.count < 0) tip = { end: start, count: 0 };
    }
    quiet = (await follow(tip.end)).length === 0;
    return tip.end;
  }

  /** What a power cut can have hidden lies after the link that the hint names. */
  async function completeAfter(start: ChainEnd): Promise<void> {
    if (shared) return;
    for await (const link of linksAfter(start, readLink)) {
      if (!link.adopted) await packs.complete(link.commit);
    }
  }

  /** The link that the hint names, if there is one: a hint is taken only for what the chain itself says. */
  async function readHint(): Promise<ChainEnd> {
    const hint = (await failing('Reading the hint', layout.hint, () => links.read(layout.hint))) ?? '';
    objects.takePackHints(hint.slice(FIRST_NAME.length + 1));
    const name = hint.slice(0, FIRST_NAME.length);
    return isOid(name) ? readLink(name) : null;
  }

  async function follow(from: ChainEnd): Promise<ChainLink[]> {
    const startedAt = tip.end === from ? tip.count : null;
    const passed: ChainLink[] = [];
    for await (const link of linksAfter(from, readLink)) passed.push(link);
    linksMet += passed.length;
    // Of many, a listing of the directory finds the packs at less cost.
    const met = passed.slice(-MOST_EXPECTED).filter((link) => !link.adopted);
    await objects.expectPacks(met.map((link) => link.commit));
    if (startedAt !== null) advance(passed, startedAt);
    return passed;
  }

  function advance(passed: ChainLink[], startedAt: number): void {
    const end = passed.at(-1);
    if (end && startedAt + passed.length > tip.count) tip = { end, count: startedAt + passed.length };
  }

  async function readLink(name: string): Promise<ChainLink | null> {
    const path = join(layout.chain, name);
    const target = await failing('Reading the chain', path, () => readAgainWhenStale(path));
    return target === null ? null : parseLink(name, target);
  }

  async function readAgainWhenStale(path: string): Promise<string | null> {
    try {
      return await links.read(path);
    } catch (error) {
      if (errorName(error) !== 'ESTALE') throw error;
      await refreshDirectory(fs, layout.chain);
      return links.read(path);
    }
  }

  async function append(end: ChainEnd, commit: Oid, adopted: boolean): Promise<boolean> {
    const startedAt = tip.end === end ? tip.count : null;
    const name = nameAfter(end);
    const link = { parent: end?.commit ?? null, commit, adopted };
    if (!(await made(name, link))) {
      quiet = false;
      return false;
    }
    linksMet += 1;
    if (startedAt !== null) advance([link], startedAt);
    return true;
  }

  async function made(name: string, link: ChainLink): Promise<boolean> {
    const path = join(layout.chain, name);
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (await links.make(path, targetOf(link))) return true;
        return await isOurs(name, link, undefined);
      } catch (error) {
        if (error instanceof StorageError) throw error;
        const certain = CERTAINLY_NOT_DONE.has(errorName(error) ?? '');
        const there = await isOursIfThere(name, link, error);
        if (there !== null) return there;
        if (certain) throw fileSystemFailure(error, 'Linking the commit', path);
        // The call may still be on its way to the server. To make the same name again is harmless.
        if (attempt === LINK_ATTEMPTS) throw unknown(link, error);
      }
    }
  }

  /** The name was taken when we came, by another or by a call of ours whose answer was lost. */
  async function isOurs(name: string, link: ChainLink, cause: unknown): Promise<boolean> {
    const there = await isOursIfThere(name, link, cause);
    if (there === null) throw unknown(link, cause);
    return there;
  }

  async function isOursIfThere(name: string, link: ChainLink, cause: unknown): Promise<boolean | null> {
    try {
      await refreshDirectory(fs, layout.chain);
      const there = await readLink(name);
      return there && there.commit === link.commit;
    } catch (error) {
      throw unknown(link, cause ?? error);
    }
  }

  async function sync(): Promise<void> {
    const wanted = linksMet;
    if (shared || linksSynced >= wanted) return;
    await syncInTurn(async () => {
      if (linksSynced >= wanted) return;
      const covered = linksMet;
      await syncDirectory(fs, layout.chain);
      linksSynced = covered;
    });
  }

  async function settle(): Promise<void> {
    const wanted = linksMet;
    if (shared || linksSettled >= wanted) return;
    await Promise.all([sync(), packs.sync()]);
    linksSettled = Math.max(linksSettled, wanted);
  }

  /** Settled before: a hint that outlived what comes before it would hide a gap in the chain, or in its packs. */
  async function writeHint(grown: number): Promise<void> {
    const { end, count } = tip;
    if (!end || count - hintedCount < grown) return;
    hintedCount = count;
    await settle();
    const name = end.parent ?? FIRST_NAME;
    // A new client pays a round trip for each pack that it searches: so it is told which holds what.
    const hint = shared ? `${name} ${objects.packHints(MOST_HINT_BYTES)}` : name;
    await failing('Writing the hint', layout.hint, () => links.replace(layout.hint, hint));
  }

  return {
    refresh,
    known: () => tip.end,
    isQuiet: () => quiet,
    follow,
    successor: async (commit) => (await readLink(commit ?? FIRST_NAME))?.commit ?? null,
    hasSuccessor: async (commit) => (await readLink(commit)) !== null,
    append,
    sync,
    settle,
    writeHint,
  };
}

const LINK_ATTEMPTS = 3;
const MOST_EXPECTED = 8;
/** A symbolic link holds up to 4,095 bytes on Linux and 4,080 on EFS. */
const MOST_HINT_BYTES = 4000;

/** After these nothing was made and nothing is under way. */
const CERTAINLY_NOT_DONE = new Set([
  'EACCES',
  'EDQUOT',
  'EMFILE',
  'ENAMETOOLONG',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

function unknown({ commit }: ChainLink, cause: unknown): StorageError {
  const message = 'The file system failed while the commit was linked; it may or may not be in the branch.';
  return new StorageError('write_state_unknown', message, { commit }, { cause });
}

async function failing<T>(doing: string, path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw fileSystemFailure(error, doing, path);
  }
}
