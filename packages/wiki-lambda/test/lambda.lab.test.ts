import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../../labs/lambda-lab/faults.ts';
import { FunctionFailure, invokeWiki } from '../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { parseInput } from '../../wiki/src/contract/parse-input.ts';
import type { Call } from '../../wiki/src/contract/wiki.ts';
import { git } from '../../wiki/test/native-git.ts';
import { buildFunction, functionDirectory } from '../build.ts';
import { persistently } from './persistent-client.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'test/1.0' } };

beforeAll(() => buildFunction());

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'wikis-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

interface LabParts {
  directory?: string;
  variables?: Record<string, string>;
  timeoutMs?: number;
}

async function openLab({ directory = newDirectory(), variables = {}, timeoutMs = 30_000 }: LabParts = {}) {
  const lines: string[] = [];
  const lab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory, ...variables },
    timeoutMs,
    onLine: (line) => lines.push(line),
  });
  const { wiki, close } = invokeWiki(lab);
  onTestFinished(async () => {
    close();
    await lab.stop();
  });
  const append = (content: string, request_id: string) =>
    wiki.append_to_page({ path: 'Log', content, request_id, create: true }, call);
  const read = async (path: string) =>
    (await wiki.read_page(parseInput('read_page', { path }), call)).content;
  /** The output of native git for the wiki, after its branch was brought to the newest commit. */
  const nativeGit = async (...words: string[]) => {
    await wiki.wiki_status({}, call);
    return git(join(directory, 'main.git'), words);
  };
  return { lab, wiki, lines, append, read, nativeGit };
}

test('the wiki is opened once for each environment, and reports where it runs', async () => {
  const { wiki, lines } = await openLab();
  const status = await wiki.wiki_status({}, call);
  expect(status).toMatchObject({
    backend: 'lambda',
    wiki: 'main',
    versions: { function: 'pagetree:1', node: process.version, mount: expect.stringMatching(/\brw\b/) },
    problems: [expect.stringMatching(/not on NFS/)],
  });
  await wiki.wiki_status({}, call);
  const reported = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(reported.map((line) => line.init !== undefined)).toEqual([true, false]);
});

