import type { Input, Output } from '../../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { mediaTypeOf } from '../../pages/attachments.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

export async function listAttachments(
  { repository, index, call }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'list_attachments'>,
): Promise<Output<'list_attachments'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null) return { commit, attachments: [], total: 0, next_cursor: null };

  await index.catchUp(commit, call.progress, call.signal);
  const { treePaths } = await index.names(commit);
  const paths = treePaths
    .filter((path) => pagePathOf(path) === null && path.startsWith(query.prefix ?? ''))
    .toSorted();
  const snapshot = await repository.at(commit);
  const rows = await Promise.all(
    paths.slice(offset, offset + limit).map(async (path) => {
      const entry = await snapshot.entry(path);
      return entry === null ? [] : [{ path, version: entry.oid, type: mediaTypeOf(path) }];
    }),
  );
  const attachments = rows.flat();
  const shown = attachments.slice(0, countThatFits(attachments));
  const next = offset + shown.length;
  return {
    commit,
    attachments: shown,
    total: paths.length,
    next_cursor:
      shown.length === 0 || next >= paths.length ? null : encodeCursor({ commit, offset: next }, query),
  };
}
