import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import { historyOrder } from './history/ancestor-numbers.ts';
import type { IndexDatabase } from './sqlite/index-database.ts';
import { stateCommit } from './sqlite/index-state.ts';
import type { StandingIndex } from './standing-index.ts';

/** An index that answers as of any commit of the branch. */
export type AnsweringIndex = Pick<
  StandingIndex,
  'at' | 'inSteps' | 'atOnce' | 'knowing' | 'knowingAtOnce' | 'catchUp' | 'standAt' | 'save'
>;

/**
 * Answers as of the newest commits from one index, and as of a commit far back from another, which goes there and stays:
 * the work for a question about the past holds up no other question. `fits` reports whether there is room for that
 * second index, given the bytes of the first.
 */
export function withPast(
  newest: StandingIndex,
  past: StandingIndex,
  fits: (bytes: number) => boolean,
): AnsweringIndex {
  const indexOf = async (commit: Oid) => {
    const { isFar, bytes } = await newest.knowing(commit, (database) => ({
      isFar: isFarBack(database, commit),
      bytes: database.bytes,
    }));
    if (isFar && !fits(bytes)) throw noRoom(commit);
    return isFar ? past : newest;
  };
  return {
    at: async (commit, query) => (await indexOf(commit)).at(commit, query),
    inSteps: async (commit, query, pacer, signal) =>
      (await indexOf(commit)).inSteps(commit, query, pacer, signal),
    atOnce: (commit, query, otherwise) => newest.atOnce(commit, query, otherwise),
    knowing: (commit, query) => newest.knowing(commit, query),
    knowingAtOnce: (commit, query) => newest.knowingAtOnce(commit, query),
    catchUp: (commit, progress, signal) => newest.catchUp(commit, progress, signal),
    async standAt(commit, progress, signal) {
      await newest.catchUp(commit, progress, signal);
      if ((await indexOf(commit)) === past) await past.standAt(commit, progress, signal);
    },
    save: (commit, signal) => newest.save(commit, signal),
  };
}

/** True if turning the index back to `commit` would take longer than other questions should wait. */
function isFarBack(database: IndexDatabase, commit: Oid): boolean {
  if (stateCommit(database) === commit) return false;
  const { below } = historyOrder(database, commit);
  const touched = 'SELECT 1 FROM touches WHERE number > ? LIMIT ?';
  const pages = database.all(touched, below, MAX_TURNED + 1).length;
  // The limit bounds the rows that are read: each adds a file.
  const filesOf = 'SELECT other_files FROM commits WHERE number > ? AND other_files > 0 LIMIT ?';
  const changed = database.all(filesOf, below, MAX_TURNED * FILES_LIKE_A_PAGE + 1);
  const files = changed.reduce((sum, { other_files }) => sum + Number(other_files), 0);
  return pages + files / FILES_LIKE_A_PAGE > MAX_TURNED;
}

/** Pages: some tenths of a second. */
const MAX_TURNED = 50;
/** A hundred other files cost about what one page does: only their names are indexed. */
const FILES_LIKE_A_PAGE = 100;

function noRoom(commit: Oid): WikiError {
  return new WikiError(
    'backend_unavailable',
    {
      happened: 'The search index as of a commit so far back does not fit beside the newest one here.',
      now: 'Nothing was changed. Pages can be read as of any commit.',
      next: 'Search the newest commit, or one of the last changes; read_page reads a page as of any commit.',
    },
    { commit },
  );
}
