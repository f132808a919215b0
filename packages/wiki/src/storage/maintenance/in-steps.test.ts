import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { faultyFileSystem } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { stepsOf } from '../../../test/storage/maintenance/in-calls.ts';
import { observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import type { StepLimits } from '../../scheduling/stepwise.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { layoutOf } from '../layout.ts';
import { inSteps } from './in-steps.ts';
import { NOT_SOUND, PACKED_OBJECTS, type Run, SOUND } from './run.ts';
import type { RunKind } from './run-keeper.ts';

const NOON = 1_700_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MARK_MS = 13_000;

it('a run goes on in the next call, and each part of its work is done once', async () => {
  const wiki = newRepository();
  const done: string[] = [];
  const work = async (run: Run) => {
    run.slot(PACKED_OBJECTS, 5);
    await run.once('first', async () => void done.push('first'));
    for (let at = 0; at < 3; at += 1) {
      const name = `${at}`.repeat(40);
      if (run.list(at === 2 ? NOT_SOUND : SOUND).add(name)) done.push(name);
      await run.step();
    }
    return run.once('report', async () => done.length);
  };
  const states = [];
  for (let call = 0; call < 9; call += 1) {
    const state = await wiki.call('check', work, { ...stepsOf(call), now: NOON + call * 1_000 });
    states.push(state);
    if (state.isFinished) break;
  }
  const unfinished = { isFinished: false, isElsewhere: false, began: NOON, total: 5 };
  expect(states).toEqual([
    ...[0, 2, 3, 3].map((read) => ({ ...unfinished, read })),
    { isFinished: true, report: 4 },
  ]);
  expect(done).toEqual(['first', '0'.repeat(40), '1'.repeat(40), '2'.repeat(40)]);
  expect(wiki.files()).toEqual([]);
});

it.each([
  ['is a week old', (wiki: Repository) => wiki, 7 * DAY_MS, true],
  ['is older than a week', (wiki: Repository) => wiki, 7 * DAY_MS + 1, false],
  ['came along with a copy of the wiki', copyOf, 1_000, false],
  ['belongs to a wiki that was moved', moved, 1_000, true],
] as const)('a run that %s goes on, or begins anew', async (_, change, later, goesOn) => {
  const before = newRepository();
  await before.call('check', counted, stepsOf(0));
  const after = change(before);
  const now = NOON + later;
  expect(await after.call('check', counted, { ...stepsOf(0), now })).toMatchObject({
    began: goesOn ? NOON : now,
    read: goesOn ? 2 : 1,
  });
});

it('a call leaves the run to another process at work, and returns how far it is', async () => {
  const wiki = newRepository();
  const other = { owner: 'another', began: 17, until: NOON, read: 3, total: 9 };
  const elsewhere = { isFinished: false, isElsewhere: true, began: 17, read: 3, total: 9 };
  wiki.write('at-work', JSON.stringify(other));
  for (const kind of ['check', 'repair'] as const) {
    expect(await wiki.call(kind, never)).toEqual(elsewhere);
  }
  expect(wiki.files()).toEqual(['at-work']);
  const left = { isFinished: false, isElsewhere: false };
  expect(await wiki.call('check', counted, { ...stepsOf(0), now: NOON + 1 })).toMatchObject(left);
  expect(wiki.files()).toEqual(['check']);
  wiki.write('at-work', '{"owner":');
  expect(await wiki.call('check', counted)).toMatchObject({ isFinished: true });
});

it('a repair forgets what a check found before it, and a check keeps the progress of a repair', async () => {
  const wiki = newRepository();
  await wiki.call('check', counted, stepsOf(0));
  await wiki.call('repair', counted, stepsOf(0));
  const repair = wiki.read('repair');
  expect(await wiki.call('check', counted)).toMatchObject({ isFinished: true });
  expect(wiki.files()).toEqual(['repair']);
  expect(wiki.read('repair')).toEqual(repair);
  await wiki.call('check', counted, stepsOf(0));
  expect(await wiki.call('repair', counted)).toMatchObject({ isFinished: true });
  expect(wiki.files()).toEqual([]);
});

it('a call that ends with a defect keeps what it found, and lets others work', async () => {
  const wiki = newRepository();
  const defect = new TypeError('a defect');
  const broken = async (run: Run) => {
    await counted(run);
    throw defect;
  };
  await expect(wiki.call('check', broken)).rejects.toBe(defect);
  expect(wiki.files()).toEqual(['check']);
  expect(await wiki.call('check', counted, stepsOf(0))).toMatchObject({ began: NOON, read: 2 });
});

it('a call marks the wiki at each save until some seconds later, and takes the mark off', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const wiki = newRepository();
  const seen: unknown[] = [];
  const reported: [read: number, total: number][] = [];
  const work = async (run: Run) => {
    run.slot(PACKED_OBJECTS, 4);
    for (const ms of [2_999, 1, 2_999, 1]) {
      vi.advanceTimersByTime(ms);
      await counted(run);
      seen.push(wiki.files().includes('at-work') ? JSON.parse(wiki.read('at-work').toString()) : null);
    }
  };
  await wiki.call('check', work, { goOn: () => true, progress: (...count) => void reported.push(count) });
  const mark = (read: number) => ({
    owner: expect.stringMatching(/^[0-9a-f]{32}$/),
    began: NOON,
    until: NOON + MARK_MS,
    read,
    total: 4,
  });
  expect(seen).toEqual([null, mark(2), mark(2), mark(4)]);
  expect(reported).toEqual([
    [1, 4],
    [3, 4],
  ]);
  expect(wiki.files()).toEqual([]);
});

