import type { Oid } from '../contract/ids.ts';
import type { FileChange, Repository } from '../core/ports.ts';

/**
 * The files that differ between two commits. Where `from` is null these are all files, which come one by one: they
 * may be very many, and need not be in memory at once.
 */
export async function* fileChanges(
  repository: Repository,
  from: Oid | null,
  to: Oid,
): AsyncGenerator<FileChange> {
  if (from !== null) {
    yield* await repository.changes(from, to);
    return;
  }
  for await (const after of (await repository.at(to)).files())
    yield { path: after.path, before: null, after };
}
