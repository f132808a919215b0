import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { SdkClient } from '../sdk-client.ts';
import { declareStory } from '../story.ts';
import { countingProxy } from './counting-proxy.ts';
import { freshClone } from './fresh-clone.ts';

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
  await readHome(new RawServer(command, args, first, clone));
});

test('where Node is new, the first start downloads at most 25 MB and no Node, and later ones nothing', async () => {
  const [fresh, proxy, store] = await Promise.all([
    freshClone(process.execPath),
    countingProxy(),
    temporaryDirectory(),
  ]);
  onTestFinished(() => proxy.close());
  const own = { ...env, PATH: fresh.path, XDG_DATA_HOME: store, HTTPS_PROXY: proxy.address };
  await readHome(new RawServer(command, args, { ...own, PAGETREE_DIR: join(store, 'wikis') }, fresh.clone));
  const before = proxy.received();
  expect(before).toBeGreaterThan(3_000_000);
  expect(before).toBeLessThan(25_000_000);
  expect(await readdir(join(fresh.clone, 'start'))).not.toContain('node_modules');

  const start = join(fresh.clone, 'start', 'mcp.mjs');
  await readHome(new RawServer('node', [start], { ...own, PAGETREE_DIR: join(store, 'wikis') }));
  // The connections of the first start may still say that they end.
  expect(proxy.received() - before).toBeLessThan(1_000);

  const served = [join(fresh.clone, 'start', 'serve.mjs'), '--help'];
  const { stdout } = await promisify(execFile)('node', served, { env: { ...process.env, ...own } });
  expect(stdout).toContain('--port');
  expect(proxy.received() - before).toBeLessThan(25_000_000);
});

test('the rest is installed by the first command that needs it, and the server goes on with it', async () => {
  const run = (...script: string[]) =>
    promisify(execFile)(command, ['-y', 'pnpm@12', ...script], {
      cwd: clone,
      env: { ...process.env, ...env },
    });
  await expect(readdir(join(clone, 'node_modules', 'vitest'))).rejects.toThrow('ENOENT');
  const { stdout, stderr } = await run('types', '--version');
  expect(stdout).toMatch(/Version \d/);
  expect(stderr).toContain('installs what this repository needs');
  for (const script of ['types', 'mcp'])
    expect((await run(script, '--version')).stderr).not.toContain('installs');
});

describe('every tool', () => {
  declareStory(async () => {
    const story = join(directory, 'story');
    const client = new SdkClient(command, args, { ...env, PAGETREE_DIR: story }, clone);
    return { client: await client.connect(), directory: story };
  });
});

/** Reads a page as a client does, and ends the server. */
async function readHome(server: RawServer): Promise<void> {
  await server.initialize();
  server.callTool(1, 'read_page', { path: 'Home' });
  expect((await server.answerTo(1)).result).toMatchObject({ structuredContent: { path: 'Home' } });
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(server.rubbish).toEqual([]);
  expect(server.answers.every((answer) => answer.jsonrpc === '2.0')).toBe(true);
}
