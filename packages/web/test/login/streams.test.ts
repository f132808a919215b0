import { expect, test } from 'vitest';
import { openTeam, signOutTokenIn } from './team.ts';

const RULES = [
  { people: ['sub:ada'], wikis: ['*'], may: 'write' },
  { people: ['sub:grace', 'sub:alan'], wikis: ['main'], folders: ['Open/'], may: 'read' },
];

/** The next event that is no heartbeat; null at the end of the stream. */
async function next({ events }: { events: AsyncGenerator<{ event: string; data: unknown }> }) {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return null;
    if (value.event !== 'heartbeat') return value;
  }
}

test('each stream has the changes that its person may see', async () => {
  const { loggedIn, run } = await openTeam({ rules: RULES });
  await run('create_wiki', { wiki: 'hidden' });
  await run('write_page', { path: 'Open/Page', content: 'one\n' });
  const people = [
    await loggedIn({ sub: 'ada' }),
    await loggedIn({ sub: 'grace' }),
    await loggedIn({ sub: 'alan' }),
  ] as const;
  const [ada, grace, alan] = await Promise.all(people.map((person) => person.follow('/_/live')));
  for (const stream of [ada, grace, alan])
    expect(await next(stream as never)).toMatchObject({ event: 'begun' });
  expect((await people[1].follow('/_/hidden/live')).status).toBe(404);

  await run('write_page', { path: 'Closed/Page', content: 'two\n' });
  await run('write_page', { wiki: 'hidden', path: 'Page', content: 'three\n' });
  const seen = [await next(ada as never), await next(ada as never)];
  expect(seen).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ data: { pages: ['/main/Closed/Page'], more: false } }),
      expect.objectContaining({ data: { pages: ['/hidden/Page'], more: false } }),
    ]),
  );
  await run('write_page', { path: 'Open/Page2', content: 'four\n' });
  for (const stream of [grace, alan]) {
    expect(await next(stream as never)).toMatchObject({ data: { pages: ['/main/Open/Page2'], more: false } });
  }
});

test('a stream ends when its person signs out, and when the rules change', async () => {
  const { loggedIn, setRules, audited } = await openTeam({ rules: RULES });
  const [ada, grace] = [await loggedIn({ sub: 'ada' }), await loggedIn({ sub: 'grace' })];
  const [leaving, staying] = [await ada.follow('/_/main/live'), await grace.follow('/_/main/live')];
  for (const stream of [leaving, staying]) expect(await next(stream)).toMatchObject({ event: 'begun' });
  const access = audited.filter((each) => each.event === 'access').map(({ decision }) => decision.operation);
  expect(access.filter((operation) => operation === 'list_changed').length).toBe(2);

  const copy = ada.copy();
  await ada.post('/_/sign-out', { token: signOutTokenIn((await ada.get('/main/')).text) });
  expect(await next(leaving)).toBeNull();
  expect((await copy.follow('/_/main/live')).status).toBe(401);

  setRules([]);
  expect(await next(staying)).toBeNull();
  expect((await grace.follow('/_/main/live')).status).toBe(404);
});

test('a stream does not keep a session in use, and one session cannot have all streams', async () => {
  const { loggedIn, clock } = await openTeam({ rules: RULES });
  const browser = await loggedIn({ sub: 'ada' });
  const first = await browser.follow('/_/main/live');
  expect(await next(first)).toMatchObject({ event: 'begun' });
  clock.ms += 50 * 60_000;
  const cookie = browser.cookies.get('__Host-pagetree');
  const more = await Promise.all(Array.from({ length: 20 }, () => browser.follow('/_/main/live')));
  expect(browser.cookies.get('__Host-pagetree')).toBe(cookie);
  expect(await next(first)).toBeNull();
  for (const { leave } of more) leave();
  clock.ms += 10 * 60_000;
  expect((await browser.follow('/_/main/live')).status).toBe(401);
});
