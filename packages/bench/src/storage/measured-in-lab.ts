import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { sampled } from '../../../../labs/sample.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { mountedLimits } from './plans.ts';
import { engineCommands, sampleWiki } from './prepare.ts';
import type { Plan } from './round-trips.ts';
import type { Summary } from './samples.ts';
import type { Counts, Operation } from './workload.ts';

export const SHAPE: WikiShape = sampled({ pages: 10_000, commits: 10_000 }, { pages: 1_000, commits: 1_000 });
const PROGRAM = new URL('./round-trips.ts', import.meta.url).pathname;

type Cost = NonNullable<Summary['mount']> & { median: number; missed: number };

/** Measures engines by name in a lab of their own; the answer gives the cost of an operation, of ours unless named. */
export async function measureInLab(
  counts: Readonly<Record<string, Counts>>,
  options: {
    signal: AbortSignal;
    clients?: number;
    roundTripMs?: number;
    plan?: Partial<Plan>;
  },
): Promise<(operation: Operation, engine?: string) => Cost> {
  const shape = options.plan?.shape ?? SHAPE;
  const wiki = await sampleWiki(shape);
  const { commands } = await engineCommands('shared');
  const engines = Object.entries(counts).map(
    ([name, counts]) => [name, { command: commands[name] ?? [], counts, wiki, loadsIndex: false }] as const,
  );
  const plan: Plan = {
    ...mountedLimits,
    operationSeconds: 120,
    endsAt: Date.now() + 2_400_000,
    shape,
    changes: [],
    workingPages: shape.pages,
    unmergedPacks: 0,
    ...options.plan,
    engines: Object.fromEntries(engines),
  };
  const { stdout } = await runInNfsLab(['node', PROGRAM, JSON.stringify(plan)], options);
  const results = JSON.parse(stdout);
  return (operation, engine = 'ours') => {
    const summary: Summary | string | undefined = results[engine]?.[operation];
    if (typeof summary !== 'object' || !summary.mount) throw new Error(`${operation}: ${summary}`);
    const { mount, milliseconds, stale, failed } = summary;
    return { ...mount, median: milliseconds.median, missed: stale + failed };
  };
}
