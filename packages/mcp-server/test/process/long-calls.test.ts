import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;
let wikis: string;
/** A directory that tools may read and write, with a folder of many pages. */
let files: string;

beforeAll(async () => {
  const [built, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  bundle = built;
  wikis = join(parent, 'wikis');
  await mkdir(wikis);
  files = join(parent, 'files');
  await mkdir(join(files, 'many'), { recursive: true });
  const write = (page: number) => writeFile(join(files, 'many', `${page}.md`), `Page ${page}\n`);
  await Promise.all(Array.from({ length: 2_000 }, (_, page) => write(page)));
  await buildWiki(join(wikis, 'main.git'), { pages: 600, commits: 300 });
});

/** A wiki that no server has opened yet: its first search takes a while, as it builds the index. */
async function freshWiki(): Promise<string> {
  const directory = await temporaryDirectory();
  await cp(wikis, directory, { recursive: true });
  return directory;
}

test('a long call reports progress to a client that asked for it', async () => {
  const client = await new SdkClient(process.execPath, [bundle, '--dir', await freshWiki()]).connect();
  const reported: { progress: number; total?: number | undefined }[] = [];
  const search = { name: 'search_pages', arguments: { query: 'page' } };
  await client.client.callTool(search, undefined, { onprogress: (progress) => reported.push(progress) });
  expect(reported.length).toBeGreaterThan(1);
  expect(reported.map(({ progress }) => progress)).toEqual(
    reported.map(({ progress }) => progress).toSorted((a, b) => a - b),
  );
  expect(reported.at(-1)?.total).toBeGreaterThanOrEqual(reported.at(-1)?.progress ?? 0);
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

interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

test.each([
  ['import_wiki', { wiki: 'taken', local_path: 'many' }, 'unpacking'],
  ['export_wiki', { local_path: 'out' }, 'packing'],
  ['export_wiki', { local_path: 'out.bundle', format: 'bundle' }, 'packing objects'],
])('%s %j reports progress', async (name, args, part) => {
  const env = { PAGETREE_FILES: files };
  const client = await new SdkClient(process.execPath, [bundle, '--dir', await freshWiki()], env).connect();
  const reported: Progress[] = [];
  const request = { name, arguments: args };
  const result = await client.client.callTool(request, undefined, {
    onprogress: (each) => reported.push(each),
  });
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  const ofPart = reported.filter(({ message }) => message === part);
  expect(ofPart).not.toEqual([]);
  for (const { progress, total } of ofPart)
    expect(progress).toBeLessThanOrEqual(total ?? Number.POSITIVE_INFINITY);
  await client.close();
});

test.each([
  ['import_wiki', { wiki: 'taken', local_path: 'many' }],
  ['export_wiki', { local_path: 'not-there' }],
])('a cancelled %s leaves nothing behind, and the server goes on', async (name, args) => {
  const directory = await freshWiki();
  const server = new RawServer(process.execPath, [bundle, '--dir', directory], { PAGETREE_FILES: files });
  await server.initialize();
  const params = { name, arguments: args, _meta: { progressToken: 'far' } };
  server.send({ id: 1, method: 'tools/call', params });
  await server.answer((each) => 'method' in each && each.method === 'notifications/progress');
  server.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  server.callTool(2, 'list_wikis', {});
  expect((await server.answerTo(2)).result).toHaveProperty('structuredContent');
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(server.answers.map(({ id }) => id)).not.toContain(1);
  expect((await readdir(directory)).toSorted()).toEqual(['default-wiki', 'main.git']);
  expect(await readdir(files)).not.toContain('not-there');
});
