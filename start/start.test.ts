import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canServe } from './parts.mjs';

const SOURCES = ['install', 'mcp', 'parts', 'program', 'run', 'serve', 'turns'].map((name) => `${name}.mjs`);
const SERVER = ['install', '--frozen-lockfile', '--prod', '--filter=@pagetree/mcp-server...'];
const BOTH = [...SERVER, '--filter=@pagetree/web...'];
const EVERYTHING = ['install', '--frozen-lockfile'];

/** A clone of a repository with a lock file and one program, before anything is installed. */
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'pagetree-start-'));
  await mkdir(join(clone, 'start'));
  for (const source of SOURCES)
    await copyFile(new URL(source, import.meta.url), join(clone, 'start', source));
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'first');
  await writeFile(join(clone, 'pnpm.mjs'), PNPM);
  for (const server of ['mcp-server', 'web']) {
    await mkdir(join(clone, 'packages', server, 'src'), { recursive: true });
    await writeFile(join(clone, 'packages', server, 'src', 'main.ts'), PROGRAM);
  }
  await writeFile(join(clone, 'program.mjs'), PROGRAM);
});

afterEach(() => rm(clone, { recursive: true, force: true, maxRetries: 5 }));

/** Stands for pnpm: notes what it is asked for, takes its time, and installs as pnpm does, with the lock file last. */
const PNPM = `
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
appendFileSync('calls', JSON.stringify(args) + '\\n');
process.stdout.write('progress\\n');
await new Promise((resolve) => setTimeout(resolve, Number(process.env.PNPM_MS ?? 0)));
if (process.env.PNPM_STATUS) process.exit(Number(process.env.PNPM_STATUS));
const all = !args.some((arg) => arg.startsWith('--filter'));
for (const server of ['mcp-server', 'web']) {
  const asked = args.includes('--filter=@pagetree/' + server + '...');
  if (all || asked) mkdirSync('packages/' + server + '/node_modules', { recursive: true });
}
mkdirSync('node_modules/.pnpm', { recursive: true });
if (all) {
  mkdirSync('node_modules/vitest', { recursive: true });
  mkdirSync('start/node_modules/node/bin', { recursive: true });
  const node = 'start/node_modules/node/bin/node';
  rmSync(node, { force: true });
  if (process.env.OTHER_NODE) {
    writeFileSync(node, '#!/bin/sh\\nOTHER=yes exec "' + process.execPath + '" "$@"\\n');
    chmodSync(node, 0o755);
  } else symlinkSync(process.execPath, node);
}
const wanted = readFileSync('pnpm-lock.yaml', 'utf8');
writeFileSync('node_modules/.pnpm/lock.yaml', all ? wanted : wanted + ' in part');
`;

const PROGRAM = `
const [task, ...rest] = process.argv.slice(2);
if (task === 'print') process.stdout.write(JSON.stringify(rest));
if (task === 'end') process.exit(Number(rest[0]));
if (task === 'die') process.kill(process.pid, 'SIGKILL');
if (task === 'wait') {
  let signals = 0;
  process.on('SIGTERM', () => {
    signals += 1;
    setTimeout(() => process.exit(10 + signals), 200);
  });
  process.stdout.write('ready');
  setInterval(() => {}, 1_000);
}
if (task === 'node') process.stdout.write(process.env.OTHER ?? 'the same');
`;

test('the first start installs what the server needs, and later ones ask pnpm for nothing', async () => {
  const given = ['--dir', 'a b', '', '$HOME', '"quoted"', '--', '-t'];
  for (let start = 1; start <= 3; start += 1) {
    const { out, status } = await run('server', 'print', ...given);
    expect({ given: JSON.parse(out), status }).toEqual({ given, status: 0 });
  }
  expect(await calls()).toEqual([SERVER]);
});

test('a start keeps the compiled modules for the next one', async () => {
  await run('server', 'print');
  const kept = await readdir(join(clone, 'node_modules', '.cache', 'compiled'), { recursive: true });
  expect(kept.length).toBeGreaterThan(1);
});

test('what tests and benchmarks need is installed by the first that needs it, and no start takes it away', async () => {
  await run('server', 'print');
  expect((await run('tests')).status).toBe(0);
  await run('everything', 'print');
  await run('server', 'print');
  expect(await calls()).toEqual([SERVER, EVERYTHING]);
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'second');
  await run('server', 'print');
  await run('tests');
  expect(await calls()).toEqual([SERVER, EVERYTHING, EVERYTHING]);
});

test('a second server is installed beside the first, and both after another lock file', async () => {
  await run('server', 'print');
  for (let start = 1; start <= 2; start += 1) expect((await run('browser', 'print', 'x')).out).toBe('["x"]');
  await run('server', 'print');
  expect(await calls()).toEqual([SERVER, BOTH]);
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'second');
  await run('server', 'print');
  await run('browser', 'print');
  expect(await calls()).toEqual([SERVER, BOTH, BOTH]);
});

test('after another lock file the server is installed again', async () => {
  await run('server', 'print');
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'second');
  await run('server', 'print');
  await run('server', 'print');
  expect(await calls()).toEqual([SERVER, SERVER]);
});

