import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import type { CallInput, OperationName, Output } from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { encodePack } from '../../src/formats/packs/pack.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { ObjectHeap } from '../git-input/bundles.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { filesOf, zipOf } from './archives.ts';

/**
 * Paths that native git committed in the wiki's repository, by plumbing or by a push from before this was
 * refused.
 */

test('a wiki keeps working with files that git would refuse, and shows them to nobody', async () => {
  const { run } = await hostileWiki();
  const { pages } = await run('list_pages', {});
  expect(pages.map(({ path }) => path)).toEqual(['Home', 'sub/Fine']);
  const { attachments } = await run('list_attachments', {});
  expect(attachments.map(({ path }) => path)).toEqual(['.claude/settings.json', 'a.png']);
  expect((await run('search_pages', { query: 'secretword' })).total).toBe(0);
  const history = await run('get_history', {});
  expect(JSON.stringify(history)).not.toMatch(/evil|\.git/i);
  for (const path of ['.GIT/evil', 'sub/git~1/evil', 'sub/a\\..\\..\\evil']) {
    await expect(run('read_page', { path })).rejects.toThrow(/^(not_found|invalid_path): /);
  }
  for (const path of ['.git/config', '.gitmodules', '.GIT/evil.bin', 'sub/.git\u200c/x.png']) {
    await expect(run('get_attachment', { path })).rejects.toThrow(/^(not_found|invalid_path): /);
  }
  await run('append_to_page', { path: 'Home', content: 'goes on' });
  expect((await run('read_page', { path: 'Home' })).content).toContain('goes on');
});

test('an export leaves out files that could run code and says so, and git status in it runs nothing', async () => {
  const { run, directory, ran } = await hostileWiki();
  const { content, ...said } = await run('export_wiki', { format: 'folder' });
  expect(said).toMatchObject({ files: 3, left_out_total: 8 });
  expect(said.left_out).toEqual(expect.arrayContaining(['.claude/settings.json', '.git', '.gitmodules']));
  const files = await filesOf(content ?? '');
  expect(Object.keys(files).toSorted()).toEqual(['Home.md', 'a.png', 'sub/Fine.md']);
  const folder = join(directory, 'export');
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  spawnSync('git', ['status'], { cwd: folder, env: { ...process.env, GIT_CEILING_DIRECTORIES: directory } });
  expect(existsSync(ran)).toBe(false);
});

