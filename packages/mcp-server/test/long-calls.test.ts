import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildWiki } from '../../../labs/wikis/build-wiki.ts';
import { builtServer, temporaryDirectory } from './built-server.ts';
import { RawServer } from './raw-server.ts';
import { SdkClient } from './sdk-client.ts';

let bundle: string;
let wikis: string;

beforeAll(async () => {
  const [built, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  bundle = built;
  wikis = join(parent, 'wikis');
  await mkdir(wikis);
  await buildWiki(join(wikis, 'main.git'), { pages: 600, commits: 300 });
});

/** A wiki that no server has opened yet: its first search takes a while, for the index is made then. */
async function freshWiki(): Promise<string> {
  const directory = await temporaryDirectory();
  await cp(wikis, directory, { recursive: true });
  return directory;
}

test('a long call tells how far it is, to a client that asked', async () => {
  const client = await new SdkClient(process.execPath, [bundle, '--dir', await freshWiki()]).connect();
  const told: { progress: number; total?: number | undefined }[] = [];
  const search = { name: 'search_pages', arguments: { query: 'page' } };
  await client.client.callTool(search, undefined, { onprogress: (progress) => told.push(progress) });
  expect(told.length).toBeGreaterThan(1);
  expect(told.map(({ progress }) => progress)).toEqual(
    told.map(({ progress }) => progress).toSorted((a, b) => a - b),
  );
  expect(told.at(-1)?.total).toBeGreaterThanOrEqual(told.at(-1)?.progress ?? 0);
  await client.close();
});

test('a cancelled call is not answered, and the server goes on', async () => {
  const server = new RawServer(process.execPath, [bundle, '--dir', await freshWiki()]);
  await server.initialize();
  server.callTool(1, 'search_pages', { query: 'page' });
  server.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  server.callTool(2, 'search_pages', { query: 'page' });
  expect((await server.answerTo(2)).result).toHaveProperty('structuredContent');
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(server.answers.map(({ id }) => id)).not.toContain(1);
});
