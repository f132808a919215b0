import { expect, test } from 'vitest';
import { LineSplitter } from '../stdio/line-splitter.ts';
import { parseMessage } from './parse-message.ts';

test('a request is a message', () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  expect(parseMessage({ kind: 'line', text })).toMatchObject({
    kind: 'message',
    message: { id: 1, method: 'ping' },
  });
});

test.each([
  ['not JSON', 'hello', -32700, undefined],
  ['half of JSON', '{"jsonrpc":"2.0","id":1', -32700, undefined],
  ['JSON that is no message', '{"id":7,"hello":true}', -32600, 7],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, undefined],
  ['a message with an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, undefined],
])('%s is refused', (_, text, code, id) => {
  expect(parseMessage({ kind: 'line', text })).toMatchObject({ kind: 'refused', code, id });
});

const params = { name: 'write_page', arguments: { content: `"id":99,${'x'.repeat(10_000)}"id":98}` } };

test.each([
  ['first', { jsonrpc: '2.0', id: 5, method: 'tools/call', params }, 5],
  ['after the method', { method: 'tools/call', id: 'a-7', params, jsonrpc: '2.0' }, 'a-7'],
  ['last', { method: 'tools/call', params, jsonrpc: '2.0', id: 12 }, 12],
  ['before the last', { method: 'tools/call', params, id: 12, jsonrpc: '2.0' }, 12],
  ['nowhere', { jsonrpc: '2.0', method: 'tools/call', params }, undefined],
])('a message that is too long is refused under its id if the id stands %s', (_, message, id) => {
  const [line] = new LineSplitter(5_000).push(Buffer.from(`${JSON.stringify(message)}\n`));
  expect(line?.kind).toBe('too_long');
  expect(line && parseMessage(line)).toMatchObject({ kind: 'refused', code: -32600, id });
});

test.each([
  ['a level that is none', 'logging/setLevel', { level: 'evil' }],
  ['arguments of a wrong type', 'prompts/get', { name: 'x', arguments: { a: 1 } }],
  ['a client without a name', 'initialize', { protocolVersion: '1', capabilities: {} }],
  ['an address that is a number', 'resources/read', { uri: 5 }],
])('a request with %s is refused as one with wrong params', (_, method, given) => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 3, method, params: given });
  const parsed = parseMessage({ kind: 'line', text });
  expect(parsed).toMatchObject({ kind: 'refused', code: -32_602, id: 3 });
  expect(parsed.kind === 'refused' && parsed.reason.length).toBeLessThan(600);
});

test.each([
  ['a call of a tool', 'tools/call', 100_000, 'message'],
  ['a call of a tool', 'tools/call', 200_000, 'refused'],
  ['another request', 'prompts/get', 900, 'message'],
  ['another request', 'prompts/get', 1_100, 'refused'],
])('%s (%s) with %d values is a %s', (_, method, count, kind) => {
  const given = Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 'x']));
  const text = JSON.stringify({ jsonrpc: '2.0', id: 3, method, params: { name: 'x', arguments: given } });
  const parsed = parseMessage({ kind: 'line', text });
  expect(parsed.kind).toBe(kind);
  if (parsed.kind === 'refused') expect(parsed).toMatchObject({ code: -32_600, id: 3 });
});
