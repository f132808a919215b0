import type { Input, Output } from '../../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

export async function listTags(
  { repository, index, call }: Session,
  { cursor }: Input<'list_tags'>,
): Promise<Output<'list_tags'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, QUERY)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null) return { commit, tags: [], total: 0, next_cursor: null };
  await index.catchUp(commit, call.progress, call.signal);
  const { rows, total } = await index.tags({ commit, offset, limit: LIMIT, signal: call.signal });
  const tags = rows.slice(0, countThatFits(rows));
  const next = offset + tags.length;
  const isLast = tags.length === 0 || next >= total;
  return {
    commit,
    tags,
    total,
    next_cursor: isLast ? null : encodeCursor({ commit, offset: next }, QUERY),
  };
}

/** There is only one list of tags. */
const QUERY = 'tags';
/** As many tags as a person looks through on one page. */
const LIMIT = 1_000;
