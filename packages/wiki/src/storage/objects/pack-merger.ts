import { join } from 'node:path';
import { syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import { readWholeFile } from '../files/whole-file.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { breathing } from './breathing.ts';
import { isGitAtWork } from './git-at-work.ts';
import { landPack } from './land-pack.ts';
import { mergePacks, TURN_MS } from './merge-packs.ts';
import { PackListing, type StoredPack } from './pack-listing.ts';
import { readPackSource, type SourceEntry, writtenPackSource } from './pack-source.ts';
import type { EncodedPack } from './pack-writer.ts';

/** Makes few packs of many. Any number of processes may do so at once, and each may stop at any point. */
export interface PackMerger {
  /** A pack that this process landed and that nobody keeps: it is merged with others like it, before long. */
  offer(name: Oid, pack: EncodedPack): void;
  /** What a writer does in passing: one merge at most, of about 20 packs, once for about 20 writes. Whether it did. */
  inPassing(): Promise<boolean>;
  /** Merges until there are few packs, and answers how many became how many. `goOn` is asked before each step. */
  mergeAll(goOn: (packsLeft: number) => boolean): Promise<{ before: number; after: number }>;
  /** Deletes what was merged, also before readers had time to notice; not while native git is at work there. */
  deleteMerged(): Promise<void>;
}

export interface PackMergerOptions {
  fs: FileSystem;
  host: Host;
  /** `objects/pack`. */
  directory: string;
  shared: boolean;
  /** Comes before packs are deleted; where it throws they stay. */
  beforeDeleting(): Promise<void>;
  objects: { replacePacks(name: string, replaced: readonly string[]): Promise<void> };
}

export function openPackMerger(options: PackMergerOptions): PackMerger {
  const { fs, host, directory, shared, beforeDeleting, objects } = options;
  const listing = new PackListing(fs, directory);
  const own = new Map<Oid, EncodedPack>();
  let merged: { name: string; since: number }[] = [];
  let landedSinceListing = PACKS_AT_ONCE;

  function offer(name: Oid, pack: EncodedPack): void {
    landedSinceListing += 1;
    if (pack.packBytes.length < SMALL_BYTES) own.set(name, pack);
  }

  async function inPassing(): Promise<boolean> {
    await deleteAll(merged.filter(({ since }) => host.now() - since > GRACE_MS));
    if (own.size >= PACKS_AT_ONCE) {
      const oldest = [...own].slice(0, PACKS_AT_ONCE);
      for (const [name] of oldest) own.delete(name);
      await merge(oldest.map(([name, written]) => ({ name, written })));
      return true;
    }
    if (landedSinceListing <= PACKS_AT_ONCE) return false;
    landedSinceListing = 0;
    return mergeLeftovers();
  }

  /** Packs of other processes, of which most ended before they had enough of their own. */
  async function mergeLeftovers(): Promise<boolean> {
    const small = (await list((name) => own.has(name))).filter(({ size }) => size < SMALL_BYTES);
    if (small.length < LEFTOVERS) return false;
    await merge(small.slice(0, PACKS_AT_ONCE));
    return true;
  }

  async function mergeAll(goOn: (packsLeft: number) => boolean): Promise<{ before: number; after: number }> {
    own.clear();
    await deleteAll(merged);
    const before = (await list()).length;
    for (let last = Number.POSITIVE_INFINITY; ; ) {
      const packs = await list();
      const group = nextGroup(packs);
      // Where another process merges as well, or a pack cannot be read, the number need not fall.
      if (group.length < 2 || packs.length >= last || !goOn(packs.length))
        return { before, after: packs.length };
      last = packs.length;
      await merge(group);
      await deleteAll(merged);
    }
  }

  /** The packs that a merge may delete, the smallest first. */
  async function list(isLeftOut = (_name: string) => false): Promise<StoredPack[]> {
    const doomed = new Set(namesOf(merged));
    const packs = await listing.list((name) => doomed.has(name) || isLeftOut(name));
    return packs.filter((pack) => !pack.kept).sort((a, b) => a.size - b.size);
  }

  async function merge(packs: readonly { name: string; written?: EncodedPack }[]): Promise<void> {
    // Beside writes that hardly wait for the disk it would have few turns: where packs pile up, each is a long one.
    const breathe = breathing(own.size < 2 * PACKS_AT_ONCE ? TURN_MS : LONG_TURN_MS);
    const read: { name: string; entries: SourceEntry[] }[] = [];
    for (const { name, written } of packs) {
      const entries = await readSource(name, written);
      if (entries) read.push({ name, entries });
      await breathe();
    }
    if (read.length < 2) return;
    const name = `${randomName(host)}${randomName(host)}`.slice(0, 40);
    const sources = read.map(({ entries }) => entries);
    await landPack(fs, directory, name, await mergePacks(sources, breathe));
    if (!shared) await syncDirectory(fs, directory);
    // Only what was copied whole, and lies there durably.
    const copied = namesOf(read);
    await objects.replacePacks(name, copied);
    merged.push(...copied.map((copy) => ({ name: copy, since: host.now() })));
  }

  /** Null where the pack was deleted since, as by another merge, or is damaged: a check of the wiki names it. */
  async function readSource(name: string, written: EncodedPack | undefined): Promise<SourceEntry[] | null> {
    const path = join(directory, `pack-${name}`);
    try {
      if (written) return writtenPackSource(path, written);
      const pack = await readWholeFile(fs, `${path}.pack`);
      const index = await readWholeFile(fs, `${path}.idx`);
      return readPackSource(path, pack, index);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'corrupt_pack') return null;
      const errno = errorName(error);
      if (errno === 'ENOENT' || errno === 'ESTALE') return null;
      throw fileSystemFailure(error, 'Reading a pack to merge it', path);
    }
  }

  async function deleteAll(due: typeof merged): Promise<void> {
    if (due.length === 0 || (!shared && (await isGitAtWork(fs, host, directory)))) return;
    await beforeDeleting();
    merged = merged.filter((pack) => !due.includes(pack));
    await deletePacks(namesOf(due));
  }

  /** The index first: without it a pack is none. */
  async function deletePacks(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        for (const ending of ['idx', 'pack']) await remove(join(directory, `pack-${name}.${ending}`));
      }),
    );
  }

  async function remove(path: string): Promise<void> {
    try {
      await fs.unlinkLast(path);
    } catch (error) {
      const errno = errorName(error);
      if (errno !== 'ENOENT' && errno !== 'ESTALE') throw fileSystemFailure(error, 'Deleting a pack', path);
    }
  }

  return { offer, inPassing, mergeAll, deleteMerged: () => deleteAll(merged) };
}

