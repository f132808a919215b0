import type { Input, Output } from '../../../contract/operations.ts';
import { encodeCursor } from '../../cursor.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { pageFilter, startingAt } from './page-filter.ts';

export async function listPages(
  session: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'list_pages'>,
): Promise<Output<'list_pages'>> {
  const { commit, offset, began } = await startingAt(session, cursor, query);
  if (commit === null) return { commit, pages: [], total: 0, next_cursor: null };

  const { rows, total } = await session.index.list({
    commit,
    ...pageFilter(query, began),
    sort: query.sort,
    offset,
    limit,
  });
  const listed = rows.map(({ supersededBy: _, ...row }) => ({ ...row, updated: row.updated.toISOString() }));
  const pages = listed.slice(0, countThatFits(listed));
  const next = offset + pages.length;
  const isLast = pages.length === 0 || next >= total;
  const place = { commit, offset: next, began };
  return { commit, pages, total, next_cursor: isLast ? null : encodeCursor(place, query) };
}
