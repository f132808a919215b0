import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../../src/contract/connect.ts';
import { callOperation, dispatch } from '../../src/contract/dispatch.ts';
import { CONTRACT_VERSION, type Request } from '../../src/contract/envelope.ts';
import { errorCodes } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/operations.ts';
import type { Call, Wiki } from '../../src/contract/wiki.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { temporaryDirectory } from '../native-git.ts';
import { contract1, type JsonObject, parseInput1, parseOutput1, reply1, request1 } from './contract-1.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'test/1' } };

async function newWiki(): Promise<Wiki> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory: temporaryDirectory(), wiki: null, placement: 'local', host });
  onTestFinished(() => opened.close());
  return opened.wiki;
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A function of version 1 over a wiki: it refuses what it does not know, and says no version. */
function functionOfVersion1(wiki: Wiki, seen: Request[] = []) {
  return async (request: unknown): Promise<unknown> => {
    const taken = request1.safeParse(travelled(request));
    if (!taken.success) return refusal('The event is not a request to a wiki.');
    seen.push(request as Request);
    const { operation, caller } = taken.data;
    let input: unknown;
    try {
      input = parseInput1(operation, taken.data.input);
    } catch {
      return refusal(`The arguments of ${operation} do not fit: ${operation} takes no "new".`);
    }
    const { contract: _contract, ...answer } = await dispatch(wiki, {
      pagetree: 1,
      operation,
      input,
      caller,
    });
    return travelled(answer);
  };
}

function refusal(happened: string): unknown {
  const text = { happened, now: 'Nothing was read or changed.', next: 'Call it again with these corrected.' };
  return { ok: false, error: { code: 'invalid_input', text, data: { fields: [] } } };
}

/** Calls with every field that version 1 has for them left out or given, in an order that works on a new wiki. */
const calls: [keyof typeof operations, Record<string, unknown>][] = [
  ['wiki_status', {}],
  ['list_wikis', {}],
  ['write_page', { path: 'A', content: '# A\n\nText with [[B]].\n', request_id: 'one' }],
  ['write_page', { path: 'B', content: '# B\n\n## Part\n\nx\n', message: 'Begin', allow_shrink: true }],
  ['edit_page', { path: 'A', edits: [{ old_string: 'Text', new_string: 'More' }] }],
  [
    'edit_page',
    { path: 'A', edits: [{ old_string: 'e', new_string: 'e', replace_all: true }], dry_run: true },
  ],
  ['append_to_page', { path: 'A', content: 'End.' }],
  ['edit_section', { path: 'B', heading: 'Part', operation: 'append', content: 'y' }],
  ['update_frontmatter', { path: 'B', set: { tags: ['t'] } }],
  ['read_page', { path: 'A' }],
  ['read_page', { path: 'A', mode: 'outline' }],
  ['read_pages', { paths: ['A', 'B'] }],
  ['list_pages', {}],
  ['list_pages', { prefix: '', sort: 'updated', limit: 1 }],
  ['search_pages', { query: 'More' }],
  ['search_pages', { query: 'Mo.e', mode: 'regex', context_lines: 1 }],
  ['move_page', { path: 'B', new_path: 'C' }],
  [
    'commit_changes',
    {
      message: 'Both',
      changes: [
        { op: 'write', path: 'D', content: 'd' },
        { op: 'append', path: 'C', content: 'z' },
      ],
    },
  ],
  ['get_history', { path: 'A' }],
  ['get_history', {}],
  ['diff_page', { path: 'A', from: 'FIRST' }],
  ['get_links', { path: 'A' }],
  ['check_wiki', {}],
  ['put_attachment', { path: 'a.txt', content: 'eA==' }],
  ['list_attachments', {}],
  ['get_attachment', { path: 'a.txt' }],
  ['delete_attachment', { path: 'a.txt', version: 'NOW' }],
  ['delete_page', { path: 'D', version: 'NOW' }],
  ['restore_page', { path: 'A', commit: 'FIRST', version: 'NOW' }],
  ['maintain_wiki', {}],
  ['create_wiki', { wiki: 'other' }],
  ['export_wiki', {}],
];

