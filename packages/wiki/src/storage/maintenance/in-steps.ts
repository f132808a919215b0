import type { StepLimits, Stepwise } from '../../scheduling/stepwise.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { OutOfTime, Run } from './run.ts';
import { countOf, type KeptRun } from './run-file.ts';
import { type KeeperParts, RunKeeper, type RunKind, TakenOver } from './run-keeper.ts';

/**
 * Does as much of a check or repair as the limits allow, and keeps the rest for the next call, in any
 * process. The saved state is only progress: if it is lost, thrown away or outdated, the run only takes
 * longer. The same holds for the mark of the process at work. It spares two processes the same work and
 * expires by itself; no data depends on it.
 */
export async function inSteps<Report>(
  parts: KeeperParts,
  kind: RunKind,
  limits: StepLimits,
  work: (run: Run) => Promise<Report>,
): Promise<Stepwise<Report>> {
  const keeper = new RunKeeper(parts, kind);
  try {
    const other = await keeper.otherAtWork();
    if (other !== null) {
      const { began, read, total } = other;
      return { isFinished: false, isElsewhere: true, began, read, total };
    }
    const kept = await keeper.load();
    let toldAt = performance.now();
    const run = new Run({
      memory: kept.memory,
      goOn: limits.goOn,
      checkpoint() {
        if (limits.progress && performance.now() - toldAt > TELL_EVERY_MS) {
          toldAt = performance.now();
          const { read, total } = countOf(kept);
          limits.progress(read, total);
        }
        return keeper.saveNowAndThen(kept);
      },
    });
    try {
      const report = await work(run);
      await keeper.forget();
      return { isFinished: true, report };
    } catch (error) {
      if (error instanceof TakenOver) return { isFinished: false, isElsewhere: true, ...stateOf(kept) };
      const isMine = await keeper.leave(kept);
      if (!(error instanceof OutOfTime)) throw error;
      return { isFinished: false, isElsewhere: !isMine, ...stateOf(kept) };
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Keeping the progress of the maintenance', parts.layout.runs);
  }
}

function stateOf(kept: KeptRun) {
  return { began: kept.began, ...countOf(kept) };
}

const TELL_EVERY_MS = 1_000;
