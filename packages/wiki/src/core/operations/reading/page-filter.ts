import type { Oid } from '../../../contract/ids.ts';
import type { Input } from '../../../contract/operations.ts';
import { endOf, startOf } from '../../../contract/periods.ts';
import { commitAt } from '../../commit-at.ts';
import { decodeCursor, type Place } from '../../cursor.ts';
import type { PageFilter } from '../../index-port.ts';
import { isHidden } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';

type Filtered = Omit<Input<'list_pages'>, 'wiki' | 'sort' | 'limit' | 'cursor'>;

/** The filter that the arguments of a list or a search ask for, if it began at this time. */
export function pageFilter(query: Filtered, began: number): PageFilter {
  const now = new Date(began);
  return {
    prefix: query.prefix ?? '',
    // An empty string counts as no tag, like an empty prefix.
    tag: query.tag || undefined,
    updatedSince: startOf(query.updated_since, now),
    updatedUntil: endOf(query.updated_until, now),
    author: query.author || undefined,
    agent: query.agent || undefined,
    property: query.property || undefined,
    withoutHidden: !isHidden(query.prefix ?? ''),
  };
}

/**
 * The commit and the offset that a cursor names; without one, the beginning at `at` or at the newest commit. The index is
 * ready for it then.
 */
export async function startingAt(
  session: Session,
  cursor: string | undefined,
  query: Readonly<Record<string, unknown>> & { at?: string | undefined },
): Promise<Omit<Place, 'commit' | 'began'> & { commit: Oid | null; began: number }> {
  const { repository, index, call } = session;
  const begin = async () => {
    const head = (await repository.head()).commit;
    if (query.at === undefined) return head;
    // First, so that the index is not built for a commit of the past.
    if (head !== null) await index.catchUp(head, call.progress, call.signal);
    return commitAt(session, query.at);
  };
  const now = session.now();
  const place = cursor
    ? decodeCursor(cursor, query)
    : { commit: await begin(), offset: 0, shown: [], said: [], began: now };
  if (place.commit !== null) await index.standAt(place.commit, call.progress, call.signal);
  return { ...place, began: place.began ?? now };
}
