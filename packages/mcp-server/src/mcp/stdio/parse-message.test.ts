import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';
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
