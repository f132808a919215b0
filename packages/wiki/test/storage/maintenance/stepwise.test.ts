import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StepLimits, Stepwise } from '../../../src/scheduling/stepwise.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { git, temporaryDirectory } from '../../native-git.ts';
import { countingFileSystem } from '../file-systems/counting-file-system.ts';
import { livePacks } from '../packs.ts';
import { overwrite } from '../stores.ts';
import { freezing, hostAhead, nativeView, newWiki, openWriter } from '../writers.ts';
import { DAMAGES } from './damage.ts';
import { inCalls, stepsOf } from './in-calls.ts';
import { soundWiki } from './sound-wiki.ts';

/** Fewer than the smallest check needs, and enough to come to something that is new. */
const FEW = 6;

const CHANGED_BETWEEN = ['a pack of many commits is cut off at its half', 'the chain and a commit are lost'];

test.for(DAMAGES)('calls of a few steps find and repair the same as one call: $name', async (damage) => {
  const wiki = await soundWiki('shared');
  damage.do(wiki);
  const copy = join(temporaryDirectory(), 'copy.git');
  cpSync(wiki.directory, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const openCopy = () => openWriter(copy, { placement: 'shared' });
  const open = () => openWriter(wiki.directory, { placement: 'shared' });

  const checked = await inCalls(open, FEW, (storage, limits) => storage.checkInSteps(limits));
  const found = JSON.stringify(await (await openCopy()).storage.check());
  expect(checked.report).toEqual(JSON.parse(found.replaceAll(copy, wiki.directory)));
  expect(checked.calls).toBeGreaterThan(2);
  const repaired = await inCalls(open, FEW, (storage, limits) => storage.repairInSteps(limits));
  const { commit, ...report } = await (await openCopy()).storage.repair();
  expect(repaired.report).toEqual({ ...report, commit: commit && expect.any(String) });
  expect(repaired.calls).toBeGreaterThan(2);

  const { storage } = await open();
  expect((await storage.check()).problems).toEqual([]);
  await storage.settle();
  git(wiki.directory, ['fsck', '--strict', '--full', '--no-dangling']);
  expect(readdirSync(runsOf(wiki.directory))).toEqual([]);
});

test('a check that is cut off reads little of what it read before', async () => {
  const directory = await wikiOfPages(60);
  const readsOf = async (steps: number) => {
    const { fs, calls } = countingFileSystem(nodeFileSystem);
    const open = () => openWriter(directory, { placement: 'shared', fs, cacheBytes: 0 });
    const { calls: made } = await inCalls(open, steps, (storage, limits) => storage.checkInSteps(limits));
    return { calls: made, reads: calls.filter(({ name }) => name === 'readlink').length };
  };
  const whole = await readsOf(1_000_000);
  const cutOff = await readsOf(40);
  expect(whole.calls).toBe(1);
  expect(cutOff.calls).toBeGreaterThan(5);
  // Each call looks for the end of the chain, and not for its beginning.
  expect(cutOff.reads).toBeLessThan(whole.reads + cutOff.calls * 6);
});

test('one of two simultaneous calls does the work, and the other one says so', async () => {
  const directory = await wikiOfPages(10);
  const open = () => openWriter(directory, { placement: 'shared' });
  const first = await open();
  // At its second save it has said who is at work.
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.endsWith('/check'));
  const frozenWriter = await openWriter(directory, { placement: 'shared', fs });
  const held = frozenWriter.storage.checkInSteps(stepsOf(FEW));
  await frozen;
  expect(await first.storage.checkInSteps(stepsOf(1_000))).toMatchObject({
    isFinished: false,
    isElsewhere: true,
  });
  expect(await first.storage.repairInSteps(stepsOf(1_000))).toMatchObject({ isElsewhere: true });
  thaw();
  expect(await held).toMatchObject({ isFinished: false, isElsewhere: false });
  expect(await first.storage.checkInSteps(stepsOf(1_000))).toMatchObject({ isFinished: true });
});

test('nobody waits long for a process that died at work, and a thawed one leaves the newer run alone', async () => {
  const directory = await wikiOfPages(10);
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.endsWith('/check'));
  const frozenWriter = await openWriter(directory, { placement: 'shared', fs });
  const held = frozenWriter.storage.checkInSteps(stepsOf(FEW));
  await frozen;
  const later = await openWriter(directory, { placement: 'shared', host: hostAhead(60_000) });
  expect(await later.storage.checkInSteps(stepsOf(1_000))).toMatchObject({ isFinished: true });
  thaw();
  await held;
  const { storage } = await openWriter(directory, { placement: 'shared' });
  expect(await storage.checkInSteps(stepsOf(1_000))).toMatchObject({
    isFinished: true,
    report: { problems: [] },
  });
});

