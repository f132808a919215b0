import { aroundEach, type Reply, START, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newWiki } from '../test/new-wiki.ts';
import { admitAll } from './admission.ts';
import { createHandler } from './handler.ts';
import { misconfigured, refuseWrites, serveWiki } from './served-wiki.ts';
import { untraced } from './tracing.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };

/** A handler as Lambda calls it, and the lines that it has logged. */
function handlerOf(wiki: Wiki) {
  const lines: Record<string, unknown>[] = [];
  const handle = createHandler({
    admit: admitAll(wiki),
    functionName: 'pagetree:7',
    tracer: untraced,
    traceHeader: () => undefined,
    log: (line) => lines.push(JSON.parse(line)),
    init: { runtime: 40, import: 80.123, open: 100 },
    clock: { now: Date.now, monotonic: () => performance.now() },
  });
  const call = (operation: string, input: object, remainingMs = 30_000): Promise<Reply> =>
    handle(
      { pagetree: 1, operation, input, caller },
      { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => remainingMs },
    );
  return { handle, call, lines };
}

test('an event that only starts the environment calls nothing, and is no line of log', async () => {
  const asked: string[] = [];
  const wiki = aroundEach(newWiki, async (operation, run) => {
    asked.push(operation);
    return run();
  });
  const { handle, call, lines } = handlerOf(wiki);
  const context = { awsRequestId: 'invocation-0', getRemainingTimeInMillis: () => 30_000 };
  expect(await handle(START, context)).toMatchObject({ ok: true, output: {} });
  expect([asked, lines]).toEqual([[], []]);
  await call('list_wikis', {});
  expect(lines).toMatchObject([{ operation: 'list_wikis', init: { runtime: 40 } }]);
});

test('each call is one line of log, which never holds the text of a page', async () => {
  const { call, lines } = handlerOf(await newWiki());
  const secret = 'the text of the page';
  const write = { path: 'P', content: secret, message: secret, request_id: 'request-1', wiki: 'main' };
  const written = await call('write_page', write);
  expect(written).toMatchObject({ ok: true });
  expect(await call('edit_page', { path: 'P', old_string: secret + secret, new_string: '' })).toMatchObject({
    error: { code: 'no_match' },
  });
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines).toMatchObject([
    {
      level: 'info',
      operation: 'write_page',
      wiki: 'main',
      path: 'P',
      request_id: 'request-1',
      invocation: 'invocation-1',
      outcome: 'ok',
      commit: written.ok && (written.output as { commit: string }).commit,
      version: 'pagetree:7',
      init: { runtime: 40, import: 80.12, open: 100 },
      faults: 0,
    },
    { operation: 'edit_page', outcome: 'no_match', commit: null, faults: 0 },
  ]);
  expect(lines[1]).not.toHaveProperty('init');
});

test('a change that was only tried, or that changed nothing, has no commit in the log', async () => {
  const { call, lines } = handlerOf(await newWiki());
  const edit = { path: 'Home', old_string: '#', new_string: '##', replace_all: true };
  await call('edit_page', { ...edit, dry_run: true });
  await call('edit_page', { ...edit, new_string: '#' });
  expect(lines).toMatchObject([{ commit: null }, { commit: null }]);
});

