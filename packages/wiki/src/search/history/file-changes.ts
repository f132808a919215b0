import type { Oid } from '../../contract/ids.ts';
import type { FileChange, Repository } from '../../core/ports.ts';

/**
 * The files that differ between two commits. If `from` is null these are all files. They are yielded one by
 * one: there may be very many, and they need not be in memory at once.
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
