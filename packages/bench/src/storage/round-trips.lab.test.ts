import { beforeAll, expect, test } from 'vitest';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { engineCommands, sampleWiki } from './prepare.ts';
import type { Costs, Plan } from './round-trips.ts';

const SHAPE: WikiShape = { pages: 10_000, commits: 10_000 };
const NOTHING = {
  writes: 0,
  reads: 0,
  writesAfterForeign: 0,
  readsAfterForeign: 0,
  coldReads: 0,
  unmergedPacks: 0,
  warmUp: 0,
};
const PROGRAM = new URL('./round-trips.ts', import.meta.url).pathname;

let wiki: string;
let engines: Awaited<ReturnType<typeof engineCommands>>;

beforeAll(async () => {
  wiki = await sampleWiki(SHAPE);
  engines = await engineCommands('shared');
});

test('at 10,000 pages writes and reads stay within their round trips', async ({ signal }) => {
  const { ours } = await run(
    {
      engines: { ours: engines.ours },
      writes: 100,
      reads: 20,
      writesAfterForeign: 20,
      readsAfterForeign: 20,
      warmUp: 20,
    },
    { signal },
  );
  expect(ours?.write?.rpcsMean).toBeLessThanOrEqual(16);
  expect(ours?.write_after_foreign?.rpcsMean).toBeLessThanOrEqual(36);
  expect(ours?.read_again?.rpcsMost).toBeLessThanOrEqual(2);
  expect(ours?.read_other?.rpcsMean).toBeLessThanOrEqual(4);
  expect(ours?.read_after_foreign?.rpcsMean).toBeLessThanOrEqual(10);
  expect(ours?.read_other_after_foreign?.rpcsMean).toBeLessThanOrEqual(10);
});

test('the first read on a cold client stays within 32 round trips and 2 MB', async ({ signal }) => {
  for (const unmergedPacks of [1, 20]) {
    const { ours } = await run(
      { engines: { ours: engines.ours }, coldReads: 6, unmergedPacks },
      { signal, clients: 8 },
    );
    expect(ours?.read_cold?.rpcsMean).toBeLessThanOrEqual(32);
    expect(ours?.read_cold?.bytesReadMost).toBeLessThanOrEqual(2_000_000);
  }
});

test('a wiki of ten times the pages costs a warm client the same round trips', async ({ signal }) => {
  const part = { engines: { ours: engines.ours }, workingPages: 1000, writes: 60, reads: 40, warmUp: 200 };
  const small = { pages: 1000, commits: 1000 };
  const few = await run({ ...part, wiki: await sampleWiki(small), shape: small }, { signal });
  const many = await run(part, { signal });
  for (const operation of ['write', 'read_again', 'read_other']) {
    const [of1000, of10000] = [few.ours?.[operation]?.rpcsMean, many.ours?.[operation]?.rpcsMean];
    expect(Math.abs((of10000 ?? Number.NaN) - (of1000 ?? Number.NaN))).toBeLessThanOrEqual(0.5);
  }
});

test('a write waits for 8 round trips, one after another', async ({ signal }) => {
  const roundTripMs = 40;
  const { ours } = await run(
    { engines: { ours: engines.ours }, writes: 20, warmUp: 20 },
    { signal, roundTripMs },
  );
  expect((ours?.write?.millisecondsMedian ?? Infinity) / roundTripMs).toBeLessThan(8.9);
});

test('a write has a quarter of the round trips of dulwich and takes a quarter of its time', async ({
  signal,
}) => {
  const { ours, dulwich } = await run(
    { engines: { ours: engines.ours, dulwich: engines.dulwich }, writes: 40, warmUp: 20 },
    { signal, roundTripMs: 1 },
  );
  const [own, theirs] = [ours?.write, dulwich?.write];
  expect(own && theirs && theirs.rpcsMean / own.rpcsMean).toBeGreaterThanOrEqual(4);
  expect(own && theirs && theirs.millisecondsMedian / own.millisecondsMedian).toBeGreaterThanOrEqual(4);
});

async function run(
  part: Partial<Plan> & Pick<Plan, 'engines'>,
  options: { signal: AbortSignal; clients?: number; roundTripMs?: number },
): Promise<Record<string, Costs>> {
  const plan: Plan = { wiki, shape: SHAPE, workingPages: SHAPE.pages, ...NOTHING, ...part };
  const { stdout } = await runInNfsLab(['node', PROGRAM, JSON.stringify(plan)], options);
  return JSON.parse(stdout);
}
