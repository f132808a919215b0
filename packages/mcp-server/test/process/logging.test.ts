import { expect, test } from 'vitest';
import { describeError } from '../../src/log.ts';
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

test('an error that stands for several is logged with the first of them, and with their causes', () => {
  const errors = Array.from(
    { length: 50 },
    (_, index) => new Error(`failure ${index}`, { cause: `cause ${index}` }),
  );
  const line = describeError(new Error('It failed', { cause: new AggregateError(errors, 'Several failed') }));
  expect(line).toMatch(
    /^It failed .*caused by Several failed .*caused by failure 0 .*caused by cause 0; caused by failure 1 /,
  );
  expect(line).not.toContain('failure 40');
});
