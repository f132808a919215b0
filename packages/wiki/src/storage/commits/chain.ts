import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import { openSerialQueue } from '../../scheduling/serial-queue.ts';
import { refreshDirectory } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { NamedLinks } from '../files/named-links.ts';
import type { Layout } from '../layout.ts';
import type { PackDirectory } from '../packs/pack-directory.ts';
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

/**
 * The order of all commits of a branch, as names in one directory: `chain/<parent>` leads to the successor of
 * `<parent>`. If several processes try to make a name, exactly one succeeds. A name is never removed. Making
 * it is the commit point. No call here waits for another process.
 */
export interface CommitChain {
  /** Returns the current end: it includes every link that any process made before the call began. */
  refresh(): Promise<ChainEnd>;
  /** The end as this process last saw it. */
  known(): ChainEnd;
  /**
   * True if the last look for links of other processes found none: the next look may be skipped if it only
   * saves time.
   */
  isQuiet(): boolean;
  /** The links after `end`, in order. */
  follow(end: ChainEnd): Promise<ChainLink[]>;
  /** The link after this commit, or null if there is none. Null as argument asks for the first link. */
  linkAfter(commit: Oid | null): Promise<ChainLink | null>;
  /** The commit after this one, or null if there is none. Null as argument asks for the first commit. */
  successor(commit: Oid | null): Promise<Oid | null>;
  /** True if the commit has a successor, so that it lies in the chain before its end. */
  hasSuccessor(commit: Oid): Promise<boolean>;
  /**
   * Makes `commit` the successor of `end`. Returns false if another commit is its successor. Throws a
   * StorageError: `write_state_unknown` if the caller cannot know whether the link was made; with any other
   * code it was certainly not made.
   */
  append(end: ChainEnd, commit: Oid, adopted: boolean): Promise<boolean>;
  /** A repair made all lost names after `from`: `end` is reached, `grown` links later. The next look begins there. */
  restored(from: Oid | null, end: ChainLink, grown: number): Promise<void>;
  /**
   * Makes every link that this process knows survive a power cut. On a shared mount the server has done so
   * already.
   */
  sync(): Promise<void>;
  /** Does the same, and keeps their packs visible: after it, native git and later starts may rely on them. */
  settle(): Promise<void>;
  /**
   * Writes the hint from which the next process starts to follow, if the chain grew by at least `grown` links
   * since the last hint.
   */
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

/** The part of the object store that the chain informs about the newest commits. */
export interface ChainObjects {
  /**
   * Reports the commits of writers that the chain met, newest last: their packs are the ones most likely to
   * be read.
   */
  expectPacks(commits: readonly Oid[]): Promise<void>;
  packHints(mostBytes: number): string;
  takePackHints(text: string): void;
}

export function openChain({ fs, links, layout, shared, packs, objects }: ChainOptions): CommitChain {
  /** `count` counts links from the one where this process started; -1 before it started. */
  let tip: { end: ChainEnd; count: number } = { end: null, count: -1 };
  let hintedCount = 0;
  /** The number of links that were read or made, and the number of them that a later sync covers. */
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

  /** Completes what a power cut may have hidden: it lies after the link that the hint names. */
  async function completeAfter(start: ChainEnd): Promise<void> {
    if (shared) return;
    for await (const link of linksAfter(start, readLink)) {
      if (!link.adopted) await packs.complete(link.commit);
    }
  }

  /** The link that the hint names, or null. A hint counts only if the chain itself confirms it. */
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
    // If there are many, one listing of the directory finds their packs at less cost.
    const met = passed.slice(-MAX_EXPECTED).filter((link) => !link.adopted);
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
    const link = { parent: end?.commit ?? null, commit, adopted };
    if (!(await made(nameAfter(end), link))) {
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
        const there = await isOursAfter(error, name, link);
        if (there !== null) return there;
        // The call may still be on its way to the server. Making the same name again is harmless.
        if (attempt === LINK_ATTEMPTS) throw unknown(link, error);
      }
    }
  }

  /** Null if the name does not exist and the failed call may yet make it. */
  async function isOursAfter(error: unknown, name: string, link: ChainLink): Promise<boolean | null> {
    if (error instanceof StorageError) throw error;
    const isCertain = CERTAINLY_NOT_DONE.has(errorName(error) ?? '');
    const there = await isOursIfThere(name, link, error);
    if (there === null && isCertain)
      throw fileSystemFailure(error, 'Linking the commit', join(layout.chain, name));
    return there;
  }

  /** The name exists: another process made it, or an earlier call of ours whose answer was lost. */
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

  async function restored(from: Oid | null, end: ChainLink, grown: number): Promise<void> {
    const known = tip.end ?? end;
    if (known === end || [known.commit, known.parent].includes(from)) tip = { end, count: tip.count + grown };
    // On a local disk, a hint would hide packs before it that a power cut left incomplete.
    if (shared) await writeHint(1);
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

  /**
   * The chain is settled before the hint is written: a hint that outlived earlier links would hide a gap in
   * the chain or in its packs.
   */
  async function writeHint(grown: number): Promise<void> {
    const { end, count } = tip;
    if (!end || count - hintedCount < grown) return;
    hintedCount = count;
    await settle();
    const name = end.parent ?? FIRST_NAME;
    // A new client pays a round trip for each pack that it searches. So the hint also says which pack holds
    // what.
    const hint = shared ? `${name} ${objects.packHints(MAX_HINT_BYTES)}` : name;
    await failing('Writing the hint', layout.hint, () => links.replace(layout.hint, hint));
  }

  return {
    refresh,
    known: () => tip.end,
    isQuiet: () => quiet,
    follow,
    linkAfter: (commit) => readLink(commit ?? FIRST_NAME),
    successor: async (commit) => (await readLink(commit ?? FIRST_NAME))?.commit ?? null,
    hasSuccessor: async (commit) => (await readLink(commit)) !== null,
    append,
    restored,
    sync,
    settle,
    writeHint,
  };
}

const LINK_ATTEMPTS = 3;
const MAX_EXPECTED = 8;
/** A symbolic link holds up to 4,095 bytes on Linux and 4,080 on EFS. */
const MAX_HINT_BYTES = 4000;

/** With these errors no link was made, and no call is still under way. */
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
