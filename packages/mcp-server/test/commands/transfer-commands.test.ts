import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { RawServer } from '../raw-server.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

interface Ran {
  said: string;
  reported: string;
  code: number | null;
}

test('a place is relative to the caller under `pnpm -C` too', async () => {
  const [vault, clone] = [await vaultOf(1), await temporaryDirectory()];
  const caller = join(vault, '..');
  const env = { INIT_CWD: caller, npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  const inCaller = async (...args: string[]) => {
    const program = new RawServer(process.execPath, [bundle, ...args], { ...author, ...env }, clone);
    program.process.stdin.end();
    await program.ended;
    return program.stderr;
  };
  await inCaller('import', 'vault', '--dir', 'wikis');
  await inCaller('export', 'out', '--dir', 'wikis');
  expect((await readdir(caller)).toSorted()).toEqual(['out', 'vault', 'wikis']);
  expect(await readdir(clone)).toEqual([]);
});

const author = { PAGETREE_AUTHOR: 'Ada <ada@example.org>' };

function start(...args: string[]): RawServer {
  return new RawServer(process.execPath, [bundle, ...args], author);
}

async function run(...args: string[]): Promise<Ran> {
  const program = start(...args);
  program.process.stdin.end();
  const { code } = await program.ended;
  expect(program.stderr).not.toMatch(
    /ell the person|sk the person|Pass wiki|request_id|epeat the call|Call (it|again)/,
  );
  return { said: program.rubbish.join('\n'), reported: program.stderr, code };
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

test('a folder is imported into a new wiki, with progress on standard error alone', async () => {
  const [vault, wikis] = [await vaultOf(30), await temporaryDirectory()];
  const { said, reported, code } = await run('import', vault, '--dir', wikis, '--wiki', 'notes');
  expect({ said, code }).toEqual({
    said: expect.stringMatching(
      /^31 pages and 0 other files came into the wiki notes, in commit [0-9a-f]{40}\.$/,
    ),
    code: 0,
  });
  expect(reported).toMatch(/unpacking: 31 of 31\n/);
  expect((await readdir(wikis)).toSorted()).toEqual(['default-wiki', 'notes.git']);
  expect(await git(join(wikis, 'notes.git'), 'log', '--format=%an', 'main')).toBe('Ada');
  const again = await run('import', vault, '--dir', wikis, '--wiki', 'notes');
  expect(again.said).toMatch(/has all .* already; nothing was changed/);
});

test('the first imported wiki becomes the default of a new directory, without an empty main beside it', async () => {
  const [vault, parent] = [await vaultOf(1), await temporaryDirectory()];
  const wikis = join(parent, 'new');
  await run('import', vault, '--dir', wikis, '--wiki', 'notes');
  await run('import', vault, '--dir', wikis, '--wiki', 'main');
  expect((await run('doctor', '--dir', wikis)).said).toMatch(/Wiki: +notes, 2 pages/);
  expect((await readdir(wikis)).toSorted()).toEqual(['default-wiki', 'main.git', 'notes.git']);
});

test('links that lead elsewhere after an import are reported, also by a dry run', async () => {
  const [parent, wikis] = [await temporaryDirectory(), await temporaryDirectory()];
  const [vault, added] = [join(parent, 'vault'), join(parent, 'added')];
  await mkdir(join(vault, 'sub'), { recursive: true });
  await mkdir(added);
  await writeFile(join(vault, 'A.md'), `[[B]] [[New|${'\u001b'}c]] ${'[[B|more]] '.repeat(5)}\n`);
  await writeFile(join(vault, 'sub', 'B.md'), 'b\n');
  await run('import', vault, '--dir', wikis);
  for (const name of ['B', 'New']) await writeFile(join(added, `${name}.md`), 'root\n');
  const lines = [
    '  [[B]] in A: to B instead of sub/B',
    '  [[New|?c]] in A: to New instead of nothing',
    ...Array(3).fill('  [[B|more]] in A: to B instead of sub/B'),
    '  and 2 more',
  ];
  const dry = await run('import', added, '--dir', wikis, '--dry-run');
  expect(dry.said).toContain(`\n7 links of pages in the wiki would lead elsewhere:\n${lines.join('\n')}`);
  const { said } = await run('import', added, '--dir', wikis);
  expect(said).toContain(`\n7 links of pages in the wiki lead elsewhere now:\n${lines.join('\n')}`);
});

test('files that the wiki has with other content are reported, with the options that help', async () => {
  const [vault, wikis] = [await vaultOf(1), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis);
  await writeFile(join(vault, 'Start.md'), '# Another\n');
  expect(await run('import', vault, '--dir', wikis)).toMatchObject({
    code: 1,
    reported: expect.stringMatching(
      /1 of 2 files exist in the wiki .*"Start.md"\. .* Give --replace .* --prefix FOLDER/,
    ),
  });
});

test('a dry run says what would be imported, and makes nothing', async () => {
  const [vault, wikis] = [await vaultOf(2), await temporaryDirectory()];
  const { said } = await run('import', vault, '--dir', wikis, '--prefix', 'Imported', '--dry-run');
  expect(said).toMatch(/^3 pages and 0 other files would come into the wiki main, which changes 3 of them/);
  expect(await readdir(wikis)).toEqual([]);
});

test('a wiki is exported as folder, zip and bundle, and a history is imported whole', async () => {
  const [vault, wikis, out] = [await vaultOf(3), await temporaryDirectory(), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis);
  const folder = await run('export', join(out, 'folder'), '--dir', wikis);
  expect(folder).toMatchObject({ code: 0, said: expect.stringMatching(/^The wiki main .* 4 files, is in/) });
  expect(folder.reported).toMatch(/packing: 4 of 4\n/);
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

test('an export records the default wiki, and an import makes no new one if it is gone', async () => {
  const [vault, wikis, out] = [await vaultOf(1), await temporaryDirectory(), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis, '--wiki', 'beta');
  await rm(join(wikis, 'default-wiki'));
  await run('export', join(out, 'folder'), '--dir', wikis);
  expect(await readFile(join(wikis, 'default-wiki'), 'utf8')).toBe('beta\n');
  await rename(join(wikis, 'beta.git'), join(out, 'beta.git'));
  for (const option of [[], ['--dry-run']]) {
    expect(await run('import', vault, '--dir', wikis, ...option)).toMatchObject({
      code: 1,
      reported: expect.stringMatching(
        /default wiki "beta" is not in .* None was made in its place\. Put beta\.git/,
      ),
    });
  }
  expect(await readdir(wikis)).toEqual(['default-wiki']);
});

test('failures are reported on standard error, with what to do next', async () => {
  const wikis = await temporaryDirectory();
  const missing = await run('import', join(wikis, 'none'), '--dir', wikis);
  expect(missing).toMatchObject({
    said: '',
    code: 1,
    reported: expect.stringMatching(/There is nothing at .*none/),
  });
  const unknown = await run('export', join(wikis, 'out'), '--dir', wikis, '--wiki', 'nots');
  expect(unknown).toMatchObject({ code: 1, reported: expect.stringMatching(/There is no wiki "nots"/) });
  expect(await readdir(wikis)).toEqual([]);
  expect(unknown.reported).toContain('Start the server there once');
  await run('import', await vaultOf(1), '--dir', wikis, '--wiki', 'notes');
  const slip = await run('export', join(wikis, 'out'), '--dir', wikis, '--wiki', 'nots');
  expect(slip.reported).toContain('There are: notes. Name another one, as --wiki notes.');
  const format = await run('export', join(wikis, 'out'), '--dir', wikis, '--format', 'tar');
  expect(format.reported).toMatch(
    /format must be one of "folder", "zip", "bundle"\. .*--help shows the options/,
  );
  const at = await run('export', join(wikis, 'out'), '--dir', wikis, '--at', 'yesterday');
  expect(at.reported).toMatch(/ at .*--help shows the options/);
  expect(await run('import')).toMatchObject({
    code: 2,
    reported: expect.stringContaining('import needs a file'),
  });
  expect(await run('--format', 'zip')).toMatchObject({
    code: 2,
    reported: expect.stringContaining('for export alone'),
  });
});

test('a scope also limits the import and export commands', async () => {
  const [vault, wikis, out] = [await vaultOf(1), await temporaryDirectory(), await temporaryDirectory()];
  await run('import', vault, '--dir', wikis, '--prefix', 'a');
  await run('import', vault, '--dir', wikis, '--prefix', 'b');
  const exported = await run('export', join(out, 'part'), '--dir', wikis, '--scope', 'a/');
  expect(exported.said).toContain('2 files');
  expect(await readdir(join(out, 'part'))).toEqual(['a']);
  const refused = await run('import', vault, '--dir', wikis, '--prefix', 'c', '--scope', 'a/');
  expect(refused).toMatchObject({
    code: 1,
    reported: expect.stringContaining('outside of what may be changed'),
  });
  const bundled = await run('export', join(out, 'b'), '--dir', wikis, '--scope', 'a/', '--format', 'bundle');
  expect(bundled).toMatchObject({ code: 1, reported: expect.stringContaining('takes the whole wiki') });
});

test('Ctrl-C ends an import before it commits anything', async () => {
  const [vault, wikis] = [await vaultOf(4_000), await temporaryDirectory()];
  const program = start('import', vault, '--dir', wikis);
  while (!program.stderr.includes('unpacking')) await once(program.process.stderr, 'data');
  program.process.kill('SIGINT');
  expect((await program.ended).code).toBe(1);
  expect(program.stderr).toContain('The call was cancelled');
  expect(await readdir(wikis)).toEqual([]);
});