test.each(['HEAD', 'head', 'Head.'])(
  'git never takes an export for a repository, with any files beside %s',
  async (name) => {
    const heap = new ObjectHeap();
    const directory = temporaryDirectory();
    const ran = join(directory, 'ran');
    const text = heap.add('blob', 'text\n');
    // Without the version git does not heed the worktree.
    const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${ran}; false"\n`;
    const repository: [string, string, string][] = [
      ['100644', name, heap.add('blob', 'ref: refs/heads/main\n')],
      ['100644', 'Home.md', text],
      ['100644', 'config', heap.add('blob', settings)],
      ['40000', 'objects', heap.tree([['100644', 'x', text]])],
      ['40000', 'refs', heap.tree([['100644', 'x', text]])],
    ];
    const root = [...repository, ['40000', 'sub', heap.tree(byName(repository))] as [string, string, string]];
    const { run } = await wikiOf(heap, heap.commit(heap.tree(byName(root))), directory);
    const { content, ...said } = await run('export_wiki', { format: 'folder' });
    expect(said.left_out).toEqual([name, `sub/${name}`]);
    // As git would see the names on a system that folds them.
    const folder = join(directory, 'export');
    for (const [path, bytes] of Object.entries(await filesOf(content ?? ''))) {
      const place = join(folder, path.replace(/head\.?$/i, 'HEAD'));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
    const status = (cwd: string) =>
      spawnSync('git', ['status'], { cwd, env: { ...process.env, GIT_CEILING_DIRECTORIES: directory } });
    const folders = [folder, join(folder, 'sub')];
    for (const cwd of folders) status(cwd);
    expect(existsSync(ran)).toBe(false);
    // With what was left out, git does run what `config` names.
    for (const cwd of folders) {
      writeFileSync(join(cwd, 'HEAD'), 'ref: refs/heads/main\n');
      status(cwd);
      expect(existsSync(ran)).toBe(true);
      rmSync(ran);
    }
    const zip = await zipOf({ [`x/${name}`]: 'a', 'x/Fine.md': 'b' });
    expect((await run('import_wiki', { content: zip })).ignored).toEqual([`x/${name}`]);
  },
);

test('both checks report the quarantined files', async () => {
  const { run } = await hostileWiki();
  const { findings } = await run('check_wiki', { kinds: ['quarantined_file'] });
  expect(findings.map(({ path }) => path).toSorted()).toEqual(
    ['..', '.GIT', '.git', '.gitmodules', 'sub/.git\u200c', 'sub/a\\..\\..\\evil.md', 'sub/git~1'].toSorted(),
  );
  const { problems } = await run('maintain_wiki', { mode: 'check' });
  const said = problems.map(({ text }) => text).join('\n');
  expect(said).toMatch(/git would refuse the tree [0-9a-f]{40}: it has an entry "\.\.?(GIT)?"/);
  expect(said).toMatch(
    /git would refuse the blob [0-9a-f]{40}: as \.gitmodules, the update of a submodule runs a command/,
  );
});

test('its history is not imported elsewhere', async () => {
  const { run } = await hostileWiki();
  const { content } = await run('export_wiki', { format: 'bundle' });
  await expect(run('import_wiki', { wiki: 'other', content: content ?? '' })).rejects.toThrow(
    /^invalid_input: The git bundle cannot be imported: the (tree|blob) [0-9a-f]{40} would be refused by git: /,
  );
});

test('a commit of millions of files is reported as too large, and its pages can be read', async () => {
  const heap = new ObjectHeap();
  const page = heap.add('blob', 'a page\n');
  let tree = heap.tree([['100644', 'a.md', page]]);
  for (let level = 0; level < 30; level += 1) {
    tree = heap.tree([
      ['40000', '0', tree],
      ['40000', '1', tree],
    ]);
  }
  const { run } = await wikiOf(
    heap,
    heap.commit(
      heap.tree([
        ['100644', 'Home.md', page],
        ['40000', 'x', tree],
      ]),
    ),
  );
  expect((await run('read_page', { path: 'Home' })).content).toBe('a page\n');
  await expect(run('check_wiki', { kinds: ['empty'] })).rejects.toThrow(
    /^too_large: A commit of the wiki names more than 1000000 files\./,
  );
});

describe.each(sampled(['loose', 'packed'], ['loose']))('a file of 101 MB that is %s', (stored) => {
  test('is answered as too large, and everything else goes on', async () => {
    const directory = temporaryDirectory();
    const repository = join(directory, 'test.git');
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    const huge = Buffer.alloc(101_000_000);
    const files = { 'Huge.md': huge, 'huge.png': huge, 'Home.md': '# Home\n\nA small page.\n' };
    git(repository, ['update-ref', 'refs/heads/main', commitOf(repository, files)]);
    if (stored === 'packed') git(repository, ['repack', '-adq']);
    const { run } = await opened(directory);

    const refusal = /^too_large: The object [0-9a-f]{40} is not read: it says that it has 101000000 bytes/;
    await expect(run('read_page', { path: 'Huge' })).rejects.toThrow(refusal);
    await expect(run('get_attachment', { path: 'huge.png' })).rejects.toThrow(refusal);
    const { pages } = await run('list_pages', {});
    expect(pages.map(({ path }) => path)).toEqual(['Home', 'Huge']);
    for (const query of [{ query: 'small' }, { query: 'Huge|small', mode: 'regex' }] as const) {
      expect((await run('search_pages', query)).hits.map(({ path }) => path)).toContain('Home');
    }
    expect((await run('get_history', { path: 'Huge' })).entries).toHaveLength(1);
    const { findings } = await run('check_wiki', { kinds: ['unread_part'] });
    expect(findings).toMatchObject([
      { path: 'Huge', detail: expect.stringContaining('too large to be read') },
    ]);
    expect((await run('maintain_wiki', { mode: 'check' })).problems).toMatchObject([
      { path: 'Huge.md', text: expect.stringContaining('it says that it has 101000000 bytes') },
    ]);
    await run('maintain_wiki', { mode: 'tidy' });
    await run('append_to_page', { path: 'Home', content: 'goes on' });
    expect((await run('read_page', { path: 'Home' })).content).toContain('goes on');
    expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });
});

test('a pushed page that is too large to be read is left out and named', async () => {
  const heap = new ObjectHeap();
  const home = heap.add('blob', '# Home\n');
  const base = heap.commit(heap.tree([['100644', 'Home.md', home]]));
  const { run, directory } = await wikiOf(heap, base);
  await run('append_to_page', { path: 'Home', content: 'meanwhile' });
  const repository = join(directory, 'test.git');
  const files = { 'Huge.md': Buffer.alloc(101_000_000), 'Home.md': '# Home\n', 'Other.md': 'other\n' };
  git(repository, ['update-ref', 'refs/heads/main', commitOf(repository, files, base)]);

  expect((await run('list_pages', {})).pages.map(({ path }) => path)).toEqual(['Home', 'Other']);
  const [entry] = (await run('get_history', { limit: 1 })).entries;
  expect(entry?.message).toContain('- Huge.md');
});

/** A commit by native git of files at the root, whose pages may be of any size. */
function commitOf(repository: string, files: Record<string, string | Buffer>, parent?: string): string {
  const lines = Object.entries(files).map(
    ([name, content]) =>
      `100644 blob ${git(repository, ['hash-object', '-w', '--stdin'], content)}\t${name}\n`,
  );
  const tree = git(repository, ['mktree'], lines.join(''));
  return git(repository, ['commit-tree', '-m', 'Huge', ...(parent ? ['-p', parent] : []), tree]);
}

function byName(entries: readonly [string, string, string][]): [string, string, string][] {
  return entries.toSorted(([, one], [, other]) => (one < other ? -1 : 1));
}

async function hostileWiki() {
  const heap = new ObjectHeap();
  const directory = temporaryDirectory();
  const ran = join(directory, 'ran');
  const evil = heap.add('blob', '# Evil\nsecretword\n');
  const inner = heap.tree([
    ['100644', 'HEAD', heap.add('blob', 'ref: refs/heads/main\n')],
    ['100644', 'config', heap.add('blob', `[core]\n\tbare = false\n\tfsmonitor = "touch ${ran}"\n`)],
    ['100644', 'evil.md', evil],
    ['40000', 'objects', heap.tree([['100644', 'x', evil]])],
    ['40000', 'refs', heap.tree([['100644', 'x', evil]])],
  ]);
  const below = heap.tree([
    ['100644', 'evil.bin', evil],
    ['100644', 'evil.md', evil],
    ['100644', 'x.png', evil],
  ]);
  const sub = heap.tree([
    ['40000', Buffer.from('.git\u200c').toString('latin1'), below],
    ['100644', 'Fine.md', heap.add('blob', 'fine\n')],
    ['100644', 'a\\..\\..\\evil.md', evil],
    ['40000', 'git~1', below],
  ]);
  const modules = heap.add('blob', '[submodule "a"]\n\tpath = a\n\turl = ../a\n\tupdate = !touch x\n');
  const root = heap.tree([
    ['40000', '..', below],
    ['40000', '.GIT', below],
    ['40000', '.claude', heap.tree([['100644', 'settings.json', heap.add('blob', '{}')]])],
    ['40000', '.git', inner],
    ['100644', '.gitmodules', modules],
    ['100644', 'Home.md', heap.add('blob', '# Home\n')],
    ['100644', 'a.png', heap.add('blob', 'png')],
    ['120000', 'link.md', heap.add('blob', '/etc/passwd')],
    ['40000', 'sub', sub],
  ]);
  return { ...(await wikiOf(heap, heap.commit(root), directory)), ran };
}

async function wikiOf(heap: ObjectHeap, tip: string, directory = temporaryDirectory()) {
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const { packBytes, indexBytes } = encodePack(heap.objects);
  writeFileSync(join(repository, 'objects', 'pack', `pack-${tip}.pack`), packBytes);
  writeFileSync(join(repository, 'objects', 'pack', `pack-${tip}.idx`), indexBytes);
  git(repository, ['update-ref', 'refs/heads/main', tip]);
  return opened(directory);
}

async function opened(directory: string) {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  onTestFinished(close);
  const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
  async function run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
    const method = wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
    return (await method(parseInput(name, input), call)) as Output<Name>;
  }
  return { run, directory };
}