it.each(['before it saves', 'while it marks the wiki', 'before its next save', 'at its end'] as const)(
  'a process that was frozen leaves the run of another one alone: %s',
  async (when) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const wiki = newRepository();
    const other = JSON.stringify({ owner: 'another', began: 17, until: NOON, read: 3, total: 9 });
    const takeOver = () => {
      wiki.write('at-work', other);
      wiki.write('check', 'progress of the other');
    };
    let isMarked = false;
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      const isNext = isMarked && name === 'open' && path.endsWith('at-work');
      if (isNext && when === 'while it marks the wiki') takeOver();
      isMarked = name === 'rename' && path.endsWith('at-work');
    });
    const work = async (run: Run) => {
      if (when === 'at its end') {
        vi.advanceTimersByTime(3_000);
        await counted(run);
      }
      if (when !== 'while it marks the wiki') takeOver();
      if (when === 'before its next save') vi.advanceTimersByTime(3_000);
      if (when !== 'at its end') await counted(run);
    };
    const limits = stepsOf(when === 'before its next save' || when === 'at its end' ? 9 : 0);
    const answer = await inSteps({ ...wiki.parts(NOON), fs }, 'check', limits, work);
    if (when === 'at its end') expect(answer).toMatchObject({ isFinished: true });
    else expect(answer).toMatchObject({ isFinished: false, isElsewhere: true, began: NOON, read: 1 });
    if (when !== 'at its end') expect(wiki.read('check').toString()).toBe('progress of the other');
    expect(wiki.read('at-work').toString()).toBe(other);
  },
);

it('a full disk is reported as such, and the next call does the work', async () => {
  const wiki = newRepository();
  for (let at = 0; at < 8; at += 1) {
    const fs = faultyFileSystem(nodeFileSystem, { error: 'ENOSPC', at, moment: 'lasting' });
    const call = inSteps({ ...wiki.parts(NOON), fs }, 'check', stepsOf(0), counted);
    await expect(call).rejects.toMatchObject({ code: 'out_of_space' });
  }
  const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at: 0, moment: 'lasting' });
  const call = inSteps({ ...wiki.parts(NOON), fs }, 'check', stepsOf(9), counted);
  await expect(call).rejects.toMatchObject({ code: 'io_error', data: { path: wiki.runs } });
  expect(await wiki.call('check', counted)).toMatchObject({ isFinished: true });
});

/** Finds one more object each time. */
async function counted(run: Run): Promise<void> {
  const list = run.list(SOUND);
  list.add(`${list.size}`.padStart(40, '0'));
  await run.step();
}

async function never(): Promise<void> {
  throw new Error('This work was not to begin.');
}

type Repository = ReturnType<typeof repositoryAt>;

function newRepository(): Repository {
  const directory = join(temporaryDirectory(), 'wiki.git');
  mkdirSync(directory);
  return repositoryAt(directory);
}

function repositoryAt(directory: string) {
  const layout = layoutOf(directory, 'main');
  const parts = (now: number) => ({
    fs: nodeFileSystem,
    host: { ...nodeHost(), now: () => now },
    layout,
  });
  return {
    directory,
    runs: layout.runs,
    parts,
    call<Report>(
      kind: RunKind,
      work: (run: Run) => Promise<Report>,
      { now = NOON, ...limits }: StepLimits & { now?: number } = stepsOf(100),
    ) {
      return inSteps(parts(now), kind, limits, work);
    },
    files: () => (existsSync(layout.runs) ? readdirSync(layout.runs).sort() : []),
    read: (name: string) => readFileSync(join(layout.runs, name)),
    write(name: string, text: string) {
      mkdirSync(layout.runs, { recursive: true });
      const path = join(layout.runs, name);
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
  };
}

function copyOf({ directory }: Repository): Repository {
  const copy = `${directory}-copy`;
  cpSync(directory, copy, { recursive: true });
  return repositoryAt(copy);
}

function moved({ directory }: Repository): Repository {
  renameSync(directory, `${directory}-moved`);
  return repositoryAt(`${directory}-moved`);
}
