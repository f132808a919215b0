import { expect, test } from 'vitest';
import { openSite } from '../../../../test/open-site.ts';

const bytes = (text: string) => Buffer.from(text).toString('base64');

test('changes lead to all pages of a large commit, each with its difference', async () => {
  const { run, get } = await openSite();
  const paths = Array.from({ length: 40 }, (_, at) => `Page ${at + 10}`);
  const { commit } = await run('commit_changes', {
    message: 'Write forty',
    changes: paths.map((path) => ({ op: 'write' as const, path, content: `# ${path}\n` })),
  });
  const { text } = await get('/_/main/changes');
  const [, address = ''] = /<a href="([^"]*)">and 20 more<\/a>/.exec(text) ?? [];
  const { status, text: whole } = await get(address);
  expect(status).toBe(200);
  expect(whole).toContain('Write forty');
  for (const path of paths) {
    const diff = `/main/${encodeURIComponent(path)}?view=diff&amp;to=${commit}`;
    expect(whole).toContain(`<a href="${diff}">${path}</a>`);
  }
  const last = await get(`/main/Page%2049?view=diff&to=${commit}`);
  expect(last.text).toContain('1 line added');
});

test('changes lead to a replaced file, as it is after the change and as it was before', async () => {
  const { run, get } = await openSite();
  await run('put_attachment', { path: 'in/map.png', content: bytes('old') });
  const { version } = await run('get_attachment', { path: 'in/map.png' });
  await run('put_attachment', { path: 'in/map.png', content: bytes('new'), version, message: 'Replace map' });
  const { version: newest } = await run('get_attachment', { path: 'in/map.png' });
  await run('delete_attachment', { path: 'in/map.png', version: newest });
  const { text } = await get('/_/main/changes');
  const [, address = ''] = /<a href="([^"]*)">Replace map<\/a>/.exec(text) ?? [];
  const { text: change } = await get(address);
  const links = [...change.matchAll(/href="(\/_\/main\/files\/[^"]*)"/g)].map(([, href = '']) => href);
  expect(change).toContain('<span class="action modified">modified</span>');
  expect(await Promise.all(links.map(async (link) => (await get(link)).text))).toEqual(['new', 'old']);
});

test('a change that changed only a file has a link, and an unknown one is not found', async () => {
  const { run, get } = await openSite();
  await run('put_attachment', { path: 'map.png', content: bytes('x') });
  expect((await get('/_/main/changes')).text).toContain('>See what changed</a>');
  expect((await get('/_/main/commits/ffffffff')).status).toBe(404);
  expect((await get('/_/main/commits/nonsense')).status).toBe(400);
});
