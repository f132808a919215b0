import { limitToRights } from '@pagetree/access/limit-to-rights';
import type { WikiRights } from '@pagetree/access/rights';
import { expect, test } from 'vitest';
import { HOST, siteOf } from '../../../test/open-site.ts';
import { openForm, post } from '../../../test/posting.ts';
import { AUTHOR, openWritable } from '../../../test/writable-site.ts';

const URL = 'https://example.org/notes.git';
const REMOTE = {
  url: URL,
  mode: 'two-way',
  branch: null,
  every_ms: 3_600_000,
  token_from: '/the/token',
} as const;

/** A site of a wiki with a remote, whose last sync failed for a cause that a person cures. */
async function openSynced(more: { agents_may_sync?: true } = {}, state = 'unauthorized') {
  const opened = await openWritable();
  await opened.run('set_remote', { remote: { ...REMOTE, ...more } });
  const now = Date.now();
  const report = {
    ...{ state, words: 'The remote wants a login.', at: now, in_step_at: now, next_at: now + 3_600_000 },
    ...{ failures: 4, branch: null, tip: null },
  };
  await opened.run('report_sync', { url: URL, report });
  return { ...opened, report, stored: async () => (await opened.run('get_remote', {})).report };
}

test('the page of problems shows the last sync, and asks for one without a script', async () => {
  const { site, get, report, stored } = await openSynced();
  const { text } = await get('/_/main/problems');
  expect(text).toContain(`Sync with ${URL}`);
  expect(text).toContain('The remote wants a login.');
  expect(text).toContain('href="/_/main/problems?kind=conflict">Conflicts</a>');
  expect(text).not.toContain('/the/token');
  const form = await openForm(site, '/_/main/problems');
  const sent = { ...form, address: '/_/main/sync' };
  expect((await post(site, { ...sent, fields: {} })).status).toBe(403);
  expect(await stored()).toEqual(report);
  expect((await post(site, sent)).status).toBe(303);
  // The pause after a failure is over for the owner, who may have cured it. It goes on if the next sync fails too.
  const marked = await stored();
  expect(marked).toEqual({ ...report, next_at: expect.any(Number) });
  expect(marked?.next_at).toBeLessThanOrEqual(Date.now());
  expect((await get('/_/main/problems')).text).toContain('A sync is due');
});

test('a pause that the remote may have asked for holds for its owner too', async () => {
  const { site, report, stored } = await openSynced({}, 'rate_limited');
  const form = await openForm(site, '/_/main/problems');
  expect((await post(site, { ...form, address: '/_/main/sync' })).status).toBe(303);
  expect(await stored()).toEqual(report);
});

test('nothing is shown without a remote, and no button where nothing can be changed', async () => {
  const { wiki, run, get } = await openSynced();
  const readOnly = await (await siteOf(wiki).fetch(request('/_/main/problems'))).text();
  expect(readOnly).toContain(`Sync with ${URL}`);
  expect(readOnly).not.toContain('Sync now');
  await run('set_remote', { remote: null });
  expect((await get('/_/main/problems')).text).not.toContain('Sync');
});

test('people see the remote if they administer the wiki, or if agents may sync and they write all of it', async () => {
  const whole = { read: [''], write: [''], mayAdminister: false };
  const part = { read: ['Notes/'], write: ['Notes/'], mayAdminister: false };
  const shown = async (more: { agents_may_sync?: true }, rights: WikiRights) => {
    const { wiki } = await openSynced(more);
    const limited = limitToRights(wiki, { wikis: new Map([['main', rights]]) }, OPTIONS);
    const site = siteOf(limited, HOST, '', { author: AUTHOR, mayWrite: () => rights.write.includes('') });
    const text = await (await site.fetch(request('/_/main/problems'))).text();
    return text.includes(URL) && text.includes('Sync now');
  };
  expect(await shown({}, { ...whole, mayAdminister: true })).toBe(true);
  expect(await shown({}, whole)).toBe(false);
  expect(await shown({ agents_may_sync: true }, whole)).toBe(true);
  expect(await shown({ agents_may_sync: true }, part)).toBe(false);
});

const OPTIONS = { person: { issuer: '', subject: 'ada' }, defaultWiki: 'main', decided: () => {} };

function request(path: string): Request {
  return new Request(`http://${HOST}${path}`, { headers: { host: HOST } });
}
