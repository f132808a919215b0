import type { Input, Output } from '../../../contract/operations.ts';
import { encodeCursor } from '../../cursor.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { startingAt } from './page-filter.ts';

export async function listTags(
  session: Session,
  { cursor, wiki: _wiki, ...query }: Input<'list_tags'>,
): Promise<Output<'list_tags'>> {
  const { commit, offset } = await startingAt(session, cursor, query);
  if (commit === null) return { commit, tags: [], total: 0, next_cursor: null };
  const { index, call } = session;
  const { rows, total } = await index.tags({ commit, offset, limit: LIMIT, signal: call.signal });
  const tags = rows.slice(0, countThatFits(rows));
  const next = offset + tags.length;
  const isLast = tags.length === 0 || next >= total;
  return {
    commit,
    tags,
    total,
    next_cursor: isLast ? null : encodeCursor({ commit, offset: next }, query),
  };
}

/** As many tags as a person looks through on one page. */
const LIMIT = 1_000;
