import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;
let parent: string;
let files: string;
const open: SdkClient[] = [];

beforeAll(async () => {
  [bundle, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  files = join(parent, 'files');
  await mkdir(join(files, '.git', 'hooks'), { recursive: true });
  for (const folder of ['fine', 'git~1', 'CLAUDE~1']) await mkdir(join(files, folder));
  await symlink('.git/hooks', join(files, 'hooks'));
  await writeFile(join(files, 'a.sh'), '#!/bin/sh\n');
  const wiki = await serve('--files', files);
  await wiki.ok('put_attachment', { path: 'a.sh', local_path: 'a.sh' });
});

afterAll(() => Promise.all(open.map((wiki) => wiki.close())));

async function serve(...options: string[]): Promise<SdkClient> {
  const wiki = await new SdkClient(process.execPath, [
    bundle,
    '--dir',
    join(parent, 'wikis'),
    ...options,
  ]).connect();
  open.push(wiki);
  return wiki;
}

async function toolsOf(wiki: SdkClient) {
  const { tools } = await wiki.client.listTools();
  return new Map(tools.map((tool) => [tool.name, tool]));
}

test('with --files the tools that save on this machine are not called read-only', async () => {
  const tools = await toolsOf(await serve('--files', files));
  for (const name of ['get_attachment', 'export_wiki']) {
    expect(tools.get(name)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(tools.get(name)?.inputSchema.properties).toHaveProperty('local_path');
  }
  expect(tools.get('read_page')?.annotations).toMatchObject({ readOnlyHint: true });
});

test('with --tools read-only no call saves anything', async () => {
  const wiki = await serve('--files', files, '--tools', 'read-only');
  const tools = await toolsOf(wiki);
  for (const tool of tools.values()) expect(tool.annotations).toMatchObject({ readOnlyHint: true });
  expect(tools.has('export_wiki')).toBe(false);
  expect(JSON.stringify([...tools.values()])).not.toContain('local_path');
  const before = await readdir(files, { recursive: true });
  expect(await wiki.error('get_attachment', { path: 'a.sh', local_path: 'b.sh' })).toMatch(
    /^forbidden: Nothing is written to "b\.sh": this server only reads\./,
  );
  expect(await readdir(files, { recursive: true })).toEqual(before);
});

test('nothing is saved under a name that begins with a dot, or through a link to one', async () => {
  const wiki = await serve('--files', files);
  const before = await readdir(files, { recursive: true });
  for (const local_path of [
    '.git/hooks/pre-commit',
    '.envrc',
    'fine/.envrc',
    'hooks/pre-commit',
    'fine/../.git/hooks/pre-commit',
    join(files, '.git', 'config'),
    // The name as another system may read it.
    'git~1/x',
    'CLAUDE~1/settings.json',
    'fine/\u200c.envrc',
    'fine/HEAD',
  ]) {
    expect(await wiki.error('get_attachment', { path: 'a.sh', local_path })).toMatch(
      /^forbidden: .* begins with a dot or /,
    );
    expect(await wiki.error('export_wiki', { local_path })).toMatch(/^forbidden: .* begins with a dot or /);
  }
  expect(await readdir(files, { recursive: true })).toEqual(before);
  await wiki.ok('get_attachment', { path: 'a.sh', local_path: 'fine/b.sh' });
  expect(await wiki.error('get_attachment', { path: 'a.sh', local_path: 'fine/b.sh' })).toMatch(
    /^already_exists: /,
  );
});

test('a folder that is allowed may itself lie in one that begins with a dot', async () => {
  const hidden = join(parent, '.local', 'files');
  await mkdir(hidden, { recursive: true });
  const wiki = await serve('--files', hidden);
  await wiki.ok('get_attachment', { path: 'a.sh', local_path: 'b.sh' });
  expect(await readdir(hidden)).toEqual(['b.sh']);
});
