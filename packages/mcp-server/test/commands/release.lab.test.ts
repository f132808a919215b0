import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { installWithRetries } from '../../../../labs/requirements.ts';
import { buildRelease, type Release } from '../../release/build-release.ts';
import { isPart } from '../../src/cli/setup/kept-program.ts';
import { temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';
import { ServedPackage } from './served-package.ts';

const run = promisify(execFile);
let release: Release;
/** The directory in which the packed package was installed. */
let installed: string;

beforeAll(async () => {
  const directory = await temporaryDirectory();
  release = await buildRelease(join(directory, 'release'));
  installed = join(directory, 'installed');
  await mkdir(installed);
  // The package has no dependencies: npm asks no registry.
  await run('npm', ['install', '--silent', release.tarball], { cwd: installed });
});

test.each(['22', '24'])(
  'the packed package, installed into an empty folder, serves on Node %s',
  async (version) => {
    const directory = await temporaryDirectory();
    await installWithRetries(`npm's package node ${version}`, () =>
      run('npm', ['install', '--silent', '--no-save', '--prefix', directory, `node@${version}`]),
    );
    const node = join(directory, 'node_modules', '.bin', 'node');
    expect((await run(node, ['--version'])).stdout).toMatch(`v${version}.`);
    const server = join(installed, 'node_modules', '.bin', 'pagetree');
    const options = ['--dir', join(directory, 'wikis'), '--files', directory];
    const client = await new SdkClient(node, [server, ...options]).connect();
    await client.ok('write_page', { path: 'Tea', content: 'Black tea.' });
    expect(await client.ok('search_pages', { query: 'tea' })).toMatchObject({ total: 1 });
    // The name of the file is looked for in all texts by a regular expression.
    await writeFile(join(directory, 'leaf (1).csv'), 'green');
    await client.ok('put_attachment', {
      path: 'a/leaf (1).csv',
      local_path: join(directory, 'leaf (1).csv'),
    });
    await client.ok('write_page', { path: 'a/Leaf', content: '![[leaf (1).csv]]' });
    const { moved_files } = await client.ok('move_page', { path: 'a/Leaf', new_path: 'b/Leaf' });
    expect(moved_files).toEqual([{ path: 'b/leaf (1).csv', previous_path: 'a/leaf (1).csv' }]);
    await client.ok('write_page', { path: 'Sum', content: '$1 + 1$\n\n```mermaid\ngraph LR; a-->b\n```\n' });
    await client.close();

    const served = await ServedPackage.start(node, [server, 'serve', '--port', '0', ...options]);
    const page = await served.get('main/Sum');
    expect(page).toContain('<math');
    // The frame of diagrams, and the scripts of the pages.
    const addresses = new Set([
      ...addressesIn(page),
      ...addressesIn(await served.get('main/Sum?view=edit')),
      ...addressesIn(await served.get('_/main/graph')),
    ]);
    expect([...addresses].map((address) => address.replace(/\.[\w-]+\./, '.')).sort()).toEqual([
      '_/client.js',
      '_/diagrams.html',
      '_/editor.js',
      '_/graph.js',
    ]);
    for (const address of addresses) expect((await served.get(address)).length, address).toBeGreaterThan(999);
    expect(await served.get('_/third-party-notices.txt')).toContain('sigma ');
    expect(await served.stop()).toBe(0);

    const site = join(directory, 'site');
    await run(node, [server, 'export', site, '--format', 'site', '--dir', join(directory, 'wikis')]);
    expect(await readdir(site)).toEqual(expect.arrayContaining(['Sum.html', 'index.html']));
    expect(await readFile(join(site, 'Sum.html'), 'utf8')).toContain('<math');
  },
);

test('the package contains the server and has no dependencies', async () => {
  const folder = join(installed, 'node_modules', '@pagetree', 'mcp-server');
  const files = [
    'LICENSE',
    'README.md',
    'THIRD-PARTY-NOTICES.txt',
    'package.json',
    'pagetree-program.js',
    'pagetree.js',
    'web',
  ];
  const present = await readdir(folder);
  expect(present.filter((file) => !isPart(file)).sort()).toEqual(files);
  expect(present.some(isPart)).toBe(true);
  expect(await readdir(join(installed, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@pagetree']);
  expect((await stat(release.tarball)).size).toBeLessThan(4_000_000);
});

test('the bundle unpacks and serves with every setting left blank', async () => {
  const directory = await temporaryDirectory();
  await run('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'unpack', release.bundle, join(directory, 'bundle')]);
  expect(await readdir(join(directory, 'bundle'))).toContain('THIRD-PARTY-NOTICES.txt');
  const manifest = JSON.parse(await readFile(join(directory, 'bundle', 'manifest.json'), 'utf8'));
  const { command, args, env } = manifest.server.mcp_config;
  const fill = (text: string): string =>
    text
      .replace(/\$\{__dirname\}/, join(directory, 'bundle'))
      .replace(/\$\{user_config\.(\w+)\}/, (_, key: string) => manifest.user_config[key].default);
  const filled = Object.entries<string>(env).map(([name, value]) => [name, fill(value)]);
  const settings = { ...Object.fromEntries(filled), XDG_DATA_HOME: directory };
  const client = await new SdkClient(command, args.map(fill), settings).connect();
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ path: 'Home' });
  expect(Object.keys(env)).toEqual(
    expect.arrayContaining(['PAGETREE_AUTHOR', 'PAGETREE_FILES', 'PAGETREE_WRITE_SCOPE']),
  );
  await client.close();
});

test('the same sources give the same files, and the checksums are theirs', async () => {
  const directory = join(await temporaryDirectory(), 'again');
  const again = await buildRelease(directory);
  await run('sha256sum', ['--check', '--strict', again.checksums], { cwd: directory });
  expect(await readFile(again.checksums, 'utf8')).toBe(await readFile(release.checksums, 'utf8'));
  const named = (await readFile(again.checksums, 'utf8')).trim().split('\n');
  expect(named.map((line) => line.split('  ')[1]).sort()).toEqual(
    (await readdir(directory)).filter((file) => file !== 'SHA256SUMS' && file !== 'parts').sort(),
  );
});

test('the bill of materials has every bundled package, and its license', async () => {
  const bill = JSON.parse(await readFile(release.sbom, 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: '@pagetree/mcp-server', licenses: [{ license: { id: 'MIT' } }] } },
  });
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['zod', 'yaml', 'client-lambda', 'hono', 'sigma', 'tiny']));
  expect(names).not.toContain('esbuild');
  for (const { name, licenses } of bill.components) expect(licenses, name).toHaveLength(1);
});

test('the README begins with the command that sets it up, and needs no clone', async () => {
  const readme = await readFile(join(release.npmPackage, 'README.md'), 'utf8');
  expect(readme).toMatch(/^# Pagetree\n\n```sh\nnpx -y @pagetree\/mcp-server setup\n/);
  expect(readme).not.toContain('pnpm');
  // Links that lead nowhere on npm's pages.
  expect(readme).not.toMatch(/\]\((?!https:)/);
});

test('the registry knows the package by the name that the package carries', async () => {
  const entry = JSON.parse(await readFile(release.registryEntry, 'utf8'));
  const manifest = JSON.parse(await readFile(join(release.npmPackage, 'package.json'), 'utf8'));
  expect(entry.name).toBe(manifest.mcpName);
  expect(entry.packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  expect(entry.description.length).toBeLessThanOrEqual(100);
});

/** The addresses of our own scripts and frames in a page, without the slash before them. */
function addressesIn(page: string): string[] {
  return [...page.matchAll(/"\/(_\/\w+\.[\w-]+\.(?:js|html))"/g)].map(([, address = '']) => address);
}