test('what pnpm installed by hand is found', async () => {
  await mkdir(join(clone, 'node_modules', '.pnpm'), { recursive: true });
  await writeFile(join(clone, 'node_modules', '.pnpm', 'lock.yaml'), 'first');
  const { err } = await run('server', 'print');
  await run('tests');
  expect({ calls: await calls(), err }).toEqual({ calls: [], err: '' });
  // Less of it, as by a filter.
  await writeFile(join(clone, 'node_modules', '.pnpm', 'lock.yaml'), 'fir');
  await run('tests');
  expect(await calls()).toEqual([EVERYTHING]);
});

test('of many first starts one installs, and the others wait for it', async () => {
  const starts = Array.from({ length: 6 }, (_, start) =>
    runWith({ PNPM_MS: '400' }, 'server', 'print', `${start}`),
  );
  const ended = await Promise.all(starts);
  expect(ended.map(({ out }) => JSON.parse(out)[0]).toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
  expect(await calls()).toEqual([SERVER]);
  await expect(stat(join(clone, '.installing'))).rejects.toThrow('ENOENT');
});

test('an install that was killed is made again, and holds nobody up', async () => {
  const killed = start({ PNPM_MS: '60000' }, 'server', 'print');
  await expect.poll(calls).toHaveLength(1);
  process.kill(-(killed.pid ?? 0), 'SIGKILL');
  await once(killed, 'close');
  expect((await run('server', 'print')).status).toBe(0);
  expect(await calls()).toEqual([SERVER, SERVER]);
});

test('after an update that failed, what was installed before is not trusted', async () => {
  await run('tests');
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'second');
  expect((await runWith({ PNPM_STATUS: '1' }, 'tests')).status).toBe(1);
  await writeFile(join(clone, 'pnpm-lock.yaml'), 'first');
  for (let start = 1; start <= 2; start += 1) expect((await run('tests')).status).toBe(0);
  expect(await calls()).toEqual([EVERYTHING, EVERYTHING, EVERYTHING]);
});

test('an install that fails ends the start with its status, and the next start tries again', async () => {
  const { status, out, err } = await runWith({ PNPM_STATUS: '3' }, 'server', 'print');
  expect({ status, out }).toEqual({ status: 3, out: '' });
  expect(err).toContain('progress');
  expect(err).toContain('`pnpm install --frozen-lockfile --prod');
  expect(await run('server', 'print', 'x')).toMatchObject({ status: 0, out: '["x"]' });
});

test('where nothing can be written, the server starts with what there is', async () => {
  await mkdir(join(clone, 'node_modules'));
  // A file in the place of the directory: root may write everywhere.
  await writeFile(join(clone, '.installing'), '');
  const { status, err } = await run('server', 'print');
  expect({ status, calls: await calls() }).toEqual({ status: 0, calls: [] });
  expect(err).toContain('nothing can be written');
  await rm(join(clone, 'node_modules'), { recursive: true });
  expect(await run('server', 'print')).toMatchObject({ status: 1, out: '' });
});

test.each([
  ['the Node that runs already', {}],
  ['the Node that was installed', { OTHER_NODE: 'yes' }],
])('the status, the signal and the arguments of a program are passed on, by %s', async (_, env) => {
  const part = 'everything';
  expect((await runWith(env, part, 'node')).out).toBe('OTHER_NODE' in env ? 'yes' : 'the same');
  expect(await runWith(env, part, 'end', '7')).toMatchObject({ status: 7 });
  expect(await runWith(env, part, 'die')).toMatchObject({ status: 'SIGKILL' });
  expect((await runWith(env, part, 'print', 'a b', '', '$HOME')).out).toBe('["a b","","$HOME"]');
  for (const whole of [false, true]) {
    const waiting = start(env, part, 'wait');
    await once(waiting.stdout ?? waiting, 'data');
    process.kill(whole ? -(waiting.pid ?? 0) : (waiting.pid ?? 0), 'SIGTERM');
    expect(await once(waiting, 'close')).toEqual([11, null]);
  }
});

test('a Node that has the full-text search serves, and an older one does not', () => {
  expect(['22.16.0', '22.21.1', '24.0.0', '100.1.0'].filter(canServe)).toHaveLength(4);
  expect(['20.20.2', '18.0.0', '21.7.3', '22.15.1'].filter(canServe)).toEqual([]);
});

type Starts = 'server' | 'browser' | 'everything' | 'tests';

const FILES = {
  server: ['mcp.mjs'],
  browser: ['serve.mjs'],
  everything: ['run.mjs', 'program.mjs'],
  tests: ['install.mjs'],
};

const run = (starts: Starts, ...args: string[]) => runWith({}, starts, ...args);

function runWith(env: Record<string, string>, starts: Starts, ...args: string[]): Promise<Ended> {
  return ended(start(env, starts, ...args));
}

interface Ended {
  status: number | string;
  out: string;
  err: string;
}

/** From another directory, as `pnpm -C` does not start where it runs. */
function start(env: Record<string, string>, starts: Starts, ...args: string[]): ChildProcess {
  const [file = '', ...before] = FILES[starts];
  return spawn(process.execPath, [join(clone, 'start', file), ...before, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, npm_execpath: join(clone, 'pnpm.mjs'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

async function ended(child: ChildProcess): Promise<Ended> {
  if (child.stdout === null || child.stderr === null) throw new Error('Both are pipes.');
  const closed = once(child, 'close');
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { status: code ?? signal, out, err };
}

/** The arguments of each call of pnpm. */
async function calls(): Promise<string[][]> {
  const lines = await readFile(join(clone, 'calls'), 'utf8').catch(() => '');
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
