import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from './built-server.ts';
import { freshClone } from './fresh-clone.ts';
import { RawServer } from './raw-server.ts';
import { SdkClient } from './sdk-client.ts';
import { tellStory } from './story.ts';

const command = 'npx';
const args = ['-y', 'pnpm@12', 'mcp'];

let clone: string;
let env: Record<string, string>;
let directory: string;

beforeAll(async () => {
  const [fresh, parent] = await Promise.all([freshClone(), temporaryDirectory()]);
  clone = fresh.clone;
  directory = join(parent, 'wikis');
  env = { PATH: fresh.path, PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };
});

test('the first run in a fresh clone prints JSON-RPC and nothing else', async () => {
  const first = { ...env, PAGETREE_DIR: join(directory, 'first') };
  const server = new RawServer(command, args, first, clone);
  await server.initialize();
  server.callTool(1, 'read_page', { path: 'Home' });
  expect((await server.answerTo(1)).result).toMatchObject({ structuredContent: { path: 'Home' } });
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(server.rubbish).toEqual([]);
  expect(server.answers.every((answer) => answer.jsonrpc === '2.0')).toBe(true);
});

tellStory(async () => {
  const story = join(directory, 'story');
  const client = new SdkClient(command, args, { ...env, PAGETREE_DIR: story }, clone);
  return { client: await client.connect(), directory: story };
});
