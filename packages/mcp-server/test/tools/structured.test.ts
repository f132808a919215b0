import { randomBytes } from 'node:crypto';
import type { Wiki } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { callTool, type ToolHost } from '../../src/mcp/call-tool.ts';

const host: ToolHost = {
  // Only this operation is called.
  wiki: { list_wikis: async () => ({ wikis: ['main'], default: 'main' }) } as unknown as Wiki,
  tools: ['list_wikis'],
  author: { name: 'Ada', email: 'ada@example.org' },
  scope: null,
  log: () => {},
  reportFailure: () => {},
  now: Date.now,
  randomBytes,
};

test.each([
  [undefined, false],
  [null, false],
  [{ progressToken: 1 }, false],
  [{ 'pagetree/structured': 'true' }, false],
  [{ 'pagetree/structured': true }, true],
])('a request with _meta %j gets the structured form: %s', async (meta, isStructured) => {
  const answer = await callTool(host, { name: 'list_wikis', arguments: {}, agent: null, meta });
  expect(answer.content).toEqual([{ type: 'text', text: '{"wikis":["main"],"default":"main"}' }]);
  expect('structuredContent' in answer).toBe(isStructured);
});
