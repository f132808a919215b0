import type { Input } from '../../../contract/operations.ts';
import { endOf, startOf } from '../../../contract/periods.ts';
import { decodeCursor } from '../../cursor.ts';
import type { PageFilter } from '../../index-port.ts';
import { isHidden } from '../../paths/page-path.ts';
import type { Repository } from '../../ports.ts';

type Filtered = Omit<Input<'list_pages'>, 'wiki' | 'sort' | 'limit' | 'cursor'>;

/** The filter that the arguments of a list or a search ask for. */
export function pageFilter(query: Filtered): PageFilter {
  return {
    prefix: query.prefix ?? '',
    // An empty string counts as no tag, like an empty prefix.
    tag: query.tag || undefined,
    updatedSince: startOf(query.updated_since),
    updatedUntil: endOf(query.updated_until),
    author: query.author || undefined,
    agent: query.agent || undefined,
    property: query.property || undefined,
    withoutHidden: !isHidden(query.prefix ?? ''),
  };
}

/** The commit and the offset that a cursor names; without one, the beginning at the newest commit. */
export async function startingAt(
  cursor: string | undefined,
  query: Readonly<Record<string, unknown>>,
  repository: Repository,
): Promise<ReturnType<typeof decodeCursor> | { commit: null; offset: number; shown: readonly string[] }> {
  if (cursor) return decodeCursor(cursor, query);
  return { commit: (await repository.head()).commit, offset: 0, shown: [] };
}
