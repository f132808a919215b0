import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { RawServer } from '../raw-server.ts';

const writes = Array.from({ length: 20 }, (_, n) => n + 1);

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test.each(['the end of stdin', 'SIGTERM'])('%s leaves no accepted write unanswered', async (ending) => {
  const directory = join(await temporaryDirectory(), 'wikis');
  const server = new RawServer(process.execPath, [bundle, '--dir', directory]);
  await server.initialize();
  for (const id of writes) server.callTool(id, 'append_to_page', { path: 'Log', content: `- write ${id}` });
  // Answered at once and in order: its answer proves that all the writes before it were received.
  server.send({ id: 'taken', method: 'ping' });
  await server.answerTo('taken');
  if (ending === 'SIGTERM') server.process.kill('SIGTERM');
  else server.process.stdin.end();

  expect(await server.ended).toEqual({ code: 0, signal: null });
  for (const id of writes) expect((await server.answerTo(id)).result).toHaveProperty('structuredContent');
  const repository = join(directory, 'main.git');
  await gitFsck(repository);
  const log = await git(repository, 'show', 'main:Log.md');
  expect(log.split('\n').toSorted()).toEqual(writes.map((id) => `- write ${id}`).toSorted());
});
