import { expect, test } from 'vitest';
import { connect } from './connect.ts';
import { callOperation } from './dispatch.ts';
import { contractOfThisSide } from './envelope.ts';

const oid = '0'.repeat(40);
const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

function answering(output: unknown) {
  return connect(async () => ({ ok: true, output }));
}

test('the status of an older function, which has fewer fields, is accepted', async () => {
  const wiki = answering({
    wiki: 'main',
    wikis: ['main'],
    branch: 'main',
    head: oid,
    pages: 1,
    backend: 'Lambda',
    read_only: false,
    limits: {},
    versions: {},
    clone: null,
    problems: [],
  });
  expect(await wiki.wiki_status({}, call)).toMatchObject({ head: oid, scope: null });
});

test('the maintenance report of an older function, which has fewer fields, is accepted', async () => {
  const wiki = answering({
    mode: 'tidy',
    packs_before: 2,
    packs: 1,
    deleted: {},
    index_saved: true,
    commits_checked: null,
    problems: [],
    repair_commit: null,
    lost: [],
    more: 0,
  });
  expect(await wiki.maintain_wiki({ mode: 'tidy', all: false }, call)).toMatchObject({
    packs: 1,
    unfinished: [],
    lost_commits: [],
    packs_replaced: 0,
    order_restored: false,
  });
});

test('the bytes of a file travel as Base64, and come back as bytes to a caller that takes them', async () => {
  const sent: unknown[] = [];
  const wiki = connect(async ({ input }) => {
    sent.push(input);
    const content = Buffer.from('of the wiki').toString('base64');
    const attachment = {
      path: 'a.bin',
      version: oid,
      commit: oid,
      type: 'x',
      size: 11,
      content,
      saved_to: null,
    };
    const output = { ...attachment, previous_version: null, changed: true };
    return { ok: true, output };
  });
  await wiki.put_attachment({ path: 'a.bin' }, { ...call, bytes: Buffer.from('of the caller') });
  expect(sent).toEqual([{ path: 'a.bin', content: Buffer.from('of the caller').toString('base64') }]);
  const taken: string[] = [];
  const takeBytes = (bytes: Uint8Array) => taken.push(Buffer.from(bytes).toString());
  const answer = await wiki.get_attachment({ path: 'a.bin' }, { ...call, takeBytes });
  expect([answer.content, taken]).toEqual([null, ['of the wiki']]);
});

test('bytes come back only to a caller that takes them, and only where there are some', async () => {
  const file = { path: 'a.bin', version: oid, commit: oid, type: 'x', size: 1, saved_to: null };
  const content = Buffer.from('a').toString('base64');
  const get = (output: object, more: object) =>
    callOperation(answering(output), 'get_attachment', { path: 'a.bin' }, { ...call, ...more });
  expect(await get({ ...file, content }, {})).toMatchObject({ content });
  const taken: Uint8Array[] = [];
  const takeBytes = (bytes: Uint8Array) => taken.push(bytes);
  expect(await get({ ...file, content: null }, { takeBytes })).toMatchObject({ content: null });
  const written = callOperation(
    answering(reportedBack),
    'append_to_page',
    { path: 'A', content: 'a' },
    { ...call, takeBytes },
  );
  expect(await written).toMatchObject({ path: 'A' });
  expect(taken).toEqual([]);
});

test('an answer that this side cannot read is none', async () => {
  const asked = callOperation(answering({ path: 'A' }), 'append_to_page', { path: 'A', content: 'a' }, call);
  await expect(asked).rejects.toMatchObject({ code: 'write_state_unknown' });
});

test.each([
  ['write_page', 'write_state_unknown', 'The write may or may not have been committed.'],
  ['read_page', 'backend_unavailable', 'Nothing was read or changed.'],
] as const)('after %s an answer that is no reply is reported as %s', async (operation, code, now) => {
  const wiki = connect(async () => 'an error page of a proxy');
  const input = operation === 'read_page' ? { path: 'A' } : { path: 'A', content: '' };
  const asked = callOperation(wiki, operation, input, call);
  await expect(asked).rejects.toMatchObject({
    code,
    text: {
      happened: 'What answered is not a Pagetree wiki of this version.',
      now,
      next: 'Check that the server and the backend are of the same version; read the page before you write again.',
    },
  });
});

test('an error of the other side comes with its code, text and data, and the call has its signal', async () => {
  const { signal } = new AbortController();
  const signals: unknown[] = [];
  const text = { happened: 'a', now: 'b', next: 'c' };
  const wiki = connect(async (_, around) => {
    signals.push(around.signal);
    return { ok: false, error: { code: 'not_found', text, data: { path: 'A' } } };
  });
  const failure = callOperation(wiki, 'read_page', { path: 'A' }, { ...call, signal });
  await expect(failure).rejects.toMatchObject({ code: 'not_found', text, data: { path: 'A' } });
  expect(signals).toEqual([signal]);
});

const { contract, fingerprint } = contractOfThisSide;
const reportedBack = {
  path: 'A',
  version: oid,
  commit: oid,
  previous_version: null,
  diff: '',
  changed: true,
};

test.each<[string, object[], object[]]>([
  ['states nothing', [{}, {}], [{}, {}]],
  ['states its version', [{ contract }, { contract }], [{}, { contract }]],
  [
    'states its version and build',
    [
      { contract, fingerprint },
      { contract, fingerprint },
    ],
    [{}, { contract, fingerprint }],
  ],
])('a side that %s learns as much of this one from the second call on', async (_, stated, learned) => {
  const sent: object[] = [];
  const wiki = connect(async (request) => {
    sent.push(statementsOf(request));
    return { ok: true, ...stated[sent.length - 1], output: reportedBack };
  });
  for (const _call of stated) await callOperation(wiki, 'write_page', { path: 'A', content: '' }, call);
  expect(sent).toEqual(learned);
});

test('a side that was rolled back is asked again with what it knows, and only after a refusal', async () => {
  const sent: object[] = [];
  const text = { happened: 'The event is not a request to a wiki.', now: '', next: '' };
  const refusal = { ok: false, error: { code: 'invalid_input', text, data: {} } };
  const done = { ok: true, output: reportedBack };
  const answers = [
    { ...done, contract, fingerprint },
    refusal,
    done,
    { ...done, contract },
    refusal,
    refusal,
  ];
  const wiki = connect(async (request) => {
    sent.push(statementsOf(request));
    return answers[sent.length - 1];
  });
  const write = () => callOperation(wiki, 'write_page', { path: 'A', content: '' }, call);
  for (const _write of [1, 2, 3]) expect(await write()).toMatchObject({ path: 'A' });
  await expect(write()).rejects.toMatchObject({ code: 'backend_unavailable' });
  expect(sent).toEqual([{}, { contract, fingerprint }, {}, {}, { contract }, {}]);
});

function statementsOf(request: object): object {
  const { contract: version, fingerprint: build } = request as Record<string, unknown>;
  return {
    ...(version !== undefined && { contract: version }),
    ...(build !== undefined && { fingerprint: build }),
  };
}
