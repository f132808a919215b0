import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { type ErrorCode, WikiError } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { admitAll } from './admission.ts';
import { createHandler } from './handler.ts';
import { type LogLineParts, logLine } from './operation-log.ts';
import { untraced } from './tracing.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const TEXT = { happened: 'It broke.', now: 'N.', next: 'X.' };

test('the line of a night names each wiki that failed, with its reason', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'wiki-lambda-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const host = { backend: 'lambda', versions: {}, problems: [] };
  for (const name of ['bb', 'dd'])
    execFileSync('git', [
      'init',
      '--quiet',
      '--bare',
      '--object-format=sha256',
      join(directory, `${name}.git`),
    ]);
  const opened = await openWiki({ directory, wiki: 'bb', placement: 'shared', host });
  onTestFinished(() => opened.close());
  const lines: Record<string, unknown>[] = [];
  const handle = createHandler({
    admit: admitAll(opened.wiki),
    functionName: 'pagetree:7',
    tracer: untraced,
    traceHeader: () => undefined,
    log: (line) => lines.push(JSON.parse(line)),
    init: {},
    clock: { now: Date.now, monotonic: () => performance.now() },
  });
  const input = { mode: 'tidy', all: true, once_a_night: true };
  await handle(
    { pagetree: 1, operation: 'maintain_wiki', input, caller },
    { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 30_000 },
  );
  expect(lines).toMatchObject([
    {
      level: 'error',
      failures: 2,
      failed_wikis: [
        {
          wiki: 'bb',
          outcome: 'backend_unavailable',
          reason: expect.stringContaining('bb.git cannot be used'),
        },
        {
          wiki: 'dd',
          outcome: 'backend_unavailable',
          reason: expect.stringContaining('dd.git cannot be used'),
        },
      ],
    },
  ]);
});

test('a wiki that failed is named whatever its error means to a caller, and never by the text of a page', () => {
  for (const code of ['forbidden', 'too_large', 'busy', 'internal'] as const) {
    const line = lineOf(
      [failed('a', code), failed('b', 'internal', new SyntaxError('the text of the page'))],
      code,
    );
    expect(JSON.parse(line).failed_wikis).toMatchObject([
      { wiki: 'a', outcome: code, reason: 'It broke.' },
      { wiki: 'b', reason: 'It broke.', cause: { name: 'SyntaxError', at: expect.any(Array) } },
    ]);
    expect(line).not.toContain('text of the page');
  }
});

test('the line stays short if very many wikis fail for long reasons', () => {
  const cause = new Error('x', { cause: new Error('y') });
  const failures = Array.from({ length: 5_000 }, (_, index) =>
    failed(`w-${index}`, 'internal', cause, 'long '.repeat(1_000)),
  );
  const line = lineOf(failures, 'internal');
  // CloudWatch cuts a line off at 256 KiB, and then it is no metric.
  expect(line.length).toBeLessThan(200_000);
  const { failed_wikis, failed_wikis_more } = JSON.parse(line);
  expect(failed_wikis.length + failed_wikis_more).toBe(5_000);
  expect(failed_wikis.length).toBeGreaterThan(50);
});

function failed(wiki: string, code: ErrorCode, cause?: unknown, happened = TEXT.happened): WikiError {
  return new WikiError(code, { ...TEXT, happened }, { wiki }, cause === undefined ? {} : { cause });
}

function lineOf(failures: readonly WikiError[], outcome: ErrorCode): string {
  const error = new WikiError(outcome, TEXT, {}, { cause: new AggregateError(failures, 'They broke.') });
  const record: LogLineParts['record'] = {
    operation: 'maintain_wiki',
    wiki: null,
    path: null,
    requestId: null,
    isDryRun: false,
    goesOnLater: false,
  };
  const invocation = { id: 'invocation-1', durationMs: 1, timestamp: 1 };
  const admitted = { person: null, refused: null };
  const rest = { functionName: 'pagetree:7', invocation, ...admitted, round: null, commit: null, init: null };
  return logLine({ record, outcome, error, ...rest });
}
