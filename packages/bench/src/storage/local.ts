import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { startEngine } from './engines/engine.ts';
import {
  type EnginePlan,
  type Limits,
  type MeasuredEngine,
  measuredEngine,
  type Place,
} from './measure-engine.ts';
import type { Results } from './results.ts';
import { type Change, drawFrom, operations } from './workload.ts';

export interface LocalPlan extends Limits {
  /** The directory for the copies of the wiki: the cost of a sync on its disk is part of a write. */
  directory: string;
  /** The shape of the wikis of all engines. */
  shape: WikiShape;
  changes: readonly Change[];
  engines: Readonly<Record<string, EnginePlan>>;
  progress: (line: string) => void;
}

/**
 * Measures the operations on a local disk for each engine, each on a copy of its own. Measures one operation
 * with all engines before the next one, so that the figures of one row come from the same state of the
 * machine.
 */
export async function measureLocally(plan: LocalPlan): Promise<Results> {
  const directory = await mkdtemp(join(plan.directory, 'pagetree-bench-'));
  const measured: Record<string, MeasuredEngine> = {};
  const results: Results = {};
  try {
    for (const [name, engine] of Object.entries(plan.engines)) {
      const place = await placeFor(plan, engine, join(directory, name));
      measured[name] = measuredEngine(engine, plan, place);
      results[name] = {};
    }
    for (const operation of operations) {
      // Unwritten data of one engine must not slow down the next one's syncs.
      await promisify(execFile)('sync');
      for (const [name, engine] of Object.entries(measured)) {
        const result = await engine.measure(operation);
        if (result !== null) results[name] = { ...results[name], [operation]: result };
      }
      plan.progress(`local: ${operation}`);
    }
    return results;
  } finally {
    await Promise.all(Object.values(measured).map((engine) => engine.end()));
    await rm(directory, { recursive: true, force: true });
  }
}

async function placeFor(plan: LocalPlan, { command, wiki }: EnginePlan, directory: string): Promise<Place> {
  const [wikis, workDirectory] = [join(directory, 'wikis'), join(directory, 'work')];
  await mkdir(workDirectory, { recursive: true });
  await cp(wiki, join(wikis, 'main.git'), { recursive: true, verbatimSymlinks: true });
  return {
    draw: drawFrom(plan.shape, plan.changes),
    async open() {
      const engine = startEngine(command);
      const opening = await engine.run({ do: 'open', directory: wikis, workDirectory }, plan.callSeconds);
      const run = engine.run;
      return {
        opening,
        client: { run: (order, limit = plan.callSeconds) => run(order, limit), end: engine.end },
      };
    },
  };
}
