import { join } from 'node:path';
import type { Oid } from '../../../formats/oid.ts';
import type { EncodedPack } from '../../../formats/packs/pack.ts';
import { type Yield, yielding } from '../../../scheduling/yielding.ts';
import { syncDirectory } from '../../files/durable-file.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { type Host, randomName } from '../../files/host.ts';
import { isGone } from '../../files/unless-gone.ts';
import { readWholeFile } from '../../files/whole-file.ts';
import { fileSystemFailure, isTooLarge, StorageError } from '../../storage-error.ts';
import { landPack } from '../land-pack.ts';
import { PackListing, type StoredPack } from '../pack-listing.ts';
import { mergePacks, TURN_MS } from './combine-packs.ts';
import { isGitAtWork } from './git-at-work.ts';
import {
  type MergeRoom,
  mergeRoom,
  readPackSource,
  type SourceEntry,
  writtenPackSource,
} from './pack-source.ts';
import { deleteRetiredPacks, retirePack } from './retired-packs.ts';

/** Merges many packs into few. Any number of processes may do so at once, and each may stop at any point. */
export interface PackMerger {
  /**
   * Offers a pack that this process landed and that nobody keeps: it is soon merged with others like it. Null
   * for a large pack, which is not merged this way.
   */
  offer(name: Oid, pack: EncodedPack | null): void;
  /**
   * Does a writer's share of the merging: at most one merge of about 20 packs, once every 20 writes or so.
   * Returns whether it merged.
   */
  inPassing(): Promise<boolean>;
  /**
   * Merges until there are few packs. Returns the number of packs before and after. Calls `goOn` before each
   * step.
   */
  mergeAll(goOn: (packsLeft: number) => boolean): Promise<Merged>;
  /**
   * Retires merged packs, even before readers had time to notice. Does nothing while native git is at work
   * there.
   */
  retireMerged(): Promise<void>;
}

export interface Merged {
  before: number;
  after: number;
  /** Packs that still wait to be merged, and their bytes. */
  debtPacks: number;
  debtBytes: number;
}

export interface PackMergerOptions {
  fs: FileSystem;
  host: Host;
  /** `objects/pack`. */
  directory: string;
  shared: boolean;
  /** Runs before packs lose their index. If it throws, they keep it. */
  beforeRetiring(): Promise<void>;
  objects: { replacePacks(name: string, replaced: readonly string[]): Promise<void> };
}

