import { aroundEach, WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { HOST, openSite, siteOf } from '../../../test/open-site.ts';

/** A page that embeds a whole page, a part of one, a page that came later, and one that was deleted since. */
async function openPast() {
  const site = await openSite();
  const { run } = site;
  await run('write_page', { path: 'Emb', content: 'Emb of then, see [[Next]].\n\n![[Inner]]\n' });
  await run('write_page', { path: 'Inner', content: 'Inner of then\n' });
  await run('write_page', { path: 'Next', content: 'next\n' });
  await run('write_page', {
    path: 'Parts',
    content: '# Parts\n\n## One\n\nPart of then\n\n## Two\n\nother\n',
  });
  await run('write_page', { path: 'Gone', content: 'Gone of then\n' });
  const content = '![[Emb]]\n\n![[Parts#One]]\n\n![[Late]]\n\n![[Gone]]\n';
  const { commit } = await run('write_page', { path: 'Host', content });
  return { ...site, address: `/main/Host?at=${commit}` };
}

test('a past page embeds pages as they were, and links to one that came later', async () => {
  const { run, get, address } = await openPast();
  await run('write_page', { path: 'Late', content: 'Text of Late\n' });
  for (const path of ['Emb', 'Inner', 'Parts']) {
    const page = await run('read_page', { path });
    const edits = [{ old_string: 'of then', new_string: 'of today' }];
    await run('edit_page', { path, version: page.version, edits });
  }
  await run('move_page', { path: 'Parts', new_path: 'Deep/Parts' });
  const { version } = await run('read_page', { path: 'Gone' });
  await run('delete_page', { path: 'Gone', version });
  const { text } = await get(address);
  for (const shown of ['Emb of then', 'Inner of then', 'Part of then', 'Gone of then'])
    expect(text).toContain(shown);
  expect(text).not.toContain('of today');
  expect(text).not.toContain('Text of Late');
  expect(text).toContain('<a href="/main/Late">Late</a>');
  expect(text).toContain('with its embedded pages as they were.');
  const { text: now } = await get('/main/Host');
  for (const shown of ['Emb of today', 'Inner of today', 'Part of today', 'Text of Late'])
    expect(now).toContain(shown);
});

test('two servers show the same past page, whichever of them showed it before', async () => {
  const { run, get, wiki, address } = await openPast();
  const other = siteOf(wiki);
  const getOther = async () =>
    (await other.fetch(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }))).text();
  expect((await get(address)).text).toContain('href="/main/Next"');
  // A link within the embedded page leads elsewhere now.
  await run('move_page', { path: 'Next', new_path: 'Deep/Next' });
  const { text } = await get(address);
  expect(text).toContain('href="/main/Deep/Next"');
  expect(text).toBe(await getOther());
});

test.each([
  ['busy', 429],
  ['backend_unavailable', 503],
  ['internal', 500],
] as const)(
  'an embed that fails with %s fails its page, and the next answer has it',
  async (code, status) => {
    const { run, wiki } = await openSite();
    await run('write_page', { path: 'Emb', content: 'Text of Emb\n' });
    await run('write_page', { path: 'Host', content: '![[Emb]]\n' });
    let views = 0;
    const failing = aroundEach(
      async () => wiki,
      async (operation, go) => {
        // The first view is the page itself, the second its embed.
        if (operation !== 'view_page' || ++views !== 2) return go();
        throw new WikiError(code, { happened: 'It failed.', now: 'Nothing was read.', next: 'Try again.' });
      },
    );
    const site = siteOf(failing);
    const get = () => site.fetch(new Request(`http://${HOST}/main/Host`, { headers: { host: HOST } }));
    expect((await get()).status).toBe(status);
    expect(await (await get()).text()).toContain('Text of Emb');
  },
);

test('an embed of a page that is too large for an answer is a link, and its page is shown', async () => {
  const { run, wiki } = await openSite();
  await run('write_page', { path: 'Emb', content: 'Text of Emb\n' });
  await run('write_page', { path: 'Host', content: 'Above\n\n![[Emb]]\n' });
  const small = aroundEach(
    async () => wiki,
    async (operation, go) => {
      const answer = await go();
      // As the function answers on AWS, whose replies are small.
      if (operation === 'view_page' && JSON.stringify(answer).includes('Text of Emb'))
        throw new WikiError('too_large', { happened: 'Too large.', now: 'Nothing was read.', next: 'Less.' });
      return answer;
    },
  );
  const answer = await siteOf(small).fetch(
    new Request(`http://${HOST}/main/Host`, { headers: { host: HOST } }),
  );
  expect([answer.status, (await answer.text()).includes('Above')]).toEqual([200, true]);
});

test('an embed of a missing page or part is a link or nothing, and its page is shown', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'Emb', content: 'Text of Emb\n' });
  await run('write_page', {
    path: 'Host',
    content: `![[Emb#None]]\n\n![[Never]]\n\n![[Emb#${'x'.repeat(3_000)}]]\n`,
  });
  const { status, text } = await get('/main/Host');
  expect([status, text.includes('Text of Emb')]).toEqual([200, false]);
});
