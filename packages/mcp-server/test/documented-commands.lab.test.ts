import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from './built-server.ts';
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
  const client = await new SdkClient(command.replace(examplePath, clone), inClone, ours).connect();
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ path: 'Home' });
  await client.close();
});

test('the inspector lists the tools without a warning and calls one, as the README shows', async () => {
  const lines = await documentedShellLines('npx -y @modelcontextprotocol/inspector');
  expect(lines).toHaveLength(2);
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: await temporaryDirectory() };
  const run = (line: string) =>
    promisify(execFile)('sh', ['-c', withCertificates(line).replaceAll(examplePath, clone)], { env });
  const [list, call] = [await run(lines[0] ?? ''), await run(lines[1] ?? '')];
  expect(JSON.parse(list.stdout).tools.length).toBeGreaterThan(0);
  expect(list.stderr).not.toMatch(/warning: tool|\d+ warnings/i);
  expect(JSON.parse(call.stdout)).toMatchObject({ structuredContent: { path: 'Home' } });
});

test('the inspector calls tools that read and that write', async () => {
  const [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
  const inspector = ['-y', '@modelcontextprotocol/inspector@2.12.0', '--cli', '--quiet'];
  const server = [process.execPath, bundle, '--dir', join(directory, 'wikis')];
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const request = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
    const env = { ...process.env, PATH: path };
    const { stdout } = await promisify(execFile)('npx', [...inspector, ...server, ...request], { env });
    return JSON.parse(stdout).structuredContent;
  };
  const { version, commit } = await call('write_page', { path: 'Tea', content: 'Black tea. See [[Home]].' });
  await call('edit_page', { path: 'Tea', edits: [{ old_string: 'Black', new_string: 'Green' }], version });
  expect(await call('search_pages', { query: 'green' })).toMatchObject({ total: 1 });
  const moved = await call('move_page', { path: 'Tea', new_path: 'Drinks/Tea' });
  await call('delete_page', { path: 'Drinks/Tea', version: moved.version });
  expect(await call('restore_page', { path: 'Tea', commit })).toMatchObject({ version });
});

/** The inspector keeps the environment from what it starts, also what npm needs here to trust the registry. */
function withCertificates(line: string): string {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file === undefined ? line : line.replace('--cli', `--cli -e NODE_EXTRA_CA_CERTS=${file}`);
}
