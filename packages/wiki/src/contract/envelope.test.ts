import { expect, test } from 'vitest';
import { errorReply, isStart, reply, request, START } from './envelope.ts';
import { WikiError } from './errors.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const sent = { pagetree: 1, operation: 'read_page', input: { path: 'A' }, caller } as const;
const author = (name: string, email = '') => ({ ...sent, caller: { agent: null, author: { name, email } } });
const byAgent = (agent: unknown) => ({ ...sent, caller: { ...caller, agent } });

test.each<[string, unknown]>([
  ['the least', sent],
  ['an author with the longest name, without an address', author('a'.repeat(200))],
  ['an agent', byAgent('Claude Code')],
  ['a scope', { ...sent, scope: { read: ['a/'], write: ['a/'] } }],
  ['uploaded content', { ...sent, content: { upload: 'a'.repeat(32), bytes: 1, sha256: 'b'.repeat(64) } }],
  ['the longest name of an operation', { ...sent, operation: 'a'.repeat(80) }],
  ['a stated contract', { ...sent, contract: 1, fingerprint: 'f'.repeat(64) }],
])('a request with %s is one', (_, value) => {
  expect(request.parse(value)).toEqual(value);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['another form', { ...sent, pagetree: 2 }],
  ['a field that this side does not know', { ...sent, later: true }],
  ['a field of the caller that it does not know', { ...sent, caller: { ...caller, later: true } }],
  [
    'a field of the author that it does not know',
    { ...sent, caller: { agent: null, author: { ...caller.author, later: 1 } } },
  ],
  ['no caller', { ...sent, caller: undefined }],
  ['an author without a name', author('')],
  ['an author with too long a name', author('a'.repeat(201))],
  ['an address of two lines', author('Ada', 'a\nb')],
  ['a name with a return', author('a\rb')],
  ['a name with a zero', author('a\0b')],
  ['a name with a bracket', author('a <b')],
  ['a name with a closing bracket', author('a> b')],
  ['an agent of two lines', byAgent('a\nb')],
  ['no agent', byAgent(undefined)],
  ['too long an operation', { ...sent, operation: 'a'.repeat(81) }],
  ['a scope without folders', { ...sent, scope: { read: [], write: [] } }],
  ['a contract before the first', { ...sent, contract: 0 }],
  ['half a contract', { ...sent, contract: 1.5 }],
  ['too long a fingerprint', { ...sent, contract: 1, fingerprint: 'f'.repeat(65) }],
  ['content that is not named', { ...sent, content: {} }],
])('a request with %s is none', (_, value) => {
  expect(request.safeParse(value).success).toBe(false);
});

test('a name that is no line is described', () => {
  const { error } = request.safeParse(author('a\nb'));
  expect(error?.issues.map(({ message }) => message)).toEqual(['must be one line without < and >']);
});

test('a start is only what says so', () => {
  expect([START, JSON.parse(JSON.stringify(START))].every(isStart)).toBe(true);
  const others = [undefined, null, 'start', [], {}, sent, { start: false }, { start: 'true' }, { start: 1 }];
  expect(others.some(isStart)).toBe(false);
});

test('an error comes back as it was, and one that this side does not know as internal', () => {
  const error = new WikiError(
    'not_found',
    { happened: 'a', now: 'b', next: 'c', atTerminal: 'd' },
    { path: 'A' },
  );
  const back = reply.parse(JSON.parse(JSON.stringify(errorReply(error))));
  expect(back).toEqual(errorReply(error));
  expect(back).toMatchObject({
    ok: false,
    error: { code: 'not_found', text: error.text, data: { path: 'A' } },
  });
  const later = { ...back, error: { code: 'of_later', text: error.text, data: {} } };
  expect(reply.parse(later)).toMatchObject({ ok: false, error: { code: 'internal' } });
});

test.each<[string, unknown]>([
  ['neither', { output: 1 }],
  ['an error without a text', { ok: false, error: { code: 'not_found', data: {} } }],
  [
    'an error without data',
    { ok: false, error: { code: 'not_found', text: { happened: '', now: '', next: '' } } },
  ],
  ['no error', { ok: false }],
  ['a contract before the first', { ok: true, contract: 0, output: 1 }],
])('a reply with %s is none', (_, value) => {
  expect(reply.safeParse(value).success).toBe(false);
});
