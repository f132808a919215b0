import { setTimeout as sleep } from 'node:timers/promises';
import type { RawServer } from '../raw-server.ts';
import type { Attack, Outcome } from './attack.ts';

const json = (value: unknown) => `${JSON.stringify(value)}\n`;
const rpc = (value: Record<string, unknown>) => json({ jsonrpc: '2.0', ...value });
const callOf = (id: unknown, params: unknown) => rpc({ id, method: 'tools/call', params });

const searchWith = (id: unknown, progressToken: unknown) =>
  callOf(id, { name: 'search_pages', arguments: { query: 'wiki' }, _meta: { progressToken } });

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 1]));

/** Bytes as they go into the server's standard input. */
const lines: Record<string, (id: string) => string | Buffer> = {
  'an empty line': () => '\n\r\n\n',
  'no JSON': () => 'hello\n',
  'JSON that is cut off': () => '{"jsonrpc":"2.0","id":\n',
  'a number': () => '5\n',
  null: () => 'null\n',
  'a text': () => '"tools/call"\n',
  'an empty list': () => '[]\n',
  'a batch of calls': (id) => json([{ jsonrpc: '2.0', id, method: 'ping' }]),
  'a list 100,000 deep': () => `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
  'an object 100,000 deep': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`,
  'bytes that are no UTF-8': () => Buffer.from([0xff, 0xfe, 0x80, 0x0a]),
  'a NUL': () => Buffer.from([0, 0, 10]),
  'a mark of the byte order': (id) => `\ufeff${rpc({ id, method: 'ping' })}`,
  'a line of 11 MB': (id) => rpc({ id, method: 'ping', params: { a: 'x'.repeat(11_000_000) } }),
  'an id in 11 MB': () => rpc({ id: 'i'.repeat(11_000_000), method: 'ping' }),
  'another version of JSON-RPC': (id) => json({ jsonrpc: '1.0', id, method: 'ping' }),
  'no version of JSON-RPC': (id) => json({ id, method: 'ping' }),
  'no method': (id) => rpc({ id }),
  'a method that is a number': (id) => rpc({ id, method: 5 }),
  'a method that is not there': (id) => rpc({ id, method: 'evil/run' }),
  'a method of a prototype': (id) => rpc({ id, method: '__proto__' }),
  'an id that is an object': () => rpc({ id: { a: 1 }, method: 'ping' }),
  'an id that is null': () => rpc({ id: null, method: 'ping' }),
  'an id of a fraction': () => rpc({ id: 0.5, method: 'ping' }),
  'one id twice': (id) => `${rpc({ id, method: 'ping' })}${rpc({ id, method: 'ping' })}`,
  'a second initialize': (id) =>
    rpc({
      id,
      method: 'initialize',
      params: { protocolVersion: '1', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }),
  'an initialize of nothing': (id) => rpc({ id, method: 'initialize' }),
  'a notification that nobody knows': () => rpc({ method: 'notifications/evil', params: { a: 1 } }),
  'cancelling what is not running': () =>
    rpc({ method: 'notifications/cancelled', params: { requestId: 'nobody' } }),
  'progress of what is not running': () =>
    rpc({ method: 'notifications/progress', params: { progressToken: 1, progress: 5 } }),
  'an answer that nobody asked for': () => rpc({ id: 'nobody', result: { roots: [{ uri: 'file:///' }] } }),
  'an answer that nobody asked for, 100,000 deep': () =>
    `{"jsonrpc":"2.0","id":"nobody","result":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}\n`,
  'an error that nobody asked for': () => rpc({ id: 'nobody', error: { code: 1, message: 'x' } }),
  'a call without a tool': (id) => callOf(id, {}),
  'a call without params': (id) => rpc({ id, method: 'tools/call' }),
  'a call of a prototype': (id) => callOf(id, { name: '__proto__', arguments: {} }),
  'a call of a constructor': (id) => callOf(id, { name: 'constructor', arguments: {} }),
  'a call of a tool of 1 MB': (id) => callOf(id, { name: 't'.repeat(1_000_000), arguments: {} }),
  'arguments that are a list': (id) => callOf(id, { name: 'read_page', arguments: ['Home'] }),
  'arguments with a prototype': (id) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"read_page","arguments":{"path":"Home","__proto__":{"at":"x"}}}}\n`,
  'an argument twice': (id) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"read_page","arguments":{"path":"Home","path":"../x"}}}\n`,
  'arguments 5,000 deep': (id) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"update_frontmatter","arguments":{"path":"Home","set":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}}\n`,
  '100,000 arguments': (id) =>
    callOf(id, {
      name: 'read_page',
      arguments: numbered(100_000),
    }),
  '2 million paths': (id) =>
    callOf(id, { name: 'read_pages', arguments: { paths: Array(2_000_000).fill(1) } }),
  '600,000 arguments of a prompt': (id) =>
    rpc({ id, method: 'prompts/get', params: { name: 'tidy', arguments: numbered(600_000) } }),
  '600,000 arguments of a completion': (id) =>
    rpc({
      id,
      method: 'completion/complete',
      params: {
        ref: { type: 'ref/prompt', name: 'tidy' },
        argument: { name: 'x', value: 'y' },
        context: { arguments: numbered(600_000) },
      },
    }),
  'an initialize with 500,000 capabilities': (id) =>
    rpc({
      id,
      method: 'initialize',
      params: {
        protocolVersion: '1',
        capabilities: { experimental: numbered(500_000) },
        clientInfo: { name: 'x', version: '1' },
      },
    }),
  '700,000 params of a list': (id) => rpc({ id, method: 'resources/list', params: numbered(700_000) }),
  'a token of progress that is an object': (id) =>
    callOf(id, { name: 'read_page', arguments: { path: 'Home' }, _meta: { progressToken: { a: 1 } } }),
  'a token of progress of 9 MB': (id) => searchWith(id, 't'.repeat(9_000_000)),
  'tokens of progress of wrong types': (id) =>
    [null, true, 0.5, -1, '', [], ['a'], 1e308].map((token, at) => searchWith(`${id}-${at}`, token)).join(''),
  'one token of progress for 50 calls': (id) =>
    Array.from({ length: 50 }, (_, at) => searchWith(`${id}-${at}`, 'same')).join(''),
  'a token of progress that is the id of a call': (id) => searchWith(id, id),
  'a task': (id) => callOf(id, { name: 'read_page', arguments: { path: 'Home' }, task: { ttl: 1e12 } }),
  'an address of another scheme': (id) =>
    rpc({ id, method: 'resources/read', params: { uri: 'file:///etc/passwd' } }),
  'an address that leads up': (id) =>
    rpc({ id, method: 'resources/read', params: { uri: 'wiki://main/page/../../../etc/passwd' } }),
  'an address that leads up in escapes': (id) =>
    rpc({ id, method: 'resources/read', params: { uri: 'wiki://main/page/%2e%2e%2f%2e%2e%2fx' } }),
  'an address with broken escapes': (id) =>
    rpc({ id, method: 'resources/read', params: { uri: 'wiki://main/page/%ff%zz' } }),
  'an address of 1 MB': (id) =>
    rpc({ id, method: 'resources/read', params: { uri: `wiki://main/page/${'a/'.repeat(500_000)}` } }),
  'a subscription to nothing': (id) =>
    rpc({ id, method: 'resources/subscribe', params: { uri: 'wiki://none/page/x' } }),
  '1,100 subscriptions': (id) =>
    Array.from({ length: 1_100 }, (_, at) =>
      rpc({ id: `${id}-${at}`, method: 'resources/subscribe', params: { uri: `wiki://main/page/${at}` } }),
    ).join(''),
  'a prompt that is not there': (id) => rpc({ id, method: 'prompts/get', params: { name: 'toString' } }),
  'a completion of nothing': (id) =>
    rpc({
      id,
      method: 'completion/complete',
      params: { ref: { type: 'ref/evil' }, argument: { name: 'x', value: 'y' } },
    }),
  'a level of logging that is none': (id) =>
    rpc({ id, method: 'logging/setLevel', params: { level: 'evil' } }),
  'a cursor that nobody gave': (id) => rpc({ id, method: 'resources/list', params: { cursor: '\0' } }),
  '2,000 pings at once': (id) =>
    Array.from({ length: 2_000 }, (_, at) => rpc({ id: `${id}-${at}`, method: 'ping' })).join(''),
};