/** Puts in what a fixed call cannot know: the version that the page or file has now, the first commit of a page. */
async function filledIn(wiki: Wiki, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const filled = { ...input };
  if (input.version === 'NOW') {
    const reading = String(input.path).includes('.') ? 'get_attachment' : 'read_page';
    const read = await callOperation(wiki, reading, { path: input.path }, call);
    filled.version = (read as { version: string }).version;
  }
  for (const name of ['from', 'commit']) {
    if (input[name] !== 'FIRST') continue;
    filled[name] = (await wiki.get_history({ path: 'A', limit: 50 }, call)).entries.at(-1)?.commit;
  }
  return filled;
}

test('a function of version 1 serves a client of this version, which sends it only the given arguments', async () => {
  const seen: Request[] = [];
  const wiki = await newWiki();
  const connected = connect(functionOfVersion1(wiki, seen));
  for (const [operation, given] of calls) {
    const input = await filledIn(wiki, given);
    await callOperation(connected, operation, input, call);
    const sent = seen.at(-1)?.input as Record<string, unknown>;
    expect(sent, operation).toEqual(withoutGivenDefaults(operation, input));
  }
  const called = new Set(calls.map(([operation]) => operation));
  expect(Object.keys(contract1.operations).filter((name) => !called.has(name as never))).toEqual([
    'revert_commit',
    'import_wiki',
  ]);
});

/** A field that was given its default may be left out too: it means the same. */
function withoutGivenDefaults(operation: string, input: Record<string, unknown>): Record<string, unknown> {
  const properties = contract1.operations[operation]?.input.properties ?? {};
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => properties[name]?.default !== value),
  );
}

test('a function of this version serves a client of version 1, which sends every default', async () => {
  const wiki = await newWiki();
  for (const [operation, given] of calls) {
    const input = parseInput1(operation, await filledIn(wiki, given));
    const request = request1.parse({ pagetree: 1, operation, input, caller: call.caller });
    const answer = reply1.parse(travelled(await dispatch(wiki, travelled(request))));
    if (!answer.ok) throw new Error(`${operation}: ${answer.error.text.happened}`);
    parseOutput1(operation, answer.output);
  }
});

test('a write repeated across an update of either side counts as the same request', async () => {
  const wiki = await newWiki();
  const clients = [
    connect(functionOfVersion1(wiki)),
    connect((request) => dispatch(wiki, travelled(request))),
    wiki,
  ];
  const writes: typeof calls = [
    ['write_page', { path: 'A', content: 'a', request_id: 'w' }],
    ['edit_page', { path: 'A', edits: [{ old_string: 'a', new_string: 'b' }], request_id: 'e' }],
    ['append_to_page', { path: 'A', content: 'c', request_id: 'a' }],
    ['move_page', { path: 'A', new_path: 'B', request_id: 'm' }],
    [
      'commit_changes',
      {
        message: 'm',
        changes: [{ op: 'edit', path: 'B', edits: [{ old_string: 'c', new_string: 'd' }] }],
        request_id: 'c',
      },
    ],
  ];
  for (const [operation, input] of writes) {
    const answers = [];
    for (const client of clients) answers.push(await callOperation(client, operation, input, call));
    const full = await callOperation(wiki, operation, parseInput1(operation, input), call);
    for (const answer of answers) expect(answer, operation).toEqual(full);
  }
});

test('both sides report their contract version, and a function that is rolled back to version 1 still works', async () => {
  const wiki = await newWiki();
  const said: (number | undefined)[] = [];
  let isRolledBack = false;
  const connected = connect(async (request) => {
    said.push(request.contract);
    if (isRolledBack) return functionOfVersion1(wiki)(request);
    const answer = await dispatch(wiki, travelled(request));
    expect(answer.contract).toBe(CONTRACT_VERSION);
    return answer;
  });
  await connected.wiki_status({}, call);
  await connected.wiki_status({}, call);
  isRolledBack = true;
  await connected.write_page({ path: 'A', content: 'a', allow_shrink: false }, call);
  await connected.wiki_status({}, call);
  expect(said).toEqual([undefined, CONTRACT_VERSION, CONTRACT_VERSION, undefined, undefined]);
});

