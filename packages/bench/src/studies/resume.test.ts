import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openJournal } from './journal.ts';
import type { Phase0Plan } from './phase0/entry.ts';
import { phase0 } from './phase0/study.ts';
import { runStudy } from './study.ts';
import { temporaryDirectory, testOptions } from './testing.ts';
import { collectThroughput } from './throughput/collect.ts';
import { throughputEntry } from './throughput/entry.ts';
import { openLocalThroughput } from './throughput/local.ts';
import type { ThroughputTarget } from './throughput/target.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const quiet = { signal: new AbortController().signal, progress: () => {} };
const plan: Phase0Plan = {
  colds: 1,
  reads: 2,
  writes: 2,
  readers: { rounds: 1, atOnce: 3 },
  writers: { rounds: 1, atOnce: 5 },
};

test('the same command continues a study that Ctrl-C stopped, without repeating or losing anything', async () => {
  const out = temporaryDirectory();
  const file = join(out, 'phase0-local.ndjson');
  const first = start(out);
  await untilLines(file, 10);
  first.child.kill('SIGINT');
  expect(await first.status).toBe(130);
  expect(first.reported()).toMatch(
    /Stopped: \d+ of 63 steps are done and kept; the same command goes on from there\./,
  );
  const before = readFileSync(file, 'utf8');
  expect(linesOf(before)).toBeLessThan(63);

  const second = start(out);
  expect(await second.status).toBe(0);
  const after = readFileSync(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  const steps = stepsOf(after);
  expect(steps).toHaveLength(63);
  expect(new Set(steps).size).toBe(63);
  expect(existsSync(join(out, 'phase0-local.html'))).toBe(true);
});

test('a cut or broken line is measured again, and a broken one is named', async () => {
  const options = testOptions('local');
  const file = join(options.out, 'phase0-local.ndjson');
  await runStudy(phase0, options, plan, quiet);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [head = '', broken = '', ...rest] = lines;
  writeFileSync(file, `${[head, broken.slice(0, 20), ...rest].join('\n')}\n`);
  appendFileSync(file, '{"step":"half a line');

  const report = await runStudy(phase0, options, plan, quiet);
  const after = readFileSync(file, 'utf8');
  expect(stepsOf(after).toSorted()).toEqual(stepsOf(lines.join('\n')).toSorted());
  expect(readFileSync(report, 'utf8')).toContain('- line 2: is not JSON');
});

test('a failed step ends the study with its reason, and the next run continues with that step', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'results.ndjson');
  const sets = [{ name: '1 KB', bytes: 1_000, files: 2 }];
  const head = { study: 'throughput', target: 'local', parameters: {} };
  const run = async (target: ThroughputTarget) => {
    const journal = openJournal(file, throughputEntry, head);
    await collectThroughput(1, { sets, repetitions: 3, pause_ms: 0 }, target, journal, quiet);
  };
  const target = await openLocalThroughput(directory);
  let calls = 0;
  const failing: ThroughputTarget = {
    ...target,
    write: (...request) => {
      calls += 1;
      return calls === 4 ? Promise.reject(new Error('the disk is full')) : target.write(...request);
    },
  };
  await expect(run(failing)).rejects.toMatchObject({
    code: 'step_failed',
    message:
      'Step "round 1, repetition 2, 1 KB, elastic" failed: the disk is full\n3 of 6 steps are done and kept; the same command goes on from there.',
  });
  const before = readFileSync(file, 'utf8');
  await run(target);
  await target.close();
  const after = readFileSync(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(new Set(stepsOf(after)).size).toBe(6);
  expect(stepsOf(after)).toHaveLength(6);
});

test('results of other parameters are not mixed', async () => {
  const options = testOptions('local');
  await runStudy(phase0, options, plan, quiet);
  await expect(runStudy(phase0, options, { ...plan, reads: 1 }, quiet)).rejects.toMatchObject({
    code: 'other_results',
  });
});

test('if two processes measure the same study, the second one to write is stopped', () => {
  const file = join(temporaryDirectory(), 'results.ndjson');
  const head = { study: 'throughput', target: 'local', parameters: {} };
  const [one, other] = [openJournal(file, throughputEntry, head), openJournal(file, throughputEntry, head)];
  const entry = {
    time: new Date().toISOString(),
    mode: 'elastic',
    set: '1 KB',
    bytes: 1_000,
    files: 1,
    duration_ms: 1,
    instance: 'one',
  } as const;
  one.append({ step: 'first', ...entry });
  one.append({ step: 'second', ...entry });
  expect(() => other.append({ step: 'first', ...entry })).toThrow(/Another process writes into/);
  expect(stepsOf(readFileSync(file, 'utf8'))).toEqual(['first', 'second']);
});

function start(out: string) {
  const child = spawn(process.execPath, [main, 'phase0', '--out', out], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let reported = '';
  child.stderr.on('data', (text) => {
    reported += text;
  });
  return { child, status: once(child, 'exit').then(([status]) => status), reported: () => reported };
}

async function untilLines(file: string, count: number): Promise<void> {
  while (!existsSync(file) || linesOf(readFileSync(file, 'utf8')) < count) await wait(10);
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** The steps that have a result, in the order of the file. */
function stepsOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const { step } = JSON.parse(line);
      return step === undefined ? [] : [step];
    } catch {
      // A broken line is no step.
      return [];
    }
  });
}
