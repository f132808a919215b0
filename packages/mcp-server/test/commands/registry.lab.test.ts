import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalRegistry, startLocalRegistry } from '../../../../labs/local-registry.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { buildRelease } from '../../release/build-release.ts';
import { isPart } from '../../src/cli/setup/kept-program.ts';
import { temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import type { SdkClient } from '../sdk-client.ts';
import { BareMachine } from './bare-machine.ts';
import { ServedPackage } from './served-package.ts';

const NAME = '@pagetree/mcp-server';
const NEW = packageJson.version;
/** Before every version that will ever be. */
const OLD = '0.0.1';

const AUTHOR = 'Ada <ada@example.org>';

const run = promisify(execFile);
let registry: LocalRegistry;
let tarballs: { old: string; new: string };
let userconfig: string;

beforeAll(async () => {
  const directory = await temporaryDirectory();
  const [release, started] = await Promise.all([
    buildRelease(join(directory, 'release')),
    startLocalRegistry(join(directory, 'registry')),
  ]);
  registry = started;
  userconfig = join(directory, 'npmrc');
  await writeFile(userconfig, registry.npmrc);
  tarballs = { old: await packedAs(OLD, release.npmPackage, join(directory, 'old')), new: release.tarball };
});

afterAll(() => registry?.stop());

test('a user installs the package, sets up a client, upgrades with a wiki, reads it in the browser, and removes it', async () => {
  await publish(tarballs.old);
  const machine = await BareMachine.make(registry.address);
  const wiki = join(machine.home, '.local', 'share', 'pagetree', 'main.git');

  // Without an installation.
  const first = await machine.connect('npx', ['-y', NAME]);
  expect(versionOf(first)).toBe(OLD);
  await first.ok('write_page', { path: 'Tea', content: 'Black tea.' });
  await first.ok('write_page', { path: 'Milk', content: 'For [[Tea]].' });
  await first.close();

  // The entry does not need what npx keeps.
  await mkdir(join(machine.home, '.cursor'));
  await machine.run('npx', '-y', NAME, 'setup', '--yes', '--author', AUTHOR, 'cursor');
  const byCopy = await entryOf(machine);
  expect(byCopy.args[0]).toBe(join(machine.home, '.local/share/pagetree-program/pagetree.js'));
  await rm(join(machine.home, '.npm'), { recursive: true });
  await writeByEntry(machine, byCopy, OLD, 'By npx');

  await machine.run('npm', 'install', '-g', NAME);
  await machine.run('pagetree', 'setup', '--yes', '--author', AUTHOR, 'cursor');
  const installed = await entryOf(machine);
  expect(installed.args[0]).toBe(join(machine.home, 'prefix', 'bin', 'pagetree'));
  await writeByEntry(machine, installed, OLD, 'By path');

  // The upgrade: the wiki is what it was, for us and for native git.
  const head = await git(wiki, 'rev-parse', 'main');
  const tree = await git(wiki, 'ls-tree', '-r', 'main');
  await publish(tarballs.new);
  await machine.run('npm', 'install', '-g', `${NAME}@latest`);
  expect(await machine.run('pagetree', '--version')).toBe(`${NEW}\n`);
  const upgraded = await machine.connect(installed.command, installed.args, installed.env);
  expect(versionOf(upgraded)).toBe(NEW);
  expect(await upgraded.ok('read_page', { path: 'Tea' })).toMatchObject({ content: 'Black tea.' });
  expect(await upgraded.ok('search_pages', { query: 'milk' })).toMatchObject({ total: 1 });
  expect(await git(wiki, 'rev-parse', 'main')).toBe(head);
  expect(await git(wiki, 'ls-tree', '-r', 'main')).toBe(tree);
  const before = (await git(wiki, 'rev-list', 'main')).split('\n');
  await upgraded.ok('append_to_page', { path: 'Tea', content: 'With lemon.' });
  expect(await upgraded.ok('get_history', { path: 'Tea' })).toMatchObject({ entries: [{}, {}] });
  await upgraded.close();
  expect((await git(wiki, 'rev-list', 'main')).split('\n').slice(1)).toEqual(before);
  await gitFsck(wiki);

  const report = await machine.run(`PAGETREE_AUTHOR=${AUTHOR}`, 'pagetree', 'doctor');
  expect(report).toContain(`pagetree ${NEW}`);
  expect(report).toContain('Everything works.');

  const served = await ServedPackage.start('env', ['pagetree', 'serve', '--port', '0'], machine.env);
  expect(await served.get('main/Tea')).toContain('With lemon.');
  expect(await served.stop()).toBe(0);

  await machine.run('pagetree', 'setup', '--remove', '--yes', 'cursor');
  expect(JSON.parse(await readFile(settingsOf(machine), 'utf8')).mcpServers).toEqual({});
  await machine.run('npm', 'uninstall', '-g', NAME);
  await expect(access(join(machine.home, 'prefix', 'bin', 'pagetree'))).rejects.toThrow('ENOENT');
  // npm leaves the folder of the scope.
  expect(await readdir(join(machine.home, 'prefix', 'lib', 'node_modules', '@pagetree'))).toEqual([]);
  await git(machine.home, 'clone', '--quiet', wiki, 'wiki');
  expect(await readFile(join(machine.home, 'wiki', 'Tea.md'), 'utf8')).toContain('With lemon.');
});

test('npx starts the version that it is asked for, and the newest one if it has an older one', async () => {
  const machine = await BareMachine.make(registry.address);
  for (const [asked, version] of [
    [`${NAME}@${OLD}`, OLD],
    [`${NAME}@${NEW}`, NEW],
    [NAME, NEW],
  ] as const) {
    const client = await machine.connect('npx', ['-y', asked]);
    expect(versionOf(client), asked).toBe(version);
    await client.close();
  }
});

async function publish(tarball: string): Promise<void> {
  // Provenance is signed where the release is built.
  const options = ['--registry', registry.address, '--userconfig', userconfig, '--provenance=false'];
  await run('npm', ['publish', tarball, ...options]);
}

/** The package as it is, under another version. */
async function packedAs(version: string, npmPackage: string, directory: string): Promise<string> {
  await cp(npmPackage, directory, { recursive: true });
  const parts = (await readdir(directory)).filter(isPart);
  const changed: string[] = [];
  for (const file of ['package.json', 'pagetree.js', 'pagetree-program.js', 'web/index.mjs', ...parts]) {
    const text = await readFile(join(directory, file), 'utf8');
    if (text.includes(`"${NEW}"`)) changed.push(file);
    await writeFile(join(directory, file), text.replaceAll(`"${NEW}"`, `"${version}"`));
  }
  expect(changed).toEqual(expect.arrayContaining(['package.json', 'pagetree.js', 'web/index.mjs']));
  await run('npm', ['pack', '--silent'], { cwd: directory });
  const packed = (await readdir(directory)).find((file) => file.endsWith('.tgz'));
  return join(directory, packed ?? '');
}

function versionOf({ client }: SdkClient): string | undefined {
  return client.getServerVersion()?.version;
}

interface Entry {
  command: string;
  args: string[];
  env: Record<string, string>;
}

async function entryOf(machine: BareMachine): Promise<Entry> {
  return JSON.parse(await readFile(settingsOf(machine), 'utf8')).mcpServers.pagetree;
}

function settingsOf({ home }: BareMachine): string {
  return join(home, '.cursor', 'mcp.json');
}

/** Starts the server as the client would, and writes a page. */
async function writeByEntry(
  machine: BareMachine,
  entry: Entry,
  version: string,
  path: string,
): Promise<void> {
  const client = await machine.connect(entry.command, entry.args, entry.env);
  expect(versionOf(client)).toBe(version);
  await client.ok('write_page', { path, content: `Written ${path}.` });
  await client.close();
}
