import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCodes, limits, newRequestId } from '@pagetree/wiki/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;
let directory: string;
let repository: string;
let wiki: SdkClient;
const provoked = new Set<string>();

beforeAll(async () => {
  const [built, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  bundle = built;
  directory = join(parent, 'wikis');
  repository = join(directory, 'main.git');
  wiki = await start(directory);
});

afterAll(() => wiki.close());

function start(wikis: string): Promise<SdkClient> {
  return new SdkClient(process.execPath, [bundle, '--dir', wikis]).connect();
}

/** Calls a tool that must fail with `code`, and returns the rest of the error. */
async function fails(
  code: string,
  name: string,
  args: Record<string, unknown>,
  client = wiki,
): Promise<string> {
  const text = await client.error(name, args);
  expect(text).toMatch(new RegExp(`^${code}: \\S.*\\. \\S.*\\. \\S`, 's'));
  provoked.add(code);
  return text.slice(code.length + 2);
}

async function written(path: string, content: string): Promise<string> {
  return String((await wiki.ok('write_page', { path, content })).version);
}

test('not_found names pages with near names', async () => {
  await written('Guides/Getting Started', 'x');
  expect(await fails('not_found', 'read_page', { path: 'Guides/Geting Started' })).toContain(
    'Guides/Getting Started',
  );
});

test('already_exists reports the version of the existing page', async () => {
  const version = await written('Taken', 'x');
  expect(await fails('already_exists', 'write_page', { path: 'Taken', content: 'y' })).toContain(version);
});

test('version_conflict reports the whole current version, who wrote it when, and the difference', async () => {
  const stale = await written('Contested', 'one\n');
  const newer = await wiki.ok('write_page', { path: 'Contested', content: 'two\n', version: stale });
  const text = await fails('version_conflict', 'write_page', {
    path: 'Contested',
    content: 'three\n',
    version: stale,
  });
  expect(text).toContain(String(newer.version));
  expect(text).toContain(String(newer.commit));
  expect(text).toContain(await git(repository, 'log', '-1', '--format=%an <%ae>'));
  expect(text).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
  expect(text).toContain('-one\n+two');
});

test('a version_conflict over a long difference stays below the size at which clients cut', async () => {
  const stale = await written('Long', `${'old line\n'.repeat(5_000)}`);
  await wiki.ok('write_page', { path: 'Long', content: 'new line\n'.repeat(5_000), version: stale });
  await fails('version_conflict', 'write_page', { path: 'Long', content: 'x', version: stale });
});

test('would_truncate refuses a page that was cut on its way', async () => {
  const version = await written('Whole', 'first\nsecond\nthird\n');
  const cut = { path: 'Whole', content: 'first\nsec', version };
  await fails('would_truncate', 'write_page', cut);
  await wiki.ok('write_page', { ...cut, allow_shrink: true });
});

test('no_match names the nearest line, ambiguous_match every line', async () => {
  await written('Poem', 'roses are red\nviolets are blue\nroses are red\n');
  const edit = (old_string: string) => ({ path: 'Poem', edits: [{ old_string, new_string: 'x' }] });
  expect(await fails('no_match', 'edit_page', edit('violet are blue'))).toContain('violets are blue');
  expect(await fails('ambiguous_match', 'edit_page', edit('roses are red'))).toContain('1, 3');
});

test('invalid_path and invalid_input say what is wrong with the arguments', async () => {
  await fails('invalid_path', 'write_page', { path: '../outside', content: 'x' });
  expect(await fails('invalid_input', 'write_page', { path: 'A' })).toContain('content');
});

test('invalid_input also answers a request id that was used for something else', async () => {
  await wiki.ok('write_page', { path: 'Once', content: 'x', request_id: '1' });
  await fails('invalid_input', 'write_page', { path: 'Twice', content: 'x', request_id: '1' });
});

test('too_large reports the limit', async () => {
  const content = 'x'.repeat(limits.pageBytes + 1);
  await fails('too_large', 'write_page', { path: 'Huge', content });
});

test('write_state_unknown answers a retry that comes too late to look up', async () => {
  const request_id = newRequestId(Date.now() - 3 * 24 * 60 * 60 * 1_000, new Uint8Array(10));
  await fails('write_state_unknown', 'append_to_page', { path: 'Late', content: 'x', request_id });
  await fails('not_found', 'read_page', { path: 'Late' });
});

test('backend_unavailable is the answer if the directory is not one, and the tools are still listed', async () => {
  const vault = await temporaryDirectory();
  await writeFile(join(vault, 'Note.md'), 'x');
  const server = await start(vault);
  expect(await fails('backend_unavailable', 'read_page', { path: 'Note' }, server)).toContain(vault);
  expect(await readdir(vault)).toEqual(['Note.md']);
  await rm(join(vault, 'Note.md'));
  expect(await server.ok('list_pages')).toMatchObject({ total: 2 });
  await server.close();
});

// These deprive the server of resources, in ways that work for root too and that only Linux has.
const linuxTest = test.runIf(process.platform === 'linux');

linuxTest('forbidden answers a write where the repository cannot be written, until it can', async () => {
  const packs = join(repository, 'objects', 'pack');
  await rename(packs, `${packs}.away`);
  await symlink('/sys', packs);
  await fails('forbidden', 'write_page', { path: 'Refused', content: 'x' });
  await rm(packs);
  await rename(`${packs}.away`, packs);
  await wiki.ok('write_page', { path: 'Refused', content: 'x' });
});

linuxTest('busy is the answer while no more files can be opened', async () => {
  const limitFiles = (most: number) =>
    promisify(execFile)('prlimit', ['--pid', String(wiki.transport.pid), `--nofile=${most}:`]);
  await limitFiles(3);
  expect(await fails('busy', 'write_page', { path: 'Delayed', content: 'x' })).toMatch(/retry_after_ms: \d+/);
  await limitFiles(1_024);
  await wiki.ok('write_page', { path: 'Delayed', content: 'x' });
});

test('internal is the answer if the repository is damaged, without details of our code', async () => {
  await gitFsck(repository);
  const damaged = join(await temporaryDirectory(), 'wikis');
  await mkdir(damaged);
  await git(damaged, 'clone', '--quiet', '--mirror', repository, 'main.git');
  await git(join(damaged, 'main.git'), 'repack', '-adq');
  const packs = join(damaged, 'main.git', 'objects', 'pack');
  for (const file of await readdir(packs)) {
    if (file.endsWith('.pack')) await rm(join(packs, file), { force: true });
    if (file.endsWith('.pack')) await writeFile(join(packs, file), 'PACK, but not for long');
  }
  const server = await start(damaged);
  const text = await fails('internal', 'read_page', { path: 'Home' }, server);
  expect(text).not.toMatch(/\n\s+at |node:/);
  await server.close();
});

linuxTest('every code was provoked', () => {
  expect([...provoked].sort()).toEqual([...errorCodes].sort());
});
