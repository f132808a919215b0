import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CONTAINED = fileURLToPath(new URL('./contained.mjs', import.meta.url));

/**
 * Starts processes that would outlive it: one with little of its environment, one in a session of its own, one that is
 * frozen, and one whose parent has ended. Prints their pids, leaves a file, and ends with a status, or never.
 */
const PROGRAM = `
  const { spawn, execFileSync } = require('node:child_process');
  const { writeFileSync } = require('node:fs');
  const [, status, ...others] = process.argv;
  const { TMPDIR } = process.env;
  const ways = [{ env: { TMPDIR } }, { detached: true }, {}, ...others.map(() => ({ env: {} }))];
  const pids = ways.map((options) => spawn('/bin/sleep', ['1000'], options).pid);
  process.kill(pids[2], 'SIGSTOP');
  pids.push(Number(execFileSync('sh', ['-c', 'setsid sleep 1000 > /dev/null 2>&1 & echo $!'])));
  writeFileSync(TMPDIR + '/left', 'behind');
  console.log(JSON.stringify({ pids, place: TMPDIR }));
  setTimeout(() => process.exit(Number(status)), status === 'never' ? 1e9 : 0);
`;

let base: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'contained-')));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test('a command gives its status, and leaves no process and no file', async () => {
  const { child, left } = await start('7');
  expect(await statusOf(child)).toBe(7);
  expect(remainsOf(left)).toEqual([]);
});

test('a command that is killed takes everything along', async () => {
  const { child, left } = await start('never');
  process.kill(onlyChildOf(child), 'SIGKILL');
  expect(await statusOf(child)).toBe(128 + 9);
  expect(remainsOf(left)).toEqual([]);
});

test('a run that gets SIGTERM takes everything along', async () => {
  const { child, left } = await start('never');
  child.kill('SIGTERM');
  expect(await statusOf(child)).toBe(128 + 15);
  expect(remainsOf(left)).toEqual([]);
});

test('a run that is killed takes everything along', async () => {
  const { child, left } = await start('never', [], ['one without environment']);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => remainsOf(left)).toEqual([]);
});

test('a run ends with the pnpm that called it', async () => {
  // Whatever has pnpm in its command line is taken for it.
  const { child, left } = await start(
    'never',
    ['sh', '-c', 'true pnpm; "$@"; true', 'sh'],
    ['one without environment'],
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => remainsOf(left)).toEqual([]);
});

test('a run within a run has its own directory, which goes first', async () => {
  const { child, left } = await start('0', [process.execPath, CONTAINED]);
  expect(await statusOf(child)).toBe(0);
  expect(left.place.slice(base.length)).toMatch(/^\/pagetree-run-\w+-\w+\/run-\w+-\w+$/);
  expect(remainsOf(left)).toEqual([]);
});

test('a run removes what runs left that are gone, and nothing else', async () => {
  const mine = `pagetree-run-${process.pid}-${startOf('self')}`;
  const kept = [mine, 'pagetree-run-of-somebody', 'other'];
  for (const name of [...kept, 'pagetree-run-4194305-77', 'run-4194305-77'])
    mkdirSync(join(base, name, 'files'), { recursive: true });
  const { child } = await start('0');
  expect(await statusOf(child)).toBe(0);
  expect(readdirSync(base).toSorted()).toEqual(kept.toSorted());
});

interface Left {
  pids: number[];
  place: string;
}

/** @param others `one without environment`: it can be found only while its parent is there. */
async function start(
  status: string,
  before: string[] = [],
  others: string[] = [],
): Promise<{ child: ChildProcess; left: Left }> {
  const { PATH = '' } = process.env;
  const command = [process.execPath, CONTAINED, process.execPath, '-e', PROGRAM, status, ...others];
  const [program = '', ...parameters] = [...before, ...command];
  const child = spawn(program, parameters, {
    env: { PATH, TMPDIR: base },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const left = JSON.parse(line) as Left;
  return { child, left };
}

async function statusOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

function remainsOf({ pids, place }: Left) {
  return [...pids.filter(isThere), ...[place].filter(existsSync)];
}

function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function startOf(pid: string): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
}

/** The child that is not the watchdog. */
function onlyChildOf({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const [child] = children.filter(
    (one) => !readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('watchdog'),
  );
  return Number(child);
}
