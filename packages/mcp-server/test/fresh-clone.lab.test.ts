import { access, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from './built-server.ts';
import { repositoryRoot } from './documented-commands.ts';
import { git } from './git.ts';
import { RawServer } from './raw-server.ts';
import { SdkClient } from './sdk-client.ts';
import { tellStory } from './story.ts';

const command = 'npx';
const args = ['-y', 'pnpm@12', 'mcp'];

let clone: string;
let env: Record<string, string>;
let directory: string;

beforeAll(async () => {
  const parent = await temporaryDirectory();
  clone = join(parent, 'pagetree');
  await git(parent, 'clone', '--quiet', repositoryRoot, clone);
  directory = join(parent, 'wikis');
  const programs = join(parent, 'bin');
  await mkdir(programs);
  for (const program of ['git', 'node', 'npm', 'npx', 'sh']) {
    await symlink(await systemProgram(program), join(programs, program));
  }
  env = { PATH: programs, PAGETREE_DIR: directory, PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };
});

test('the first run in a fresh clone prints JSON-RPC and nothing else', async () => {
  const server = new RawServer(command, args, env, clone);
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

/** Not the ones that the package scripts of this repository put before the system's. */
async function systemProgram(name: string): Promise<string> {
  const directories = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'));
  for (const candidate of directories.map((part) => join(part, name))) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  throw new Error(`This lab needs ${name} on the PATH.`);
}
