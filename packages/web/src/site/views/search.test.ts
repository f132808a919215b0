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
  expect(problems.text).toContain('Perhaps meant: New way');
  expect((await get('/_/main/problems?kind=near_copy')).text).toContain('There are none.');
});