test('a retry after a lost answer gets the answer of the first attempt', async () => {
  const { lab, append, read, nativeGit } = await openLab();
  const request = randomUUID();
  const lost = lab.provoke({ kind: 'lose-reply' });
  await expect(append('once', request)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await lost.struck;
  const commits = await nativeGit('rev-list', '--count', 'main');
  await append('another', randomUUID());
  const answer = await append('once', request);
  expect(answer).toMatchObject({ changed: true, diff: expect.stringMatching(/^\+once$/m) });
  expect(await append('once', request)).toEqual(answer);
  expect(await read('Log')).toBe('once\nanother\n');
  expect(await nativeGit('rev-list', '--count', 'main')).toBe(String(Number(commits) + 1));
  expect(await nativeGit('rev-list', 'main')).toContain(answer.commit);
});

test('a first attempt that thaws after its retry has committed adds nothing, at whichever step it froze', async () => {
  const { lab, append, read, nativeGit } = await openLab();
  await append('warm', randomUUID());
  const expected = ['warm'];
  let thawedLate = 0;
  // The time of a write differs by machine: the moments rotate until enough of them fell into one.
  for (let round = 0; round < 60 && thawedLate < 8; round += 1) {
    const [line, request] = [`line-${round}`, randomUUID()];
    const frozen = lab.provoke({ kind: 'freeze', afterMs: round % 8 });
    const first = append(line, request);
    const struck = await Promise.race([frozen.struck.then(() => true), first.then(() => false)]);
    const retry = await append(line, request);
    frozen.release();
    expect(await first).toEqual(retry);
    expected.push(line);
    if (struck) thawedLate += 1;
  }
  expect(await read('Log')).toBe(`${expected.join('\n')}\n`);
  expect(thawedLate).toBeGreaterThan(4);
  expect(await nativeGit('fsck', '--strict', '--no-dangling')).toBe('');
});

test('a write that passes its deadline may finish during a later call, and is made once', async () => {
  const timeoutMs = 1_500;
  const { lab, append, read, nativeGit } = await openLab({ timeoutMs });
  const warm = randomUUID();
  await persistently(() => append('warm', warm));
  const commits = Number(await nativeGit('rev-list', '--count', 'main'));
  const expected = ['warm'];
  let overtaken = 0;
  for (let round = 0; round < 30 && overtaken < 4; round += 1) {
    const [line, request] = [`line-${round}`, randomUUID()];
    const frozen = lab.provoke({ kind: 'freeze', afterMs: round % 8 });
    const first = append(line, request).catch((error: unknown) => error);
    // When it thaws its time is over: it answers at once, and is frozen again with the write under way.
    if (await Promise.race([frozen.struck.then(() => true), first.then(() => false)])) await wait(timeoutMs);
    frozen.release();
    const answer = await first;
    if (answer instanceof Error) {
      expect(answer).toMatchObject({ code: expect.stringMatching(/^(busy|write_state_unknown)$/) });
      overtaken += 1;
    }
    await persistently(() => append(line, request));
    expected.push(line);
  }
  expect(await read('Log')).toBe(`${expected.join('\n')}\n`);
  expect(overtaken).toBeGreaterThan(0);
  expect(Number(await nativeGit('rev-list', '--count', 'main'))).toBe(commits + expected.length - 1);
  expect(await nativeGit('fsck', '--strict', '--no-dangling')).toBe('');
});

test.each<Fault>([
  { kind: 'kill', afterMs: 3 },
  { kind: 'kill', afterMs: 8, why: 'timeout' },
  { kind: 'kill', afterMs: 14, why: 'memory' },
])('an environment that dies half-way (%j) delays no other call', async (fault) => {
  const { lab, append, read, nativeGit } = await openLab();
  await append('warm', randomUUID());
  const request = randomUUID();
  lab.provoke(fault);
  await append('line', request).catch((error: unknown) => {
    if (!(error instanceof FunctionFailure)) throw error;
  });
  expect(await append('line', request)).toMatchObject({ changed: true });
  expect(await read('Log')).toBe('warm\nline\n');
  expect(await nativeGit('fsck', '--strict', '--no-dangling')).toBe('');
});

test('a trace has the operation below the invocation, and each phase of the storage below the operation', async () => {
  const { lab, append, wiki } = await openLab();
  await append('line', randomUUID());
  await wiki.read_page(parseInput('read_page', { path: 'Log' }), call);
  const [write, read] = lab.traceDocuments as TraceDocument[];
  expect(write).toMatchObject({ name: 'append_to_page', type: 'subsegment', annotations: { outcome: 'ok' } });
  expect(write?.trace_id).toMatch(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  expect(write?.parent_id).toMatch(/^[0-9a-f]{16}$/);
  const phases = write?.subsegments?.map(({ name }) => name) ?? [];
  expect(phases).toEqual(expect.arrayContaining(['look up request', 'build', 'upload', 'link']));
  for (const phase of write?.subsegments ?? []) {
    expect(phase.start_time).toBeGreaterThanOrEqual(write?.start_time ?? Number.NaN);
    expect(phase.end_time).toBeLessThanOrEqual(write?.end_time ?? Number.NaN);
  }
  expect(read).toMatchObject({ name: 'read_page', subsegments: [{ name: 'head' }] });
  expect(read?.trace_id).not.toBe(write?.trace_id);
});

interface TraceDocument {
  name: string;
  trace_id: string;
  parent_id: string;
  start_time: number;
  end_time: number;
  subsegments?: TraceDocument[];
}

test("a reader's function reads and does not write", async () => {
  const directory = newDirectory();
  const writer = await openLab({ directory });
  await writer.append('line', randomUUID());
  const reader = await openLab({ directory, variables: { PAGETREE_READ_ONLY: 'true' } });
  expect(await reader.read('Log')).toBe('line\n');
  expect(await reader.wiki.wiki_status({}, call)).toMatchObject({ read_only: true });
  await expect(reader.append('x', randomUUID())).rejects.toMatchObject({ code: 'forbidden' });
});
