import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { answerBy } from './bridge.ts';

test('an answer says nothing of the connection, which is another one', async () => {
  const asked: Record<string, unknown>[] = [];
  const [listener] = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(200, { 'Keep-Alive': 'timeout=5', 'X-Kept': 'yes' }).end('text');
  }).listeners('request') as Parameters<typeof answerBy>[0][];
  const request = new Request('https://wiki.example.org/_/oauth/token', { headers: { connection: 'close' } });
  const answer = await answerBy(listener as never, 'https://wiki.example.org', request, {
    search: '',
    body: '',
  });
  expect(
    [...answer.headers.keys()].filter((name) => /connection|keep-alive|transfer|date/.test(name)),
  ).toEqual([]);
  expect([answer.headers.get('x-kept'), await answer.text()]).toEqual(['yes', 'text']);
  expect(asked).toHaveLength(1);
});
