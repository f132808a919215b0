import type { ImportedHistory, ImportOptions } from '../../core/directory-port.ts';
import type { Repository } from '../../core/ports.ts';
import type { Oid } from '../../formats/oid.ts';
import type { PackedHistory } from '../../storage/place-history.ts';
import type { ObjectReader } from '../../storage/storage.ts';
import { Objects } from '../objects.ts';
import { broken } from './bounds.ts';
import { indexPack } from './index-pack.ts';
import { HistoryMeasure } from './measure-history.ts';
import { readBundle } from './read-bundle.ts';

/**
 * Makes a wiki that begins with a history. `inspect` may examine the wiki, and abort, before anybody can see
 * it.
 */
export type CreateWithHistory = (
  history: PackedHistory,
  inspect: (repository: Repository, reader: ObjectReader) => Promise<void>,
) => Promise<boolean>;

/**
 * Judges every object of the bundle, then measures its history in a repository that is made aside. Keeps that
 * repository unless this is a dry run. Throws `invalid_input` and `too_large`.
 */
export async function importBundle(
  bundle: Uint8Array,
  { dryRun, call }: ImportOptions,
  create: CreateWithHistory,
): Promise<ImportedHistory> {
  const { tip, packBytes } = readBundle(bundle);
  call.progress?.(0, 0, 'reading the pack');
  const pack = await indexPack(packBytes, call.signal);
  if (pack.types.get(tip) !== 'commit') throw broken('it does not hold the commit that it names');
  let found: Omit<ImportedHistory, 'isMade'> | null = null;
  const isMade = await create({ tip, pack }, async (repository, reader) => {
    const keptFirst = { read: async (oid: Oid) => pack.kept.get(oid) ?? reader.read(oid) };
    const measure = new HistoryMeasure(new Objects(keptFirst, CACHE_BYTES), call.signal);
    const commits = await measure.measure(tip, (done) => {
      if (done % 1_000 === 0) call.progress?.(done, 0, 'checking commits');
    });
    found = { tip, commits, files: await filesOf(repository) };
    if (dryRun) throw new DryRunEnds();
  }).catch((error: unknown) => {
    if (error instanceof DryRunEnds) return true;
    throw error;
  });
  if (found === null) throw new Error('The imported repository was not inspected.');
  return { isMade, ...(found as Omit<ImportedHistory, 'isMade'>) };
}

/** Thrown to abort the making of the repository, which leaves nothing behind. */
class DryRunEnds extends Error {}

async function filesOf(repository: Repository): Promise<string[]> {
  const files: string[] = [];
  // The first look at the head begins the chain with the history.
  for await (const { path } of (await repository.head()).files()) files.push(path);
  return files;
}

const CACHE_BYTES = 4_000_000;
