import { join } from 'node:path';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainEnd } from '../commits/chain-link.ts';
import { REQUEST_AGE_LIMIT } from '../commits/requests.ts';
import { removeTree } from '../files/directories.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import { isGone } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import type { BranchRef } from '../native-git/branch-ref.ts';
import type { ExternalRefs } from '../native-git/external-refs.ts';
import { indexPacks } from '../packs/merging/index-packs.ts';
import type { PackMerger } from '../packs/merging/pack-merger.ts';
import { deleteRetiredPacks } from '../packs/merging/retired-packs.ts';
import { holdsMissing } from '../repair/packs/damaged-packs.ts';
import { readingStored } from '../repair/packs/stored-objects.ts';
import type { ObjectReader, TidyReport } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { removeGarbagePacks } from './garbage-packs.ts';
import { releasePacks } from './release-packs.ts';

export interface TidyParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  merger: PackMerger;
  objects: ObjectReader;
  shared: boolean;
  /** A link of the chain whose commit the branch ref reaches, or null while the chain is empty. */
  reached: ChainEnd;
  ref: BranchRef;
  externalRefs: ExternalRefs;
  /** Records that from now on there is one index over all packs. */
  markIndexed(): Promise<void>;
}

/** See Storage.tidy. Several processes may do each step at once, and any step may be left half done. */
export async function tidy(parts: TidyParts, goOn: (report: TidyReport) => boolean): Promise<TidyReport> {
  const { fs, host, layout, shared, chain, merger, objects, reached, markIndexed } = parts;
  const report: TidyReport = {
    packsBefore: 0,
    packs: 0,
    garbagePacksRemoved: 0,
    requestsForgotten: 0,
    temporaryFilesDeleted: 0,
    debtPacks: 0,
    debtBytes: 0,
  };
  if (reached && !shared) await releasePacks({ fs, host, layout, chain, objects, reached });
  // Done before the merge, which would copy this garbage.
  report.garbagePacksRemoved = await removeGarbagePacks(parts);
  await deleteRetired({ fs, host, layout, shared }, () => goOn({ ...report }));
  const { before, after, debtPacks, debtBytes } = await merger.mergeAll((packs) => {
    report.packs = packs;
    return goOn({ ...report });
  });
  report.packsBefore = before;
  report.packs = after;
  report.debtPacks = debtPacks;
  report.debtBytes = debtBytes;
  for (const bucket of await list(fs, layout.requests)) {
    if (!isForgotten(bucket, host.now())) continue;
    if (!goOn({ ...report })) return report;
    report.requestsForgotten += await removeBucket(fs, join(layout.requests, bucket));
  }
  report.temporaryFilesDeleted = await removeOldFiles(fs, layout.temporary, host.now() - TEMPORARY_AGE);
  // Done last: it only makes reads faster, and takes the most memory and time of the remaining steps.
  if (shared && (await indexPacks({ fs, host, layout }, () => goOn({ ...report })))) await markIndexed();
  return report;
}

async function deleteRetired(
  { fs, host, layout, shared }: Pick<TidyParts, 'fs' | 'host' | 'layout' | 'shared'>,
  goOn: () => boolean,
): Promise<void> {
  const directory = layout.packs;
  const isCopied = (name: string) =>
    readingStored(
      fs,
      layout.gitDirectory,
      async (stored) => !(await holdsMissing(fs, directory, name, stored)),
    );
  try {
    const files = new Set(await fs.readdir(directory));
    await deleteRetiredPacks({ fs, host, directory, shared, files }, isCopied, goOn);
  } catch (error) {
    throw fileSystemFailure(error, 'Deleting retired packs', directory);
  }
}

/**
 * A process that still needs an older temporary file fails its attempt or makes the file again: that costs
 * time and loses nothing.
 */
const TEMPORARY_AGE = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/**
 * True for the entries of an hour whose ids have been refused for a day. A bucket without an hour holds ids
 * without an age, which are kept for ever.
 */
function isForgotten(bucket: string, now: number): boolean {
  const hour = /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(bucket) ? Date.parse(`${bucket}:00:00Z`) : Number.NaN;
  return now > hour + HOUR + 2 * REQUEST_AGE_LIMIT;
}

async function removeBucket(fs: FileSystem, path: string): Promise<number> {
  const entries = await list(fs, path);
  await removing(path, () => removeTree(fs, path));
  return entries.length;
}

async function removeOldFiles(fs: FileSystem, directory: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of await list(fs, directory)) {
    const path = join(directory, name);
    const isOld = await removing(path, async () => (await fs.lstat(path)).modifiedMs < before);
    if (!isOld) continue;
    await removing(path, () => removeTree(fs, path));
    removed += 1;
  }
  return removed;
}

async function list(fs: FileSystem, directory: string): Promise<string[]> {
  return (await removing(directory, () => fs.readdir(directory))) ?? [];
}

/** Undefined if another process removed the file or directory first. */
async function removing<T>(path: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    // Another process made a new entry in a directory while it was removed: the next maintenance removes it.
    if (isGone(error) || errorName(error) === 'ENOTEMPTY') return undefined;
    throw fileSystemFailure(error, 'Tidying up', path);
  }
}
