import { WikiError } from '../../contract/errors.ts';
import type { OpenIndex, SearchQuery, SearchResult } from '../../core/index-port.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import type { Embedder } from './embedder.ts';
import type { PageVectors } from './page-vectors.ts';
import { type Vector, vectorOf } from './vectors.ts';

/**
 * The same index, whose searches for words also find pages that mean the same in other words. It answers by words alone
 * where there are no vectors, and says so.
 */
export function withMeaning(
  index: OpenIndex,
  embedder: Embedder,
  vectors: PageVectors,
  pauseMs = PAUSE_MS,
): OpenIndex {
  const questions = new Map<string, Vector | null>();
  let lastFailure = { reason: '', until: 0 };

  async function questionOf({ query, signal }: SearchQuery): Promise<Vector | null> {
    const known = questions.get(query);
    if (known !== undefined) return known;
    const ended = [AbortSignal.timeout(QUESTION_MS), ...(signal === undefined ? [] : [signal])];
    const [values] = await embedder.embed([query], 'query', AbortSignal.any(ended));
    const vector = values === undefined ? null : vectorOf(values);
    if (questions.size >= MAX_QUESTIONS) questions.clear();
    questions.set(query, vector);
    return vector;
  }

  async function alikeTo(
    query: SearchQuery,
  ): Promise<Pick<SearchQuery, 'alike'> & Pick<SearchResult, 'byWords'>> {
    const { missing, failed } = await vectors.cover(query.commit, query.folders);
    const { reason, until } = lastFailure;
    if (performance.now() < until && !questions.has(query.query)) return { byWords: { pages: null, reason } };
    try {
      const question = await questionOf(query);
      const alike = question === null ? [] : await inTurns(vectors.alike(question, query.folders));
      return { alike, ...(missing > 0 && { byWords: { pages: missing, reason: failed } }) };
    } catch (error) {
      if (!(error instanceof WikiError) || error.code !== 'backend_unavailable') throw error;
      const reason = error.text.happened;
      // A caller that gave up says nothing about the provider.
      if (query.signal?.aborted !== true) lastFailure = { reason, until: performance.now() + pauseMs };
      return { byWords: { pages: null, reason } };
    }
  }

  return {
    ...index,
    async search(query) {
      if (query.mode === 'regex' || SYNTAX.test(query.query)) return index.search(query);
      const { byWords, ...alike } = query.isPast ? { byWords: PAST } : await alikeTo(query);
      return { ...(await index.search({ ...query, ...alike })), ...(byWords !== undefined && { byWords }) };
    },
    async close() {
      try {
        await vectors.close();
      } finally {
        await index.close();
      }
    },
  };
}

const PAST = { pages: null, reason: 'Only the newest pages have vectors.' };
/** Quotation marks and beginnings of words ask for words, and so does every letter that somebody types into a search field. */
const SYNTAX = /["“„«「『*]/;
/** A provider that fails is left alone for so long: a silent one would hold up each search. */
const PAUSE_MS = 3_000;
/** A search waits so long for the vector of its question. */
const QUESTION_MS = 2_000;
/** For the further pages of a search. */
const MAX_QUESTIONS = 100;
