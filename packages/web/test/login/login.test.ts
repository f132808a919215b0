import { expect, test } from 'vitest';
import { fieldsIn } from '../posting.ts';
import { logIn, openTeam, signOutTokenIn } from './team.ts';

test('a person logs in, writes under the own name, and signs out', async () => {
  const { browser: open, issuer, run, audited } = await openTeam();
  const browser = open();
  const asked = await browser.get('/main/Plan?view=edit');
  expect([asked.status, asked.location]).toEqual([303, '/_/login?to=%2Fmain%2FPlan%3Fview%3Dedit']);
  const offered = await browser.get(asked.location);
  expect(offered.status).toBe(200);
  expect(offered.text).toContain(`Log in at ${new URL(issuer.address).host}`);
  expect(issuer.discoveries).toBe(0);
  const landed = await logIn(browser, issuer, { to: '/main/Plan?view=edit' });
  expect(landed.text).toContain('url=/main/Plan?view=edit');

  const form = await browser.get('/main/Plan?view=edit');
  expect(form.text).toContain('Ada Lovelace');
  const fields = {
    ...fieldsIn(form.text.replace(/<form class="person"[\s\S]*?<\/form>/, '')),
    content: 'mine\n',
    do: 'save',
  };
  const saved = await browser.post('/main/Plan?view=edit', fields);
  expect([saved.status, saved.location]).toEqual([303, '/main/Plan']);
  const { entries } = await run('get_history', { path: 'Plan' });
  expect(entries.map(({ author, agent }) => [author, agent])).toEqual([
    ['Ada Lovelace <ada@example.org>', null],
  ]);

  const page = await browser.get('/main/Plan');
  const copied = browser.copy();
  const left = await browser.post('/_/sign-out', { token: signOutTokenIn(page.text) });
  expect(left.text).toContain('You are signed out');
  expect(browser.cookies.has('__Host-pagetree')).toBe(false);
  expect((await browser.get('/main/Plan')).status).toBe(303);
  expect((await copied.get('/main/Plan')).status).toBe(303);
  expect(audited.map(({ event }) => event)).toEqual(expect.arrayContaining(['login', 'access', 'sign-out']));
});
