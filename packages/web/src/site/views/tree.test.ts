import { aroundEach, type OperationName } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { HOST, openSite, siteOf } from '../../../test/open-site.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `p${String(at).padStart(3, '0')}`);

test.each([
  ['/main/Home', 'view_page'],
  ['/main/a/b/c/Page', 'view_page'],
  ['/main/a/b/c/', 'list_folder'],
])('%s is one call of the wiki, whose answer has the tree', async (address, operation) => {
  const { run, wiki } = await openSite();
  for (const path of ['a/Other', 'a/b/c/Page']) await run('write_page', { path, content: 'x' });
  const called: OperationName[] = [];
  const counted = aroundEach(
    async () => wiki,
    (name, ask) => {
      called.push(name);
      return ask();
    },
  );
  const text = await show(counted, address);
  expect(called).toEqual([operation]);
  expect(treeIn(text)).toContain('href="/main/Home"');
});

test('the tree has the folders on the way, open, and the page itself', async () => {
  const { run, wiki } = await openSite();
  for (const path of ['a/Other', 'a/b/Page', 'z/Away']) await run('write_page', { path, content: 'x' });
  const tree = treeIn(await show(wiki, '/main/a/b/Page'));
  const shown = [...tree.matchAll(/href="([^"]*)"( aria-current="page")?/g)].map((found) => found.slice(1));
  expect(shown).toEqual([
    ['/main/', undefined],
    ['/main/a/', undefined],
    ['/main/a/b/', undefined],
    ['/main/a/b/Page', ' aria-current="page"'],
    ['/main/a/Other', undefined],
    ['/main/z/', undefined],
    ['/main/Home', undefined],
    ['/main/How%20this%20wiki%20works', undefined],
  ]);
});

test('of many names the tree has those near the page, and leads to the rest', async () => {
  const { run, wiki } = await openSite();
  const changes = names(150).map((name) => ({ op: 'write' as const, path: `many/${name}`, content: 'x' }));
  await run('commit_changes', { message: 'Many', changes });
  const tree = treeIn(await show(wiki, '/main/many/p100'));
  expect([...tree.matchAll(/many\/(p\d+)"/g)].map(([, name]) => name)).toEqual(names(150).slice(70, 130));
  expect(tree).toContain('<a href="/main/many/">90 more</a>');
});

test('a past page shows the tree of today', async () => {
  const { run, get } = await openSite();
  const { commit } = await run('write_page', { path: 'old/Page', content: 'x' });
  await run('move_page', { path: 'old/Page', new_path: 'new/Page' });
  const { text } = await get(`/main/old/Page?at=${commit}`);
  expect(treeIn(text)).toContain('<a href="/main/new/Page" aria-current="page">');
});

test('a page of a function of an older version, which answers no tree, is shown without one', async () => {
  const { run, wiki } = await openSite();
  await run('write_page', { path: 'Start', content: 'words' });
  const older = aroundEach(
    async () => wiki,
    async (_, ask) => {
      const answer = (await ask()) as { page: { around?: unknown } };
      delete answer.page.around;
      return answer;
    },
  );
  const text = await show(older, '/main/Start');
  expect(text).toContain('words');
  expect(text).not.toContain('class="tree"');
});

async function show(wiki: Parameters<typeof siteOf>[0], address: string): Promise<string> {
  const response = await siteOf(wiki).fetch(
    new Request(`http://${HOST}${address}`, { headers: { host: HOST } }),
  );
  expect(response.status).toBe(200);
  return response.text();
}

function treeIn(text: string): string {
  return /<nav class="tree"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
}
