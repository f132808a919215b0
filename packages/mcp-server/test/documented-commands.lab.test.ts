import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './built-server.ts';
import { documentedCommands, documentedShellLines } from './documented-commands.ts';
import { SdkClient } from './sdk-client.ts';

const commands = (await documentedCommands()).filter(({ command }) => command !== 'cmd');

test.each(commands)('$place serves a wiki', async ({ command, args, env }) => {
  const directory = await temporaryDirectory();
  const client = await new SdkClient(command, args, { ...env, PAGETREE_DIR: directory }).connect();
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ path: 'Home' });
  await client.close();
});

test('the inspector lists the tools without a warning and calls one, as the README shows', async () => {
  const lines = await documentedShellLines('npx -y @modelcontextprotocol/inspector');
  expect(lines).toHaveLength(2);
  const env = { ...process.env, PAGETREE_DIR: await temporaryDirectory() };
  const [list, call] = await Promise.all(
    lines.map((line) => promisify(execFile)('sh', ['-c', line], { env })),
  );
  expect(JSON.parse(list?.stdout ?? '').tools.length).toBeGreaterThan(0);
  expect(list?.stderr).not.toMatch(/warning: tool|\d+ warnings/i);
  expect(JSON.parse(call?.stdout ?? '')).toMatchObject({ structuredContent: { path: 'Home' } });
});