/** A record in CloudWatch's embedded metric format. */
interface Embedded {
  CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

test('a line is an embedded metric as CloudWatch reads it', async () => {
  const { call, lines } = handlerOf(await newWiki());
  await call('wiki_status', {});
  const [line = {}] = lines;
  const { CloudWatchMetrics } = line._aws as Embedded;
  const [metrics] = CloudWatchMetrics;
  for (const name of metrics?.Dimensions.flat() ?? []) expect(line[name]).toEqual(expect.any(String));
  for (const { Name } of metrics?.Metrics ?? []) expect(line[Name]).toEqual(expect.any(Number));
  expect(line).toMatchObject({
    function: 'pagetree',
    effect: 'read',
    _aws: { Timestamp: expect.any(Number) },
  });
});

const PROGRESS = { wikis_done: 7, wikis_left: 993, failures: 1 };
const LEFT_UNDONE = { wikis_unfinished: 2, debt_packs: 40, debt_bytes: 70_000, debt_growth_rounds: 2 };
const ROUND = { ...PROGRESS, ...LEFT_UNDONE, unfinished_wikis: ['large', 'larger'] };

test.each([
  ['under way', ROUND, PROGRESS],
  ['complete', { ...ROUND, wikis_left: 0 }, { ...PROGRESS, ...LEFT_UNDONE }],
])(
  'a maintenance of all wikis that is %s has its metrics in the log, also where one wiki fails',
  async (_, round, metrics) => {
    const wiki = await newWiki();
    let fails = false;
    const { call, lines } = handlerOf({
      ...wiki,
      maintain_wiki: async (input, given) => {
        if (fails) throw new WikiError('internal', { happened: 'A.', now: 'B.', next: 'C.' }, { round });
        return { ...(await wiki.maintain_wiki(input, given)), round };
      },
    });
    for (fails of [false, true]) await call('maintain_wiki', { all: true });
    for (const line of lines) {
      expect(line).toMatchObject({ ...round, function: 'pagetree' });
      const [, ...embedded] = (line._aws as Embedded).CloudWatchMetrics;
      for (const { Dimensions } of embedded) expect(Dimensions).toEqual([['function']]);
      const names = embedded.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
      expect(names.toSorted()).toEqual(Object.keys(metrics).toSorted());
    }
    expect(lines).toHaveLength(2);
  },
);

test.each([null, 7, 'text', {}, { pagetree: 1, operation: 'drop_wiki', input: {}, caller }])(
  'the event %j is answered and logged',
  async (event) => {
    const { handle, lines } = handlerOf(await newWiki());
    const reply = await handle(event, { awsRequestId: 'x', getRemainingTimeInMillis: () => 30_000 });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(lines).toMatchObject([{ operation: null, outcome: 'invalid_input' }]);
  },
);

test('an unforeseen error is logged by name and place, without its message, which may quote a page', async () => {
  const broken = aroundEach(
    async () => {
      throw new SyntaxError('Unexpected token: the text of the page');
    },
    (_, run) => run(),
  );
  const { call, lines } = handlerOf(broken);
  expect(await call('read_page', { path: 'P' })).toMatchObject({ error: { code: 'internal' } });
  expect(lines).toMatchObject([
    { level: 'error', outcome: 'internal', faults: 1, cause: { name: 'SyntaxError', at: expect.any(Array) } },
  ]);
  expect(JSON.stringify(lines)).not.toContain('text of the page');
});

test('a call that does not end is answered before Lambda kills it: reads as busy, writes as unknown', async () => {
  const endless = aroundEach(
    () => new Promise(() => {}),
    (_, run) => run(),
  );
  const { call, lines } = handlerOf(endless);
  expect(await call('read_page', { path: 'P' }, 300)).toMatchObject({ error: { code: 'busy' } });
  expect(await call('write_page', { path: 'P', content: '' }, 300)).toMatchObject({
    error: { code: 'write_state_unknown' },
  });
  const reason = 'The wiki did not come to an end in the time that the function has.';
  expect(lines).toMatchObject([
    { level: 'info', outcome: 'busy', busy: 1, reason },
    { level: 'error', outcome: 'write_state_unknown', faults: 1, reason },
  ]);
});

test.each([
  ['maintain_wiki', { mode: 'check' }],
  ['import_wiki', { dry_run: true, content: '' }],
])('%s %j changes nothing, and is never reported as a write of unknown state', async (operation, input) => {
  const endless = aroundEach(
    () => new Promise(() => {}),
    (_, run) => run(),
  );
  const { call } = handlerOf(endless);
  expect(await call(operation, input, 300)).toMatchObject({
    error: { code: 'busy', text: { now: 'Nothing was changed.' } },
  });
});

test.each([
  [{ mode: 'check' }, 21_000],
  [{ mode: 'tidy', wiki: 'main' }, 21_000],
  // The nightly schedule has an alias of its own, whose long calls raise no alarm.
  [{ mode: 'tidy', all: true, once_a_night: true }, 28_500],
])('maintain_wiki %j of 30 s is to end after %i ms: the alarm of long calls has 24 s', async (input, ms) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const began = performance.now();
  const ended: number[] = [];
  const { call } = handlerOf({
    ...(await newWiki()),
    maintain_wiki: async (_, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      ended.push(performance.now() - began);
      throw new Error('It does not matter what it answers.');
    },
  });
  const answer = call('maintain_wiki', input, 30_000);
  await vi.advanceTimersByTimeAsync(30_000);
  await answer;
  expect(ended).toEqual([ms]);
});

test('a write whose time is over before it lands is not made, and the answer says so', async () => {
  const wiki = await newWiki();
  const slow: Wiki = {
    ...wiki,
    write_page: async (input, call) => {
      await new Promise((resolve) => call.signal?.addEventListener('abort', resolve));
      return wiki.write_page(input, call);
    },
  };
  const { call } = handlerOf(slow);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const late = call('write_page', { path: 'Late', content: 'x', request_id: 'late' }, 30_000);
  await vi.advanceTimersByTimeAsync(28_500);
  expect(await late).toMatchObject({ error: { code: 'busy', text: { now: 'Nothing was written.' } } });
  expect(await call('read_page', { path: 'Late' })).toMatchObject({ error: { code: 'not_found' } });
});

test("a reader's function reads, and says who can grant more where it is asked to write", async () => {
  const { call } = handlerOf(refuseWrites(await newWiki(), 'pagetree-reader:3'));
  expect(await call('read_page', { path: 'Home' })).toMatchObject({ ok: true });
  const refused = await call('write_page', { path: 'P', content: 'x' });
  expect(refused).toMatchObject({
    error: { code: 'forbidden', text: { next: expect.stringMatching(/policy for writers/) } },
  });
});

test('wrong settings are reported by every call', async () => {
  const { call, lines } = handlerOf(misconfigured(['PAGETREE_DIR is "wikis", but must be absolute.']));
  expect(await call('wiki_status', {})).toMatchObject({
    error: {
      code: 'backend_unavailable',
      text: { happened: expect.stringMatching(/PAGETREE_DIR is "wikis"/) },
    },
  });
  expect(lines).toMatchObject([{ level: 'error', reason: expect.stringMatching(/PAGETREE_DIR is "wikis"/) }]);
});

test('a wiki that failed to open is opened again by the next call', async () => {
  const wiki = await newWiki();
  let opened = 0;
  const served = serveWiki(async () => {
    opened += 1;
    if (opened < 3) throw new Error('not yet');
    return { wiki, name: 'main', warm: async () => {}, settle: async () => {}, close: async () => {} };
  });
  const { call } = handlerOf(served.wiki);
  expect(await call('wiki_status', {})).toMatchObject({ error: { code: 'internal' } });
  expect(await call('wiki_status', {})).toMatchObject({ ok: true });
});
