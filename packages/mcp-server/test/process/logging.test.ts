import { expect, test } from 'vitest';
import { builtServer } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';

test("a failure that is not the caller's is written to the client's log without its cause, from the level it asks", async () => {
  // A file system on which no directory can be made.
  const server = new RawServer(process.execPath, [await builtServer(), '--dir', '/sys/pagetree']);
  await server.initialize();
  server.callTool(1, 'read_page', { path: 'Home' });
  const reported = await server.answer((each) => 'method' in each);
  expect(reported).toMatchObject({
    method: 'notifications/message',
    params: { level: 'error', logger: 'pagetree', data: { tool: 'read_page', code: expect.any(String) } },
  });
  expect(JSON.stringify(reported)).not.toContain('/sys');
  await server.answerTo(1);
  server.send({ id: 2, method: 'logging/setLevel', params: { level: 'critical' } });
  await server.answerTo(2);
  const before = server.answers.length;
  server.callTool(3, 'read_page', { path: 'Home' });
  await server.answerTo(3);
  expect(server.answers.slice(before)).toHaveLength(1);
  server.process.stdin.end();
  await server.ended;
});
