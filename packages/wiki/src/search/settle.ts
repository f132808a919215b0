import { inPieces } from './build.ts';
import { countChanges, datePages, PROGRESS_EVERY, pagesTouchedSince, type Turn } from './catch-up.ts';
import { historyOrder } from './history/ancestor-numbers.ts';
import { fileChanges } from './history/file-changes.ts';
import { createPacer } from './pacer.ts';
import { clearStateCommit, setStateCommit, stateCommit } from './sqlite/index-state.ts';
import { turnPages } from './sqlite/turn-pages.ts';

/**
 * Turns the index to any commit of its history, and leaves it there for the next query. It goes on when its caller has
 * gone: a call with a deadline is repeated, and finds the index where it wants it. Works in pieces, as a single
 * transaction would hold all that it changes in memory. If it throws, the index is of no commit, and of no use.
 */
export const settle: Turn = async (database, repository, commit, { closing, pieceMs, progress }, query) => {
  const pacer = createPacer(closing);
  const from = stateCommit(database);
  const orders = [commit, ...(from === null ? [] : [from])].map((each) => historyOrder(database, each));
  const [order = { loose: [], below: 0 }] = orders;
  // Only there is the last commit that touched a page the same in both.
  const common = Math.min(...orders.map(({ below }) => below));
  const total = await countChanges(repository, from, commit, pacer);
  const snapshot = await repository.at(commit);
  let done = 0;
  await inPieces(database, { pacer, pieceMs, keep: async () => {} }, async (step) => {
    clearStateCommit(database);
    const turn = () => {
      done += 1;
      if (done % PROGRESS_EVERY === 0) progress?.(done, total, 'Reading pages');
      return step();
    };
    const changes = fileChanges(repository, from, commit);
    const turned = new Set(await turnPages(database, snapshot, changes, turn, () => pacer.yieldIfDue()));
    const touched = pagesTouchedSince(database, { below: common });
    await datePages(database, order, turned.union(touched), step);
    setStateCommit(database, commit);
  });
  return query();
};
