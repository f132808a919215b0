import type { ImportedHistory, ImportOptions, Repository } from '../core/ports.ts';
import type { PackedHistory } from '../storage/chain/place-history.ts';
import type { ObjectReader, Oid } from '../storage/storage.ts';
import { broken, cancelled, parseBundle } from './bundle.ts';
import { EMPTY_TREE, Objects } from './objects.ts';
import { reachable } from './reachable.ts';

/** Makes a wiki that begins with a history; `inspect` may look at it, and end it, before anybody can see it. */
export type CreateWithHistory = (
  history: PackedHistory,
  inspect: (repository: Repository, reader: ObjectReader) => Promise<void>,
) => Promise<boolean>;

/** Proves the bundle complete in a repository that is made aside, and keeps that unless this is a dry run. */
export async function importBundle(
  bundle: Uint8Array,
  { dryRun, call }: ImportOptions,
  create: CreateWithHistory,
): Promise<ImportedHistory> {
  const { tip, packBytes } = parseBundle(bundle);
  call.progress?.(0, 0, 'reading the pack');
  const { indexPack } = await import('./index-pack.ts');
  const pack = await indexPack(packBytes);
  if (!pack.oids.has(tip)) throw broken('it does not hold the commit that it names');
  let found: Omit<ImportedHistory, 'isMade'> | null = null;
  const isMade = await create({ tip, pack }, async (repository, reader) => {
    const commits = await countCommits(reader, tip, pack.oids, call);
    found = { tip, commits, files: await filesOf(repository) };
    if (dryRun) throw new DryRunEnds();
  }).catch((error: unknown) => {
    if (error instanceof DryRunEnds) return true;
    throw error;
  });
  if (found === null) throw new Error('The imported repository was not inspected.');
  return { isMade, ...(found as Omit<ImportedHistory, 'isMade'>) };
}

/** Ends the making of the repository, which leaves nothing behind. */
class DryRunEnds extends Error {}

/** Walks the whole history: what is missing would be found out only when somebody reads it. */
async function countCommits(
  reader: ObjectReader,
  tip: Oid,
  oids: ReadonlySet<Oid>,
  { signal, progress }: ImportOptions['call'],
): Promise<number> {
  let commits = 0;
  let checked = 0;
  for await (const { oid, type } of reachable(new Objects(reader, CACHE_BYTES), tip)) {
    if (signal?.aborted) throw cancelled();
    if (!oids.has(oid) && oid !== EMPTY_TREE) throw broken(`it lacks the ${type} ${oid}`);
    if (type === 'commit') commits += 1;
    checked += 1;
    if (checked % 1_000 === 0) progress?.(checked, oids.size, 'checking objects');
  }
  return commits;
}

async function filesOf(repository: Repository): Promise<string[]> {
  const files: string[] = [];
  // The first look at the head begins the chain with the history.
  for await (const { path } of (await repository.head()).files()) files.push(path);
  return files;
}

const CACHE_BYTES = 4_000_000;
