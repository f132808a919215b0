import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { encodeCursor } from '../../cursor.ts';
import type { Index, SearchHit, SearchResult } from '../../index-port.ts';
import { successorsFirst, successorsOf } from '../../pages/successors.ts';
import { searchPassages } from '../../passages/search-passages.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { pageFilter, startingAt } from './page-filter.ts';

export async function searchPages(
  { repository, index, call }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'search_pages'>,
): Promise<Output<'search_pages'>> {
  const isPassages = query.mode === 'passages';
  if (!isPassages && query.max_bytes !== undefined) throw onlyForPassages();
  const { commit, offset } = await startingAt(cursor, query, repository);
  if (commit === null) return { commit, hits: [], total: 0, next_cursor: null };

  await index.catchUp(commit, call.progress, call.signal);
  const found = await index.search({
    commit,
    query: query.query,
    mode: query.mode === 'regex' ? 'regex' : 'words',
    ...pageFilter(query),
    contextLines: query.context_lines,
    offset,
    limit: isPassages ? Math.min(limit, MAX_PAGES_OF_PASSAGES) : limit,
    signal: call.signal,
  });
  const { total, partly, byWords } = found;
  const rows = await withSuccessors(index, commit, found.rows);
  const answer = (hits: Hit[], next: number, note: string | null) => ({
    commit,
    // Matches of an expression are in the order of the pages.
    hits: query.mode === 'regex' ? hits : successorsFirst(hits),
    total,
    next_cursor: rows.length === 0 || next >= total ? null : encodeCursor({ commit, offset: next }, query),
    ...(note !== null && { note }),
  });
  if (isPassages) {
    const budget = (query.max_bytes ?? limits.passagesDefaultBytes) - BYTES_AROUND_HITS;
    const snapshot = await repository.at(commit);
    const { hits, note } = await searchPassages(snapshot, successorsFirst(rows), found.wordsIn, budget);
    return answer(hits, offset + rows.length, sentences(note, describeWords(byWords)));
  }
  const hits = rows.slice(0, countThatFits(rows));
  return answer(hits, offset + hits.length, sentences(describePart(partly), describeWords(byWords)));
}

type Hit = Output<'search_pages'>['hits'][number];

async function withSuccessors(index: Index, commit: Oid, rows: readonly SearchHit[]): Promise<Hit[]> {
  const successors = await successorsOf(index, commit, rows);
  return rows.map(({ supersededBy: _, ...row }) => {
    const successor = successors.get(row.path);
    return successor === undefined ? row : { ...row, superseded_by: successor };
  });
}

/** The best passages stand on the best pages; each page is read whole. */
const MAX_PAGES_OF_PASSAGES = 20;
/** The commit, the total, the cursor, and the names of all fields. */
const BYTES_AROUND_HITS = 300;

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