const PACKS_AT_ONCE = 20;
/** Each small pack that a new client must search costs it four round trips. */
const LEFTOVERS = 10;
const SMALL_BYTES = 256 * 1024;
const LONG_TURN_MS = 10;
/** In the end each large pack is more than so many times as large as the next smaller one: so they are few. */
const MOST_GROWTH = 4;
/** Of all packs of one merge: they are in memory at once, and their objects as well. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Readers that hold an old list look again when a pack is gone; this spares most of them. */
const GRACE_MS = 10_000;

function namesOf(packs: readonly { name: string }[]): string[] {
  return packs.map(({ name }) => name);
}

/**
 * Which packs to merge next, of packs in the order of their size: as many as fit in memory, from the smallest on that
 * has a neighbour not many times as large. So each object is copied few times, and few packs are left.
 */
function nextGroup(packs: readonly StoredPack[]): StoredPack[] {
  for (let start = 0; start < packs.length; start += 1) {
    const group = groupFrom(packs.slice(start));
    if (group.length > 1) return group;
  }
  return [];
}

function groupFrom(packs: readonly StoredPack[]): StoredPack[] {
  const group: StoredPack[] = [];
  let bytes = 0;
  for (const pack of packs) {
    if (group.length === 2 * PACKS_AT_ONCE || bytes + pack.size > MOST_BYTES) break;
    if (bytes > 0 && pack.size > Math.max(MOST_GROWTH * bytes, SMALL_BYTES)) break;
    group.push(pack);
    bytes += pack.size;
  }
  return group;
}
