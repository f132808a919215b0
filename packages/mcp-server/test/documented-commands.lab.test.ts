import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from './built-server.ts';
import { documentedCommands, documentedShellLines, examplePath } from './documented-commands.ts';
import { freshClone } from './fresh-clone.ts';
import { SdkClient } from './sdk-client.ts';

const commands = (await documentedCommands()).filter(({ command }) => command !== 'cmd');

let clone: string;
let path: string;

beforeAll(async () => {
  ({ clone, path } = await freshClone());
  // Installs once, so that no client below gives up waiting for it.
  await promisify(execFile)('npx', ['-y', 'pnpm@12', '-C', clone, 'install'], {
    env: { ...process.env, PATH: path },
  });
});

test.each(commands)('$place serves a wiki', async ({ command, args, env }) => {
  const ours = { ...env, PATH: path, PAGETREE_DIR: await temporaryDirectory() };
  const inClone = args.map((arg) => arg.replaceAll(examplePath, clone));
  const client = await new SdkClient(command, inClone, ours).connect();
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ path: 'Home' });
  await client.close();
});

test('the inspector lists the tools without a warning and calls one, as the README shows', async () => {
  const lines = await documentedShellLines('npx -y @modelcontextprotocol/inspector');
  expect(lines).toHaveLength(2);
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: await temporaryDirectory() };
  const run = (line: string) =>
    promisify(execFile)('sh', ['-c', line.replaceAll(examplePath, clone)], { env });
  const [list, call] = [await run(lines[0] ?? ''), await run(lines[1] ?? '')];
  expect(JSON.parse(list.stdout).tools.length).toBeGreaterThan(0);
  expect(list.stderr).not.toMatch(/warning: tool|\d+ warnings/i);
  expect(JSON.parse(call.stdout)).toMatchObject({ structuredContent: { path: 'Home' } });
});