test.for(['removed', 'cut off', 'of another format'])('lost progress (%s) costs only time', async (what) => {
  const directory = await wikiOfPages(10);
  const { storage } = await openWriter(directory, { placement: 'shared' });
  expect(await storage.checkInSteps(stepsOf(30))).toMatchObject({ isFinished: false });
  const path = join(runsOf(directory), 'check');
  const bytes = readFileSync(path);
  rmSync(path);
  if (what === 'cut off') {
    writeFileSync(path, bytes);
    truncateSync(path, bytes.length - 30);
  } else if (what === 'of another format') writeFileSync(path, 'something else');
  expect(await storage.checkInSteps(stepsOf(1_000))).toMatchObject({
    isFinished: true,
    report: { commits: 10, problems: [] },
  });
});

test.for(['check', 'repair'] as const)(
  'a %s of a copy starts again, as its files may differ',
  async (kind) => {
    const directory = await wikiOfPages(10);
    const inSteps = (storage: Storage, limits: StepLimits): Promise<Stepwise<object>> =>
      kind === 'check' ? storage.checkInSteps(limits) : storage.repairInSteps(limits);
    const progress = () => readFileSync(join(runsOf(directory), kind)).toString('latin1');
    do {
      const { storage } = await openWriter(directory, { placement: 'shared' });
      expect(await inSteps(storage, stepsOf(FEW))).toMatchObject({ isFinished: false });
      await storage.close();
    } while (!/once damaged packs|replaced packs/.test(progress()));
    const copy = join(temporaryDirectory(), 'copy.git');
    cpSync(directory, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    const [pack = ''] = livePacks(copy);
    const path = join(copy, 'objects/pack', pack);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    overwrite(path, bytes);
    const { report } = await inCalls(() => openWriter(copy, { placement: 'shared' }), 1_000, inSteps);
    expect(report).toMatchObject(kind === 'check' ? { problems: [{}] } : { packsReplaced: 1 });
  },
);

test('a check that needs only one call leaves nothing behind', async () => {
  const directory = await wikiOfPages(3);
  const { storage } = await openWriter(directory, { placement: 'shared' });
  await storage.checkInSteps(stepsOf(1_000));
  expect(existsSync(runsOf(directory))).toBe(false);
});

test.for(DAMAGES.filter(({ name }) => CHANGED_BETWEEN.includes(name)))(
  'a repair finishes despite writes and tidying between its calls, and loses none of them: $name',
  async (damage) => {
    const wiki = await soundWiki('shared');
    damage.do(wiki);
    const open = () => openWriter(wiki.directory, { placement: 'shared' });
    const acknowledged: Record<string, string> = {};
    let call = 0;
    const openBetween = async () => {
      const { put, storage } = await open();
      call += 1;
      // If the damage stops writes and tidying, they continue after the repair.
      if (call % 3 === 0) await storage.tidy().catch(() => null);
      const [page, text] = [`New ${call % 4}.md`, `Text ${call}.`];
      const outcome = call > 20 ? null : await put(page, text).catch(() => null);
      if (outcome?.kind === 'committed') acknowledged[page] = text;
      return { storage };
    };
    await inCalls(openBetween, FEW, (storage, limits) => storage.repairInSteps(limits));
    const { put, storage } = await open();
    expect(await put('After.md', 'x')).toMatchObject({ kind: 'committed' });
    expect((await storage.check()).problems).toEqual([]);
    await storage.settle();
    expect(nativeView(wiki.directory).pages).toMatchObject(acknowledged);
    expect(call).toBeGreaterThan(3);
  },
);

test('a page that is restored during a repair is not given up', async () => {
  const wiki = await soundWiki('shared');
  const open = () => openWriter(wiki.directory, { placement: 'shared' });
  const lost = ['pack', 'idx'].map((ending) =>
    join(wiki.directory, 'objects/pack', `pack-${wiki.commits[6]}.${ending}`),
  );
  const kept = lost.map((path) => readFileSync(path));
  for (const path of lost) rmSync(path);
  const { storage } = await open();
  const progress = () => readFileSync(join(runsOf(wiki.directory), 'repair')).toString('latin1');
  do expect(await storage.repairInSteps(stepsOf(FEW))).toMatchObject({ isFinished: false });
  while (!/is not in the repository/.test(progress()));
  for (const [at, path] of lost.entries()) writeFileSync(path, kept[at] ?? '');
  const { report } = await inCalls(open, FEW, (repairer, limits) => repairer.repairInSteps(limits));
  expect(report).toMatchObject({ commit: null, lost: [], lostCommits: [] });
});

async function wikiOfPages(count: number): Promise<string> {
  const directory = await newWiki({ shared: true });
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
  for (let page = 0; page < count; page += 1) await put(`Page ${page}.md`, `Page ${page}.\n`);
  await storage.close();
  return directory;
}

function runsOf(directory: string): string {
  return join(directory, 'pagetree/runs-main');
}
