import type { Output } from '../../contract/operations.ts';
import { keyOf } from '../cursor.ts';
import type { Index, SearchHit, SearchQuery } from '../index-port.ts';
import { successorsOf } from './successors.ts';

export type Hit = Output<'search_pages'>['hits'][number];

export interface PlacedHits {
  hits: Hit[];
  /** For each hit the number of rows of the search that are done with it. */
  done: number[];
  /** The hits that come before their turn: a further answer leaves them out. */
  early: ReadonlySet<Hit>;
}

/**
 * The hits for the rows of a search, at most `query.limit`, each superseded page after the page that takes its place: moved
 * up from below, or brought in if the search does not find it. A page that the filters of the search leave out is not
 * brought in. Matches of an expression stay in the order of the pages. `shown` has the keys of the hits that earlier answers had before their turn.
 */
export async function placeSuccessors(
  index: Index,
  query: SearchQuery,
  rows: readonly SearchHit[],
  shown: readonly string[],
): Promise<PlacedHits> {
  const successors = await successorsOf(index, query.commit, rows);
  const hitOf = ({ supersededBy: _, ...row }: SearchHit): Hit => {
    const successor = successors.get(row.path);
    return successor === undefined ? row : { ...row, superseded_by: successor };
  };
  const isRanked = query.mode === 'words';
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const placed = new Set<string>();
  const isShown = (path: string) => placed.has(path) || shown.includes(keyOf(path));
  const earlier = earlierPaths(index, query);
  const result = { hits: [] as Hit[], done: [] as number[], early: new Set<Hit>() };
  const place = (hit: Hit, done: number) => {
    placed.add(hit.path);
    result.hits.push(hit);
    result.done.push(done);
  };
  /** The page that takes the place of a row, unless an answer has it already or the filters leave it out. */
  const successorBefore = async (row: SearchHit): Promise<Hit | null> => {
    const successor = isRanked && !isShown(row.path) ? successors.get(row.path) : undefined;
    if (successor === undefined || isShown(successor)) return null;
    const below = byPath.get(successor);
    if (below !== undefined) return hitOf(below);
    const found = (await earlier(successor)) ? null : await find(index, query, successor);
    return found === null ? null : { ...hitOf(found), score: row.score };
  };
  for (const [at, row] of rows.entries()) {
    const successor = await successorBefore(row);
    if (successor !== null) {
      result.early.add(successor);
      place(successor, at);
    }
    if (result.hits.length >= query.limit) break;
    if (!isShown(row.path)) place(hitOf(row), at + 1);
    else if (result.done.length > 0) result.done[result.done.length - 1] = at + 1;
    if (result.hits.length >= query.limit) break;
  }
  return result;
}

/** Reports whether a page comes before the rows of this answer, so that an earlier answer had it. */
function earlierPaths(index: Index, query: SearchQuery): (path: string) => Promise<boolean> {
  let paths: Promise<ReadonlySet<string>> | null = null;
  const read = async () => {
    const { rows } = await index.search({ ...query, contextLines: 0, offset: 0, limit: query.offset });
    return new Set(rows.map(({ path }) => path));
  };
  return async (path) => {
    if (query.offset === 0) return false;
    // Nobody reads so far, and reading all of them again would take long.
    if (query.offset > MAX_EARLIER) return true;
    paths ??= read();
    return (await paths).has(path);
  };
}

const MAX_EARLIER = 200;

/** The page with the lines that have words of the query, if it passes the filters of the search. */
async function find(index: Index, query: SearchQuery, path: string): Promise<SearchHit | null> {
  if (!path.startsWith(query.prefix)) return null;
  const only = { ...query, prefix: path, offset: 0, limit: 1 };
  // The path itself comes first among all that begin so.
  const { rows } = await index.list({ ...only, sort: 'path' });
  const [page] = rows;
  if (page?.path !== path) return null;
  const found = await index.search(only);
  const { title, version, supersededBy } = page;
  return (
    found.rows.find((row) => row.path === path) ?? { path, title, version, supersededBy, score: 0, lines: [] }
  );
}
