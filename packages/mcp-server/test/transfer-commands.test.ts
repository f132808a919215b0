import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from './built-server.ts';
import { git, gitFsck } from './git.ts';
import { RawServer } from './raw-server.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

interface Ran {
  said: string;
  told: string;
  code: number | null;
}

function start(...args: string[]): RawServer {
  return new RawServer(process.execPath, [bundle, ...args], {
    PAGETREE_AUTHOR: 'Ada <ada@example.org>',
  });
}

async function run(...args: string[]): Promise<Ran> {
  const program = start(...args);
  program.process.stdin.end();
  const { code } = await program.ended;
  return { said: program.rubbish.join('\n'), told: program.stderr, code };
}

/** A folder of Markdown with so many pages beside its first. */
async function vaultOf(pages: number): Promise<string> {
  const vault = join(await temporaryDirectory(), 'vault');
  await mkdir(join(vault, '.obsidian'), { recursive: true });
  await writeFile(join(vault, '.obsidian', 'app.json'), '{}');
  await writeFile(join(vault, 'Start.md'), '# Start\n');
  const write = (page: number) => writeFile(join(vault, `Page ${page}.md`), `Text ${page}\n`);
  await Promise.all(Array.from({ length: pages }, (_, page) => write(page)));
  return vault;
}

test('a folder comes into a wiki that is made for it, with progress on standard error alone', async () => {
  const [vault, wikis] = [await vaultOf(30), await temporaryDirectory()];
  const { said, told, code } = await run('import', vault, '--dir', wikis, '--wiki', 'notes');
  expect({ said, code }).toEqual({
    said: expect.stringMatching(
      /^31 pages and 0 other files came into the wiki notes, in commit [0-9a-f]{40}\.$/,
    ),
    code: 0,
  });
  expect(told).toMatch(/unpacking: 31 of 31\n/);
  expect(await readdir(wikis)).toEqual(['notes.git']);
  expect(await git(join(wikis, 'notes.git'), 'log', '--format=%an', 'main')).toBe('Ada');
  const again = await run('import', vault, '--dir', wikis, '--wiki', 'notes');
  expect(again.said).toMatch(/has all .* already; nothing was changed/);
});

test('files that the wiki has with other content are told, with the options that help', async () => {
  const [vault, wikis] = [await vaultOf(1), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis);
  await writeFile(join(vault, 'Start.md'), '# Another\n');
  expect(await run('import', vault, '--dir', wikis)).toMatchObject({
    code: 1,
    told: expect.stringMatching(
      /1 of 2 files exist in the wiki .*"Start.md"\. .* Give --replace .* --prefix FOLDER/,
    ),
  });
});

test('a dry run says what would come in, and makes nothing', async () => {
  const [vault, wikis] = [await vaultOf(2), await temporaryDirectory()];
  const { said } = await run('import', vault, '--dir', wikis, '--prefix', 'Imported', '--dry-run');
  expect(said).toMatch(/^3 pages and 0 other files would come into the wiki main, which changes 3 of them/);
  expect(await readdir(wikis)).toEqual([]);
});

test('a wiki goes out as folder, zip and bundle, and a history comes in whole', async () => {
  const [vault, wikis, out] = [await vaultOf(3), await temporaryDirectory(), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis);
  const folder = await run('export', join(out, 'folder'), '--dir', wikis);
  expect(folder).toMatchObject({ code: 0, said: expect.stringMatching(/^The wiki main .* 4 files, is in/) });
  expect(folder.told).toMatch(/packing: 4 of 4\n/);
  expect(await readFile(join(out, 'folder', 'Start.md'), 'utf8')).toBe('# Start\n');
  await run('export', join(out, 'w.zip'), '--dir', wikis, '--format', 'zip');
  await run('export', join(out, 'w.bundle'), '--dir', wikis, '--format', 'bundle');
  expect((await readdir(out)).toSorted()).toEqual(['folder', 'w.bundle', 'w.zip']);

  const others = await temporaryDirectory();
  const history = await run('import', join(out, 'w.bundle'), '--dir', others, '--wiki', 'copy');
  expect(history.said).toMatch(/^4 pages and 0 other files, with 1 commits came into the wiki copy/);
  await gitFsck(join(others, 'copy.git'));
  expect(await git(join(others, 'copy.git'), 'rev-parse', 'main')).toBe(
    await git(join(wikis, 'main.git'), 'rev-parse', 'main'),
  );
});

test('what cannot be done is told on standard error, with what to do next', async () => {
  const wikis = await temporaryDirectory();
  const missing = await run('import', join(wikis, 'none'), '--dir', wikis);
  expect(missing).toMatchObject({
    said: '',
    code: 1,
    told: expect.stringMatching(/There is nothing at .*none/),
  });
  const unknown = await run('export', join(wikis, 'out'), '--dir', wikis, '--wiki', 'nots');
  expect(unknown).toMatchObject({ code: 1, told: expect.stringMatching(/There is no wiki "nots"/) });
  expect(await readdir(wikis)).toEqual([]);
  expect(await run('import')).toMatchObject({
    code: 2,
    told: expect.stringContaining('import needs a file'),
  });
  expect(await run('--format', 'zip')).toMatchObject({
    code: 2,
    told: expect.stringContaining('for export alone'),
  });
});

test('a scope holds for what a person carries too', async () => {
  const [vault, wikis, out] = [await vaultOf(1), await temporaryDirectory(), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis, '--prefix', 'a');
  await run('import', vault, '--dir', wikis, '--prefix', 'b');
  const exported = await run('export', join(out, 'part'), '--dir', wikis, '--scope', 'a/');
  expect(exported.said).toContain('2 files');
  expect(await readdir(join(out, 'part'))).toEqual(['a']);
  const refused = await run('import', vault, '--dir', wikis, '--prefix', 'c', '--scope', 'a/');
  expect(refused).toMatchObject({ code: 1, told: expect.stringContaining('outside of what may be changed') });
  const bundled = await run('export', join(out, 'b'), '--dir', wikis, '--scope', 'a/', '--format', 'bundle');
  expect(bundled).toMatchObject({ code: 1, told: expect.stringContaining('takes the whole wiki') });
});

test('Ctrl-C ends an import before anything of it is committed', async () => {
  const [vault, wikis] = [await vaultOf(4_000), await temporaryDirectory()];
  const program = start('import', vault, '--dir', wikis);
  while (!program.stderr.includes('unpacking')) await once(program.process.stderr, 'data');
  program.process.kill('SIGINT');
  expect((await program.ended).code).toBe(1);
  expect(program.stderr).toContain('The call was cancelled');
  expect(await readdir(wikis)).toEqual([]);
});
