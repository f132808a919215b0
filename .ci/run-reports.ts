import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

/** What `.ci/run` leaves of its steps, as tests write it, and what `count.mjs` and `failed.mjs` make of it. */

/** The directory of reports of the test that runs. */
export let directory: string;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'pagetree-count-')));
  await counted();
});

afterEach(() => rm(directory, { recursive: true }));

/** The numbers of tests that are kept. */
export async function counted(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'test-counts'), lines.join('\n'));
}

export async function steps(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'steps'), `${lines.join('\n')}\n`);
}

export async function secondTries(...lines: string[]): Promise<void> {
  await writeFile(join(directory, 'again'), `${lines.join('\n')}\n`);
}

/** Writes the events of a run that came to its end. */
export async function run(name: string, ...events: object[][]): Promise<void> {
  const lines = [...events.flat(), { at: 9_000, kind: 'finished' }].map((event) => JSON.stringify(event));
  await writeFile(join(directory, `${name}.events`), `${lines.join('\n')}\n`);
}

export async function withoutEnd(name: string): Promise<string> {
  return (await readFile(join(directory, `${name}.events`), 'utf8')).replace(/.*finished.*\n/, '');
}

/** The events of a file with tests in these states, and with errors beside them. */
export function file(name: string, states: string[], messages: string[] = []): object[] {
  const path = join(directory, name);
  const results = states
    .filter((state) => state === 'passed' || state === 'failed')
    .map((state, i) => {
      const errors = state === 'failed' ? ['expected 1 to be 2'] : [];
      return { at: 1_000, file: path, kind: 'test', test: `test ${i}`, state, messages: errors };
    });
  const passed = states.filter((state) => state === 'passed').length;
  const state = messages.length > 0 || states.includes('failed') ? 'failed' : 'passed';
  const ended = { at: 2_000, file: path, kind: 'ended', state, total: states.length, passed, messages };
  return [{ at: 500, file: path, kind: 'started' }, ...results, ended];
}

export function count() {
  const { stdout, status } = program('count');
  return { last: stdout.trim().split('\n').at(-1), status };
}

export function printed(name: string): string {
  return program(name).stdout;
}

/** The files to be tried again, as `STEP PATH`. */
export function failed(): string[] {
  const lines = printed('failed').split('\n').filter(Boolean);
  return lines.map((line) => line.replace(/(?<= ).*\//, `${directory}/`));
}

function program(name: string) {
  const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  return spawnSync(process.execPath, [path, directory, '3', join(directory, 'test-counts')], {
    encoding: 'utf8',
  });
}
