import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { looseWiki, pageEntries } from '../../../test/storage/loose-wiki.ts';
import { nativeView } from '../../../test/storage/writers.ts';

const ELSEWHERE = '5'.repeat(40);

it('a repair keeps a submodule beside a page whose newest text is lost', async () => {
  const wiki = await looseWiki((blob) => [
    [`100644 blob ${blob('old')}\tPage.md`, `160000 commit ${ELSEWHERE}\tsub`],
    [`100644 blob ${blob('new')}\tPage.md`, `160000 commit ${ELSEWHERE}\tsub`],
  ]);
  wiki.lose('HEAD:Page.md');
  expect(await wiki.repair()).toMatchObject({ lost: [{ path: 'Page.md', kept: 'older version' }] });
  expect(wiki.entries()).toEqual(['100644 Page.md', '160000 sub']);
  expect(git(wiki.directory, ['cat-file', 'blob', 'main:Page.md'])).toBe('old');
});

it('a repair puts no submodule in place of a lost page, not even one whose commit is in the wiki', async () => {
  const wiki = await looseWiki((blob, commit) => [
    [`160000 commit ${commit}\tPage.md`, `100644 blob ${blob('other')}\tOther.md`],
    [`100644 blob ${blob('new')}\tPage.md`, `100644 blob ${blob('other')}\tOther.md`],
  ]);
  wiki.lose('HEAD:Page.md');
  expect(await wiki.repair()).toMatchObject({ lost: [{ path: 'Page.md', kept: 'nothing' }] });
  expect(wiki.entries()).toEqual(['100644 Other.md']);
});

it('a repair takes an older folder byte by byte, also one that git refuses', async () => {
  const folder = (directory: string) => {
    // It ends within an entry.
    const args = ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'];
    return git(directory, args, '100644 a.md');
  };
  const wiki = await looseWiki((blob, _, directory) => {
    const tree = git(directory, ['mktree'], `100644 blob ${blob('new')}\ta.md\n`);
    return [
      [`100644 blob ${blob('other')}\tOther.md`, `040000 tree ${folder(directory)}\tfolder`],
      [`100644 blob ${blob('other')}\tOther.md`, `040000 tree ${tree}\tfolder`],
    ];
  });
  wiki.lose('HEAD:folder');
  const before = git(wiki.directory, ['rev-parse', 'HEAD~:folder']);
  await wiki.repair();
  expect(git(wiki.directory, ['rev-parse', 'main:folder'])).toBe(before);
});

it('a wiki whose root folders are all lost is empty after a repair, which says so', async () => {
  const wiki = await looseWiki((blob) => [
    [`100644 blob ${blob('old')}\tPage.md`],
    [`100644 blob ${blob('new')}\tPage.md`],
  ]);
  const [newest = '', first = ''] = git(wiki.directory, ['rev-list', 'main']).split('\n');
  wiki.lose('HEAD~^{tree}', 'HEAD^{tree}');
  const report = await wiki.repair();
  expect(report).toMatchObject({ parent: null, lost: [], lostCommits: [first, newest] });
  expect(wiki.entries()).toEqual([]);
  const text = git(wiki.directory, ['cat-file', 'commit', 'main']);
  for (const commit of [first, newest]) expect(text).toContain(`\n- commit ${commit} is lost\n`);
});

it('the commit of a repair follows the last sound commit, at its time, and names what it lost once', async () => {
  const pages = Array.from({ length: 103 }, (_, at) => `Page ${100 + at}.md`);
  const wiki = await looseWiki((blob, _, directory) => {
    const other = `100644 blob ${blob('other')}\tOther.md`;
    const entries = pageEntries(
      directory,
      pages.map((name) => ({ name, text: name })),
    );
    return [[other], [...entries, other]];
  });
  const sound = git(wiki.directory, ['rev-parse', 'main~']);
  wiki.lose(...pages.map((page) => `HEAD:${page}`));
  const { lost } = await wiki.repair({ now: () => 1_700_000_000_999 });
  expect(lost).toHaveLength(103);
  expect(nativeView(wiki.directory).commits).toHaveLength(2);
  const [head = '', body = ''] = git(wiki.directory, ['cat-file', 'commit', 'main']).split(/\n\n(.*)/s);
  const who = 'Pagetree <pagetree@localhost> 1700000000 +0000';
  expect(head.split('\n').slice(1)).toEqual([`parent ${sound}`, `author ${who}`, `committer ${who}`]);
  const named = pages.slice(0, 100).map((page) => `- ${page}: nothing kept\n`);
  const beginning = `Repair the wiki after commits were lost\n\n${named.join('')}- and 3 more\n\n`;
  expect(body.slice(0, beginning.length)).toBe(beginning);
  expect(body.slice(beginning.length)).toMatch(/^Request-Id: repair-/);
});
