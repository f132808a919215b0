import { expect, test } from 'vitest';
import { openSite } from '../../../../test/open-site.ts';

const ATTACK = '<img src=x onerror=alert(1)>"\'';

test('the whole wiki is listed by links, some at a time, and the picture has the same', async () => {
  const { run, get } = await openSite();
  const links = Array.from({ length: 210 }, (_, at) => `[[p${at}]]`).join(' ');
  const changes = Array.from({ length: 210 }, (_, at) => ({
    op: 'write' as const,
    path: `p${at}`,
    content: 'x',
  }));
  await run('commit_changes', { message: 'Many', changes: changes.slice(0, 200) });
  await run('commit_changes', { message: 'More', changes: changes.slice(200) });
  await run('write_page', { path: 'Hub', content: `---\ntitle: ${JSON.stringify(ATTACK)}\n---\n${links}\n` });
  const { text } = await get('/_/main/graph');
  expect(text.match(/<span class="path">[^<]+/g)?.[0]).toBe('<span class="path">Hub');
  expect(text).not.toContain('<img');
  const more = text.match(/<a rel="next" href="([^"]+)"/)?.[1] ?? '';
  const listed = [...pathsIn(text), ...pathsIn((await get(more)).text)];
  const data = JSON.parse((await get('/_/main/graph.json?depth=1')).text);
  expect(data.nodes.map(({ path }: { path: string }) => path)).toEqual(listed);
  expect(new Set(listed).size).toBe(listed.length);
  expect(data.nodes[0]).toEqual({ title: ATTACK, path: 'Hub', linked: 210, address: '/main/Hub' });
  expect(data.edges.length / 2).toBeGreaterThanOrEqual(210);
});

test('the graph follows changes, and a page that is not there has none', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'a b/One', content: '[[Two]]' });
  await run('write_page', { path: 'Two', content: 'x' });
  const around = '/_/main/graph?around=a+b%2FOne';
  expect(pathsIn((await get(around)).text)).toEqual(['Two']);
  await run('write_page', { path: 'Three', content: '[[One]]' });
  const { text, status } = await get(around);
  expect([status, pathsIn(text)]).toEqual([200, ['Two', 'Three']]);
  expect(text).toMatch(/data-graph="\/_\/main\/graph\.json\?around=a\+b%2FOne&amp;depth=1"/);
  for (const address of ['/_/main/graph?around=None', '/_/main/graph.json?around=None', '/_/none/graph'])
    expect((await get(address)).status, address).toBe(404);
});

test('only the view of the graph may run its script, and no frame or style more', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'One', content: 'x' });
  const policies = await Promise.all(
    ['/_/main/graph', '/main/One', '/_/main/tags'].map(async (address) =>
      (await get(address)).headers.get('content-security-policy'),
    ),
  );
  const [graph = '', ...others] = policies.map((policy) => policy ?? '');
  for (const other of others) expect(other).toBe(graph.replace(/ [^ ]*\/_\/graph\.none\.js/, ''));
  expect(graph).toMatch(/; script-src [\w.:]+\/_\/client\.[\w-]+\.js [\w.:]+\/_\/graph\.none\.js;/);
  expect(graph).not.toMatch(/unsafe|blob:|worker-src/);
});

function pathsIn(text: string): string[] {
  return [...text.matchAll(/<span class="path">([^<]+)/g)].map(([, path = '']) => path);
}
