import { join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import type { ChainEnd } from '../chain/chain-link.ts';
import { REQUEST_AGE_LIMIT } from '../chain/requests.ts';
import { removeTree } from '../files/directories.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { indexPacks } from '../objects/index-packs.ts';
import type { PackMerger } from '../objects/pack-merger.ts';
import type { MaintenanceReport, ObjectReader } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { removeGarbagePacks } from './garbage-packs.ts';
import { releasePacks } from './release-packs.ts';

export interface MaintenanceParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  merger: PackMerger;
  objects: ObjectReader;
  shared: boolean;
  /** A link of the chain whose commit the branch ref reaches, null where the chain is empty. */
  reached: ChainEnd;
  /** There is one index over all packs from now on. */
  markIndexed(): Promise<void>;
}

/** See Storage.maintain. Each step may be done by several processes at once, and left half done. */
export async function maintain(
  { fs, host, layout, shared, chain, merger, objects, reached, markIndexed }: MaintenanceParts,
  goOn: (report: MaintenanceReport) => boolean,
): Promise<MaintenanceReport> {
  const report: MaintenanceReport = {
    packsBefore: 0,
    packs: 0,
    garbagePacksRemoved: 0,
    requestsForgotten: 0,
    temporaryFilesDeleted: 0,
  };
  if (reached && !shared) await releasePacks({ fs, layout, chain, objects, reached });
  // Before the merge, which would copy it.
  report.garbagePacksRemoved = await removeGarbagePacks({ fs, host, layout, chain, shared });
  const { before, after } = await merger.mergeAll((packs) => {
    report.packs = packs;
    return goOn({ ...report });
  });
  report.packsBefore = before;
  report.packs = after;
  for (const bucket of await list(fs, layout.requests)) {
    if (!isForgotten(bucket, host.now())) continue;
    if (!goOn({ ...report })) return report;
    report.requestsForgotten += await removeBucket(fs, join(layout.requests, bucket));
  }
  report.temporaryFilesDeleted = await removeOldFiles(fs, layout.temporary, host.now() - TEMPORARY_AGE);
  // Last, as it only makes reads quicker, and takes the most memory and time of all that is left to do.
  if (shared && (await indexPacks({ fs, host, layout }, () => goOn({ ...report })))) await markIndexed();
  return report;
}

/** Whoever still needs an older one fails its attempt, or makes it again: this costs time, and loses nothing. */
const TEMPORARY_AGE = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** A day after ids of that hour are refused. What is no hour holds ids without an age, which are kept for ever. */
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

/** Undefined where what is looked at was removed by another process. */
async function removing<T>(path: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const name = errorName(error);
    // Somebody made a new entry in a directory while it was removed: the next maintenance takes it.
    if (name === 'ENOENT' || name === 'ESTALE' || name === 'ENOTEMPTY') return undefined;
    throw fileSystemFailure(error, 'Tidying up', path);
  }
}
