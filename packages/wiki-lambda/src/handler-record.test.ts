import { errorCodes, type Wiki, WikiError, wikiOf } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newWiki } from '../test/new-wiki.ts';
import type { Admit } from './admission.ts';
import { createHandler } from './handler.ts';
import type { Tracer } from './tracing.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };

/** A handler before a wiki, and what it has traced and logged. */
function handlerOf(wiki: Wiki, admitted: Partial<{ admit: Admit }> = {}) {
  const traced: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  let monotonic = 1_000;
  const tracer: Tracer = {
    async operation(header, name, work, describe) {
      const result = await work();
      traced.push([header, name, describe(result)]);
      return result;
    },
    phase: (_, work) => work(),
  };
  const handle = createHandler({
    admit: async (event) => ({ kind: 'admitted', wiki, request: event, person: null }),
    ...admitted,
    functionName: 'pagetree:7',
    tracer,
    traceHeader: () => 'Root=1',
    log: (line) => lines.push(JSON.parse(line)),
    init: {},
    clock: {
      now: () => 1_700_000_000_000,
      monotonic: () => {
        monotonic += 25;
        return monotonic;
      },
    },
  });
  const call = (operation: unknown, input: object) =>
    handle(
      { pagetree: 1, operation, input, caller },
      { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 30_000 },
    );
  return { call, traced, lines };
}

function failingWith(error: WikiError): Wiki {
  return wikiOf(async () => {
    throw error;
  });
}

test.each(errorCodes)(
  'the trace of a call says that it ended with %s, and whose fault that was',
  async (code) => {
    const error = new WikiError(code, { happened: 'A.', now: 'B.', next: 'C.' });
    const { call, traced, lines } = handlerOf(failingWith(error));
    expect(await call('read_page', { path: 'P' })).toMatchObject({ ok: false, error: { code } });
    const faults = ['internal', 'backend_unavailable', 'write_state_unknown'];
    const kind = code === 'busy' ? 'throttle' : faults.includes(code) ? 'fault' : 'error';
    expect(traced).toEqual([['Root=1', 'read_page', { [kind]: true, annotations: { outcome: code } }]]);
    expect(lines).toMatchObject([{ outcome: code, duration: 25 }]);
  },
);

test('the trace of a successful call has no error, and an unknown operation has no name in it', async () => {
  const { call, traced } = handlerOf(await newWiki());
  await call('list_wikis', {});
  await call('drop_wiki', {});
  expect(traced).toEqual([
    ['Root=1', 'list_wikis', { annotations: { outcome: 'ok' } }],
    ['Root=1', 'unknown operation', { error: true, annotations: { outcome: 'invalid_input' } }],
  ]);
});

test('only the commit that a call made is in the log', async () => {
  const { call, lines } = handlerOf(await newWiki());
  const replies = [
    await call('write_page', { wiki: 'main', path: 'P', content: 'x' }),
    await call('append_to_page', { path: 'P', content: 'x' }),
    await call('append_to_page', { path: 'P', content: 'x', dry_run: true }),
    await call('get_history', { path: 'P' }),
    await call('show_changes', { since: '2020' }),
    await call('diff_page', { path: 'P', from: '2020' }),
    await call('read_page', { path: 'P' }),
    await call('maintain_wiki', { wiki: 'main', mode: 'tidy' }),
  ];
  const commits = replies.slice(0, 2).map((reply) => (reply as { output: { commit: string } }).output.commit);
  expect(commits).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/), expect.stringMatching(/^[0-9a-f]{40}$/)]);
  expect(lines.map((line) => line.commit)).toEqual([...commits, ...Array(6).fill(null)]);
});

test('a call that is answered leaves no timer behind', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const error = new WikiError('not_found', { happened: 'A.', now: 'B.', next: 'C.' });
  await handlerOf(failingWith(error)).call('list_wikis', {});
  expect(vi.getTimerCount()).toBe(0);
});

test('a call that is not let in asks the wiki nothing, and the log has the reason and no person', async () => {
  const error = new WikiError('forbidden', { happened: 'A.', now: 'B.', next: 'C.' });
  const { call, lines, traced } = handlerOf(failingWith(error), {
    admit: async () => ({ kind: 'refused', error, why: 'it has none' }),
  });
  expect(await call('write_page', { path: 'P', content: 'x' })).toMatchObject({
    error: { code: 'forbidden' },
  });
  expect(lines).toMatchObject([{ outcome: 'forbidden', refused: 'it has none', level: 'error' }]);
  expect(lines[0]).not.toHaveProperty('person.subject');
  expect(traced).toHaveLength(1);
});
