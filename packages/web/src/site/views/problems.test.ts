import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

test('a suggestion for a broken link leads to its page or file', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'in/Kitchen v1.2b', content: '# Kitchen\n\n## The oven\n' });
  await run('put_attachment', { path: 'in/floor plan.png', content: 'eA==' });
  await run('write_page', {
    path: 'Plan',
    content: '[[Kitchn v1.2b]] ![[flor plan.png]] [[in/Kitchen v1.2b#The ovn]]\n',
  });
  const { text } = await get('/_/main/problems');
  expect(text).toContain('Perhaps meant: <a href="/main/in/Kitchen%20v1.2b">in/Kitchen v1.2b</a>');
  expect(text).toContain('Perhaps meant: <a href="/_/main/files/in/floor%20plan.png">in/floor plan.png</a>');
  const { text: headings } = await get('/_/main/problems?kind=broken_anchor');
  expect(headings).toContain('Perhaps meant: <bdi>The oven<');
});
