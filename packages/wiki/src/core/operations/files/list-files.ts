import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { Repository } from '../../ports.ts';
import type { Session } from '../../session.ts';

/** Needs no index: the caller may ask several times a second, and mostly nothing has changed. */
export async function listFiles(
  { repository }: Session,
  { cursor, wiki: _wiki, ...query }: Input<'list_files'>,
): Promise<Output<'list_files'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null || commit === query.known) return { commit, files: [], next_cursor: null };
  const files = await filesSince(repository, query.known, commit);
  const next = offset + MAX_LISTED;
  return {
    commit,
    files: files.slice(offset, next),
    next_cursor: next < files.length ? encodeCursor({ commit, offset: next }, query) : null,
  };
}

async function filesSince(
  repository: Repository,
  known: Oid | undefined,
  commit: Oid,
): Promise<{ path: string; version: Oid | null }[]> {
  if (known !== undefined) {
    const { files } = await repository.visibleChanges(known, commit);
    return files.map(({ path, after }) => ({ path, version: after?.oid ?? null }));
  }
  const all: { path: string; version: Oid }[] = [];
  const snapshot = await repository.at(commit);
  for await (const { path, oid } of snapshot.files()) all.push({ path, version: oid });
  return all;
}

const MAX_LISTED = 5_000;