test('a call that asks for more than the function knows says that the function is older and must be updated', async () => {
  for (const happened of [
    'The arguments of read_page do not fit: read_page takes no "lens".',
    'There is no operation "read_page".',
    'The event is not a request to a wiki.',
  ]) {
    const connected = connect(async () => refusal(happened));
    await expect(callOperation(connected, 'read_page', { path: 'A' }, call)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: {
        happened: expect.stringMatching(
          /^The backend of this wiki is older than this server \(contract 1, here \d+\)/,
        ),
        now: 'Nothing was read or changed.',
        next: expect.stringMatching(
          /^Call again without what it does not know, or tell the person .* `pnpm deploy:aws`/,
        ),
        atTerminal: expect.stringMatching(/^Update the backend/),
      },
    });
  }
});

test('an unreadable answer gives an error that says which side to update', async () => {
  const answers = (contract: number | undefined) => connect(async () => ({ ok: true, contract, output: {} }));
  const read = (wiki: Wiki) => callOperation(wiki, 'read_page', { path: 'A' }, call);
  await expect(read(answers(CONTRACT_VERSION + 1))).rejects.toMatchObject({
    text: {
      happened: expect.stringContaining('newer than'),
      atTerminal: expect.stringMatching(/^Update this server to/),
    },
  });
  await expect(read(answers(undefined))).rejects.toMatchObject({
    text: {
      happened: expect.stringContaining('older than'),
      atTerminal: expect.stringMatching(/^Update the backend/),
    },
  });
  await expect(read(answers(CONTRACT_VERSION))).rejects.toMatchObject({
    text: { atTerminal: expect.stringMatching(/^Update this server and the backend/) },
  });
  const write = callOperation(answers(undefined), 'write_page', { path: 'A', content: 'a' }, call);
  await expect(write).rejects.toMatchObject({ code: 'write_state_unknown' });
});

test('a call that only reads is never reported as a write of unknown state', async () => {
  const check = (answer: unknown) =>
    callOperation(
      connect(async () => answer),
      'maintain_wiki',
      { mode: 'check' },
      call,
    );
  for (const answer of [null, 'text', { ok: true, contract: 9, output: {} }])
    await expect(check(answer)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: { now: expect.stringMatching(/^Nothing was (read or )?changed\.$/) },
    });
});

test('an unknown error code of a newer side becomes a general error with the same words', async () => {
  const text = { happened: 'A.', now: 'B.', next: 'C.' };
  const connected = connect(async () => ({
    ok: false,
    contract: 9,
    error: { code: 'quota', text, data: {} },
  }));
  await expect(connected.wiki_status({}, call)).rejects.toMatchObject({ code: 'internal', text });
});

test('since version 1 nothing was removed, no default changed, and every addition is optional', () => {
  expect(errorCodes).toEqual(contract1.errorCodes);
  for (const [name, frozen] of Object.entries(contract1.operations)) {
    const { input, output, effect } = operations[name as keyof typeof operations];
    const now = z.toJSONSchema(input, { io: 'input' }) as unknown as JsonObject;
    expectCompatible(name, frozen.input, now, effect === 'write');
    const answered = z.toJSONSchema(output, { io: 'input' }) as unknown as JsonObject;
    // A client of this version reads what a function of version 1 answers.
    expect(frozen.output.required, name).toEqual(expect.arrayContaining(answered.required ?? []));
    // And the other way round.
    const always = (z.toJSONSchema(output, { io: 'output' }) as unknown as JsonObject).required ?? [];
    expect(always, name).toEqual(expect.arrayContaining(frozen.output.required ?? []));
  }
});

function expectCompatible(name: string, frozen: JsonObject, now: JsonObject, isWrite: boolean): void {
  expect(frozen.required ?? [], name).toEqual(expect.arrayContaining(now.required ?? []));
  for (const [field, schema] of Object.entries(frozen.properties)) {
    expect(now.properties[field]?.default, `${name}.${field}`).toEqual(schema.default);
    expect(Object.keys(now.properties), name).toContain(field);
    const [items, itemsNow] = [schema.items, now.properties[field]?.items] as (JsonObject | undefined)[];
    if (items?.properties && itemsNow) expectCompatible(`${name}.${field}`, items, itemsNow, isWrite);
  }
  if (!isWrite) return;
  for (const [field, schema] of Object.entries(now.properties)) {
    // A default would change the digest of a request that left the field out.
    if (!Object.hasOwn(frozen.properties, field))
      expect(schema, `${name}.${field}`).not.toHaveProperty('default');
  }
}
