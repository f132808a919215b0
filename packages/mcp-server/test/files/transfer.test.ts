import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let files: string;
let wiki: SdkClient;

beforeAll(async () => {
  const [bundle, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  files = join(parent, 'files');
  await mkdir(join(files, 'vault', '.obsidian'), { recursive: true });
  await mkdir(join(files, 'vault', 'deep', 'er'), { recursive: true });
  await writeFile(join(files, 'vault', '.obsidian', 'app.json'), '{}');
  await writeFile(join(files, 'vault', 'Home.md'), '# Home\r\n[[Note]] ![[a.png]]\n');
  await writeFile(join(files, 'vault', 'deep', 'er', 'Note.md'), '');
  await writeFile(join(files, 'vault', 'deep', 'a.png'), Uint8Array.of(0, 255, 10));
  const env = { PAGETREE_FILES: files };
  wiki = await new SdkClient(process.execPath, [bundle, '--dir', join(parent, 'wikis')], env).connect();
});

afterAll(() => wiki.close());

test('a folder is imported and exported unchanged', async () => {
  const imported = await wiki.ok('import_wiki', { wiki: 'vault', local_path: join(files, 'vault') });
  expect(imported).toMatchObject({ wiki: 'vault', pages: 2, attachments: 1, commits: 1 });
  const exported = await wiki.ok('export_wiki', { wiki: 'vault', local_path: 'out' });
  expect(exported).toMatchObject({ files: 3, saved_to: join(files, 'out'), content: null });
  for (const path of ['Home.md', 'deep/er/Note.md', 'deep/a.png']) {
    expect(await readFile(join(files, 'out', path))).toEqual(await readFile(join(files, 'vault', path)));
  }
  expect((await readdir(files)).toSorted()).toEqual(['out', 'vault']);
  expect(await wiki.error('export_wiki', { wiki: 'vault', local_path: 'out' })).toMatch(/^already_exists: /);
  // Before the wiki is even opened, as an export may take minutes.
  expect(await wiki.error('export_wiki', { wiki: 'no-such', local_path: 'out' })).toMatch(
    /^already_exists: /,
  );
  await wiki.ok('export_wiki', { wiki: 'vault', local_path: 'out.zip', format: 'zip' });
  const again = await wiki.ok('import_wiki', { wiki: 'zipped', local_path: 'out.zip' });
  expect(again).toMatchObject({ pages: 2, attachments: 1 });
});

test('a history is exported as a bundle, which native git clones, and imported again', async () => {
  await wiki.ok('export_wiki', { wiki: 'vault', local_path: 'wiki.bundle', format: 'bundle' });
  const clone = join(files, 'clone.git');
  await git(files, 'clone', '--quiet', '--bare', 'wiki.bundle', clone);
  await gitFsck(clone);
  const head = (await git(clone, 'rev-parse', 'main')).trim();
  for (const [name, local_path] of [
    ['from-bundle', 'wiki.bundle'],
    ['from-repository', clone],
  ]) {
    expect(await wiki.ok('import_wiki', { wiki: name, local_path })).toMatchObject({
      kind: 'history',
      commit: head,
    });
  }
});

test('a folder with a link that leads out of it is refused whole', async () => {
  await symlink('/etc/hostname', join(files, 'vault', 'Host.md'));
  const refused = await wiki.error('import_wiki', { wiki: 'linked', local_path: 'vault' });
  expect(refused).toMatch(
    /^invalid_path: 1 of 4 files cannot be imported\.\n"Host\.md": it is a link out of the folder/,
  );
  expect((await wiki.ok('list_wikis')).wikis).not.toContain('linked');
});