/** The server goes on, writes only JSON to standard output, and answers nothing with `internal`. */
async function outcomeOf(raw: RawServer, id: string, from: number): Promise<Outcome> {
  raw.send({ id: `${id}-after`, method: 'ping' });
  await raw.answerTo(`${id}-after`);
  await sleep(20);
  if (raw.rubbish.length > 0) throw new Error(`No JSON: ${raw.rubbish[0]}`);
  const answers = raw.answers.slice(from).filter((answer) => answer.id === id || answer.error !== undefined);
  const text = JSON.stringify(answers);
  if (/internal:|\\n {4}at |root:x:/.test(text)) return { code: 'internal', text, content: {} };
  const [first] = answers;
  if (first?.error !== undefined) return { code: `error ${first.error.code}`, text, content: {} };
  if (first === undefined) return { code: 'no answer', text, content: {} };
  return { code: first.result?.isError === true ? 'refused by the tool' : 'ok', text, content: {} };
}

const ANSWERS = [
  'ok',
  'no answer',
  'refused by the tool',
  ...[-32700, -32600, -32601, -32602, -32002].map((code) => `error ${code}`),
];

export const protocolAttacks: Attack[] = Object.entries(lines).map(([name, make]) => ({
  name,
  on: 'raw',
  answers: ANSWERS,
  async act({ raw }, round) {
    const from = raw.answers.length;
    raw.process.stdin.write(make(round));
    return outcomeOf(raw, round, from);
  },
}));
