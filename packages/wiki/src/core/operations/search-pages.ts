import type { Input, Output } from '../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';

export async function searchPages(
  { repository, index, call }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'search_pages'>,
): Promise<Output<'search_pages'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null) return { commit, hits: [], total: 0, next_cursor: null };

  await index.catchUp(commit, call.progress, call.signal);
  const { rows, total } = await index.search({
    commit,
    query: query.query,
    mode: query.mode,
    prefix: query.prefix ?? '',
    // Empty it is none, as an empty prefix is.
    tag: query.tag || undefined,
    contextLines: query.context_lines,
    offset,
    limit,
  });
  const hits = rows.slice(0, countThatFits(rows));
  const next = offset + hits.length;
  const isLast = hits.length === 0 || next >= total;
  return { commit, hits, total, next_cursor: isLast ? null : encodeCursor({ commit, offset: next }, query) };
}