export function openPackMerger(options: PackMergerOptions): PackMerger {
  const { fs, host, directory, shared, beforeRetiring, objects } = options;
  const listing = new PackListing(fs, directory);
  const own = new Map<Oid, EncodedPack>();
  /** Sound packs that hold too much to be merged: finding that out again would mean unpacking them again. */
  const refused = new Set<string>();
  let merged: { name: string; into: string; since: number }[] = [];
  let landedSinceListing = PACKS_AT_ONCE;

  function offer(name: Oid, pack: EncodedPack | null): void {
    landedSinceListing += 1;
    if (pack) own.set(name, pack);
  }

  async function inPassing(): Promise<boolean> {
    await retireAll(merged.filter(({ since }) => host.now() - since > GRACE_MS));
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

  /** Merges packs of other processes. Most of these ended before they had enough packs of their own. */
  async function mergeLeftovers(): Promise<boolean> {
    const others = mergeable(await list((name) => own.has(name)));
    const small = others.filter(({ size }) => size < SMALL_BYTES);
    await deleteRetired();
    if (small.length < LEFTOVERS) return false;
    await merge(small.slice(0, PACKS_AT_ONCE));
    return true;
  }

  async function mergeAll(goOn: (packsLeft: number) => boolean): Promise<Merged> {
    own.clear();
    await retireAll(merged);
    const before = (await list()).length;
    for (let last = Number.POSITIVE_INFINITY; ; ) {
      const all = await list();
      const packs = mergeable(all);
      const group = nextGroup(packs);
      // If another process merges as well, or a pack cannot be read, the number of packs need not fall.
      const isDone = group.length < 2;
      if (isDone || packs.length >= last || !goOn(all.length)) {
        const debt = isDone ? [] : packs.filter(({ size }) => size < MAX_BYTES);
        const debtBytes = debt.reduce((bytes, { size }) => bytes + size, 0);
        return { before, after: all.length, debtPacks: debt.length, debtBytes };
      }
      last = packs.length;
      await merge(group);
      await retireAll(merged);
    }
  }

  /** The packs that a merge may retire, smallest first. */
  async function list(isLeftOut = (_name: string) => false): Promise<StoredPack[]> {
    const doomed = new Set(namesOf(merged));
    const packs = await listing.list((name) => doomed.has(name) || isLeftOut(name));
    return packs.filter((pack) => !pack.kept).sort((a, b) => a.size - b.size);
  }

  function mergeable(packs: readonly StoredPack[]): StoredPack[] {
    return packs.filter(({ name }) => !refused.has(name));
  }

  async function merge(packs: readonly { name: string; written?: EncodedPack }[]): Promise<void> {
    // Beside writes that hardly wait for the disk, a merge gets few turns. If packs pile up, each turn is a
    // long one.
    const pause = yielding(own.size < 2 * PACKS_AT_ONCE ? TURN_MS : LONG_TURN_MS);
    const read = await readSources(packs, pause);
    if (read.length < 2) return;
    const name = `${randomName(host)}${randomName(host)}`.slice(0, 40);
    const sources = read.map(({ entries }) => entries);
    await landPack(fs, directory, name, await mergePacks(sources, pause));
    if (!shared) await syncDirectory(fs, directory);
    // Only packs that were copied whole and lie there durably.
    const copied = namesOf(read);
    await objects.replacePacks(name, copied);
    merged.push(...copied.map((copy) => ({ name: copy, into: name, since: host.now() })));
  }

  /** As many of the packs as fit into memory together. */
  async function readSources(
    packs: readonly { name: string; written?: EncodedPack }[],
    pause: Yield,
  ): Promise<{ name: string; entries: SourceEntry[] }[]> {
    const read: { name: string; entries: SourceEntry[] }[] = [];
    const room = mergeRoom();
    for (const { name, written } of packs) {
      const before = room.bytes;
      const entries = await readSource(name, written, room);
      if (entries === 'too much') {
        room.bytes = before;
        if (!passOver(name, read, before < mergeRoom().bytes / 2)) return read;
      } else if (entries !== null) read.push({ name, entries });
      await pause();
    }
    return read;
  }

  /** Skips a pack that does not fit beside those already read. Returns whether to go on with the next one. */
  function passOver(name: string, read: { name: string }[], isHalfFull: boolean): boolean {
    // A pack that does not fit beside several others is merged another time.
    if (read.length > 1) return false;
    // If two packs do not fit together, the larger one hardly fits beside any other.
    const first = isHalfFull ? read.pop() : undefined;
    refused.add(first?.name ?? name);
    return first === undefined;
  }

  /**
   * Null if the pack is damaged, which a check of the wiki reports, or was deleted since, for example by
   * another merge.
   */
  async function readSource(
    name: string,
    written: EncodedPack | undefined,
    room: MergeRoom,
  ): Promise<SourceEntry[] | 'too much' | null> {
    const path = join(directory, `pack-${name}`);
    try {
      if (written) return writtenPackSource(path, written, room);
      const pack = await readWholeFile(fs, `${path}.pack`);
      const index = await readWholeFile(fs, `${path}.idx`);
      return readPackSource(path, pack, index, room);
    } catch (error) {
      if (isTooLarge(error)) return 'too much';
      if (error instanceof StorageError && error.code === 'corrupt_pack') return null;
      if (isGone(error)) return null;
      throw fileSystemFailure(error, 'Reading a pack to merge it', path);
    }
  }

  async function retireAll(due: typeof merged): Promise<void> {
    if (due.length === 0 || (!shared && (await isGitAtWork(fs, host, directory)))) return;
    await beforeRetiring();
    merged = merged.filter((pack) => !due.includes(pack));
    try {
      await Promise.all(due.map((pack) => retirePack(fs, directory, { ...pack, now: host.now() })));
    } catch (error) {
      throw fileSystemFailure(error, 'Retiring merged packs', directory);
    }
  }

  /**
   * For wikis that nobody maintains. Deletes few packs at once, and none that would have to be read first.
   */
  async function deleteRetired(): Promise<void> {
    const { files } = listing;
    try {
      await deleteRetiredPacks(
        { fs, host, directory, shared, files },
        async () => false,
        (deleted) => deleted < 2 * PACKS_AT_ONCE,
      );
    } catch (error) {
      throw fileSystemFailure(error, 'Deleting retired packs', directory);
    }
  }

  return { offer, inPassing, mergeAll, retireMerged: () => retireAll(merged) };
}

const PACKS_AT_ONCE = 20;
/** Each small pack that a new client must search costs it four round trips. */
const LEFTOVERS = 10;
const SMALL_BYTES = 256 * 1024;
const LONG_TURN_MS = 10;
/**
 * In the end each large pack is more than this many times as large as the next smaller one, so there are few.
 */
const MAX_GROWTH = 4;
/** Limits the packs of one merge: they and their objects are in memory at once. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A reader with an outdated list looks again if a pack is gone. This delay spares most readers that. */
const GRACE_MS = 10_000;

/**
 * True if the pack is to be merged with the next ones of this process, and to be kept in memory until then.
 */
export function isSmall({ packBytes, objects }: EncodedPack): boolean {
  return packBytes.length < SMALL_BYTES && objects.every(({ object }) => object !== null);
}

function namesOf(packs: readonly { name: string }[]): string[] {
  return packs.map(({ name }) => name);
}

/**
 * Chooses the packs to merge next, from packs sorted by size: as many as fit in memory, starting with the
 * smallest one whose neighbour is not many times as large. So each object is copied few times, and few packs
 * are left.
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
    if (group.length === 2 * PACKS_AT_ONCE || bytes + pack.size > MAX_BYTES) break;
    if (bytes > 0 && pack.size > Math.max(MAX_GROWTH * bytes, SMALL_BYTES)) break;
    group.push(pack);
    bytes += pack.size;
  }
  return group;
}
