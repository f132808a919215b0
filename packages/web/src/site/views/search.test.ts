import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

test('a superseded page is shown after its successor, which it links to, and links to it are a problem', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'Old', content: '---\nsuperseded_by: New way\n---\nlantern lantern\n' });
  await run('write_page', { path: 'New way', content: 'A lantern.\n' });
  await run('write_page', { path: 'List', content: 'See [[Old]].\n' });
  const { text } = await get('/_/main/search?q=lantern');
  expect(text).toContain('Superseded by <a href="/main/New%20way">New way</a>');
  expect(text.indexOf('<p class="path">New way')).toBeLessThan(text.indexOf('<p class="path">Old'));
  const problems = await get('/_/main/problems?kind=superseded_link');
  expect(problems.text).toContain('Perhaps meant: <a href="/main/New%20way">New way</a>');
  expect((await get('/_/main/problems?kind=near_copy')).text).toContain('There are none.');
});

test('without words, the pages that fit the other fields are listed', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'Guides/One', content: '#red one\n' });
  await run('write_page', { path: 'Two', content: '#blue two\n' });
  const found = async (query: string) => {
    const { text } = await get(`/_/main/search?${query}`);
    return [...text.matchAll(/<li><a href="([^"]*)">/g)].map(([, href]) => href);
  };
  expect(await found('q=&tag=red')).toEqual(['/main/Guides/One']);
  expect(await found('folder=Guides/')).toEqual(['/main/Guides/One']);
  expect(await found('q=%20&author=ada&agent=claude')).toHaveLength(2);
  expect(await found('author=grace')).toEqual([]);
  expect(await found('since=2000-01-01')).toEqual(expect.arrayContaining(['/main/Two', '/main/Guides/One']));
  expect(await found('until=2000-01-01')).toEqual([]);
  expect((await get('/_/main/search?author=grace')).text).toContain('No page was found.');
  expect((await get('/_/main/search?q=&tag=&folder=&author=')).text).toContain('Without words');
});
