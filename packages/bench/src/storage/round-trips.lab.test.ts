import { beforeAll, expect, test } from 'vitest';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { mountedLimits } from './plans.ts';
import { engineCommands, sampleWiki } from './prepare.ts';
import type { Plan } from './round-trips.ts';
import type { Summary } from './samples.ts';
import type { Counts, Operation } from './workload.ts';

const SHAPE: WikiShape = { pages: 10_000, commits: 10_000 };
const PROGRAM = new URL('./round-trips.ts', import.meta.url).pathname;

let wiki: string;
let commands: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  wiki = await sampleWiki(SHAPE);
  ({ commands } = await engineCommands('shared'));
});

test('at 10,000 pages writes and reads stay within their round trips', async ({ signal }) => {
  const reads = { read_again: 20, read_other: 20, read_warm: 20, read_other_after_foreign: 20 };
  const cost = await run({ ours: { write: 100, write_after_foreign: 20, ...reads } }, { signal });
  expect(cost('write').rpcsMean).toBeLessThanOrEqual(16);
  expect(cost('write_after_foreign').rpcsMean).toBeLessThanOrEqual(36);
  expect(cost('read_again').rpcsMost).toBeLessThanOrEqual(2);
  expect(cost('read_other').rpcsMean).toBeLessThanOrEqual(4);
  expect(cost('read_warm').rpcsMean).toBeLessThanOrEqual(10);
  expect(cost('read_warm').missed).toBe(0);
  expect(cost('read_other_after_foreign').rpcsMean).toBeLessThanOrEqual(10);
});

test('the first read on a cold client stays within 32 round trips and 2 MB', async ({ signal }) => {
  // Two clients, six that are fresh, and the one that writes before them.
  for (const unmergedPacks of [1, 20]) {
    const cost = await run({ ours: { read_cold: 6 } }, { signal, clients: 9, plan: { unmergedPacks } });
    expect(cost('read_cold').rpcsMean).toBeLessThanOrEqual(32);
    expect(cost('read_cold').bytesReadMost).toBeLessThanOrEqual(2_000_000);
  }
});

test('a wiki of ten times the pages costs a warm client the same round trips', async ({ signal }) => {
  const counts = { write: 60, read_again: 40, read_other: 40 };
  const plan = { workingPages: 1000, warmUp: 200 };
  const small = { pages: 1000, commits: 1000 };
  const smallPlan = { ...plan, shape: small };
  const few = await run({ ours: counts }, { signal, plan: smallPlan, wiki: await sampleWiki(small) });
  const many = await run({ ours: counts }, { signal, plan });
  for (const operation of ['write', 'read_again', 'read_other'] as const) {
    expect(Math.abs(many(operation).rpcsMean - few(operation).rpcsMean)).toBeLessThanOrEqual(0.5);
  }
});

test('a write waits for 8 round trips, one after another', async ({ signal }) => {
  const roundTripMs = 40;
  const cost = await run({ ours: { write: 20 } }, { signal, roundTripMs });
  expect(cost('write').median / roundTripMs).toBeLessThan(8.9);
});

test('a write has a quarter of the round trips of dulwich and takes a quarter of its time', async ({
  signal,
}) => {
  const cost = await run({ ours: { write: 40 }, dulwich: { write: 40 } }, { signal, roundTripMs: 1 });
  const [own, theirs] = [cost('write'), cost('write', 'dulwich')];
  expect(theirs.rpcsMean / own.rpcsMean).toBeGreaterThanOrEqual(4);
  expect(theirs.median / own.median).toBeGreaterThanOrEqual(4);
});

type Cost = NonNullable<Summary['mount']> & { median: number; missed: number };

/** Measures engines by name in a lab of their own; the answer gives the cost of an operation, of ours unless named. */
async function run(
  counts: Readonly<Record<string, Counts>>,
  options: {
    signal: AbortSignal;
    clients?: number;
    roundTripMs?: number;
    plan?: Partial<Plan>;
    wiki?: string;
  },
): Promise<(operation: Operation, engine?: string) => Cost> {
  const engines = Object.entries(counts).map(
    ([name, counts]) =>
      [
        name,
        { command: commands[name] ?? [], counts, wiki: options.wiki ?? wiki, loadsIndex: false },
      ] as const,
  );
  const plan: Plan = {
    ...mountedLimits,
    operationSeconds: 120,
    endsAt: Date.now() + 540_000,
    shape: SHAPE,
    changes: [],
    workingPages: SHAPE.pages,
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
