import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

const bytes = (text: string) => Buffer.from(text).toString('base64');

test('a past page shows its files as they were, and one that was elsewhere as it is today', async () => {
  const { run, get } = await openSite();
  await run('put_attachment', { path: 'map.png', content: bytes('old') });
  const { commit } = await run('write_page', { path: 'Page', content: '![[map.png]]\n' });
  const { version } = await run('get_attachment', { path: 'map.png' });
  await run('put_attachment', { path: 'map.png', content: bytes('new'), version });
  await run('put_attachment', { path: 'late.png', content: bytes('late') });
  const imageOf = async (address: string) => {
    const [, src = ''] = /<img src="([^"]*)"/.exec((await get(address)).text) ?? [];
    return (await get(src.replaceAll('&amp;', '&'))).text;
  };
  expect(await imageOf('/main/Page')).toBe('new');
  expect(await imageOf(`/main/Page?at=${commit}`)).toBe('old');
  expect((await get(`/main/Page?at=${commit}`)).text).toContain(
    'with its files as they were, unless they moved since',
  );
  const late = await get(`/_/main/files/late.png?at=${commit}`);
  expect([late.status, late.headers.get('location')]).toEqual([302, '/_/main/files/late.png']);
  expect((await get(`/_/main/files/none.png?at=${commit}`)).status).toBe(302);
  expect((await get('/_/main/files/none.png')).status).toBe(404);
});
