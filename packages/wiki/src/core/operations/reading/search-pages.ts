import { WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { encodeCursor, keyOf } from '../../cursor.ts';
import type { SearchQuery, SearchResult } from '../../index-port.ts';
import { type Hit, placeSuccessors } from '../../pages/successor-hits.ts';
import { successorsFirst } from '../../pages/successors.ts';
import { searchPassages } from '../../passages/search-passages.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { pageFilter, startingAt } from './page-filter.ts';

export async function searchPages(
  session: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'search_pages'>,
): Promise<Output<'search_pages'>> {
  const isPassages = query.mode === 'passages';
  const mostBytes = query.max_bytes ?? limits.passagesDefaultBytes;
  const mostCursorBytes = isPassages ? mostBytes * CURSOR_SHARE : undefined;
  if (!isPassages && query.max_bytes !== undefined) throw onlyForPassages();
  const { repository, index, call } = session;
  const { commit, offset, shown, said, began } = await startingAt(session, cursor, query);
  if (commit === null) return { commit, hits: [], total: 0, next_cursor: null };

  const search: SearchQuery = {
    commit,
    query: query.query,
    mode: query.mode === 'regex' ? 'regex' : 'words',
    ...pageFilter(query, began),
    contextLines: query.context_lines,
    offset,
    limit: isPassages
      ? Math.min(limit ?? MAX_PAGES_OF_PASSAGES, MAX_PAGES_OF_PASSAGES)
      : (limit ?? limits.searchDefault),
    isPast: query.at !== undefined,
    signal: call.signal,
  };
  // Some of the rows were shown before their turn.
  const found = await index.search({ ...search, limit: search.limit + shown.length });
  const { total, partly, byWords } = found;
  const placed = await placeSuccessors(index, search, found.rows, shown);
  const answer = (hits: Hit[], count: number, note: string | null, newlySaid: readonly string[] = []) => {
    const next = offset + (placed.done[count - 1] ?? found.rows.length);
    const early = placed.hits.slice(0, count).filter((hit) => placed.early.has(hit));
    const place = {
      commit,
      offset: next,
      shown: [...shown, ...early.map(({ path }) => keyOf(path))],
      said: [...said, ...newlySaid],
      began,
    };
    const isLast = found.rows.length === 0 || next >= total;
    return {
      commit,
      hits,
      total,
      next_cursor: isLast ? null : encodeCursor(place, query, mostCursorBytes),
      ...(note !== null && { note }),
    };
  };
  if (isPassages) {
    const early = [...placed.early].map(({ path }) => keyOf(path));
    const place = { commit, offset, shown: [...shown, ...early], said, began };
    const budget = mostBytes - BYTES_AROUND_HITS - encodeCursor(place, query, mostCursorBytes).length;
    const snapshot = await repository.at(commit);
    const passages = await searchPassages(snapshot, placed.hits, found.wordsIn, budget, new Set(said));
    const note = sentences(passages.note, describeWords(byWords));
    return answer(successorsFirst(passages.hits), placed.hits.length, note, passages.said);
  }
  const count = countThatFits(placed.hits);
  const note = sentences(describePart(partly), describeWords(byWords));
  return answer(placed.hits.slice(0, count), count, note);
}

/** The best passages stand on the best pages; each page is read whole. */
const MAX_PAGES_OF_PASSAGES = 20;
/** The commit, the total, and the names of all fields. */
const BYTES_AROUND_HITS = 150;

/** What the cursor may take of an answer with passages. */
const CURSOR_SHARE = 1 / 4;

function sentences(...parts: (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(' ') || null;
}

function describeWords(byWords: SearchResult['byWords']): string | null {
  if (byWords === undefined) return null;
  const { pages, reason } = byWords;
  const scope =
    pages === null
      ? 'The search'
      : `The search of ${pages} ${pages === 1 ? 'page' : 'pages'} without vectors`;
  return `${scope} went by words alone.${reason === null ? '' : ` ${reason}`}`;
}

function describePart(partly: SearchResult['partly']): string | null {
  if (partly === undefined) return null;
  const { searched, cutLines, longestLine } = partly;
  const cut =
    cutLines === 0 ? '' : ` Of ${cutLines} longer lines only the first ${longestLine} characters were.`;
  return `Not everything was searched: the expression takes too long. ${searched} pages were searched to their end.${cut} Give a prefix or a tag, or a simpler expression.`;
}

function onlyForPassages(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'max_bytes limits passages, and this search answers lines.',
    now: 'Nothing was searched.',
    next: 'Give mode passages as well, or leave max_bytes out and give a limit.',
  });
}
