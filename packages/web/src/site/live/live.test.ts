import { WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { openLive } from '../../../test/open-live.ts';
import { openSite } from '../../../test/open-site.ts';

const BEGUN = { id: null, event: 'begun', data: {} };
const ANYTHING = { event: 'change', data: { pages: [], more: true } };

function changeOf(commit: string | null, ...pages: string[]) {
  return { id: commit, event: 'change', data: { pages, more: false } };
}

test('each change is an event with its commit and the addresses of the pages, both ends of a move among them', async () => {
  const { run, follow, waits } = await openLive();
  const { next } = await follow('/_/main/live');
  expect(await next()).toEqual(BEGUN);
  const first = await run('write_page', { path: 'Guides/A b', content: 'x\n' });
  await waits.look();
  expect(await next()).toEqual(changeOf(first.commit, '/main/Guides/A%20b'));
  const moved = await run('move_page', { path: 'Guides/A b', new_path: 'C' });
  await waits.look();
  expect(await next()).toEqual(changeOf(moved.commit, '/main/C', '/main/Guides/A%20b'));
});

test('an event names every page that changed since the look before, or says that more may have changed', async () => {
  const { run, follow, waits } = await openLive();
  const { next } = await follow('/_/main/live');
  await next();
  await run('write_page', { path: 'A', content: 'x\n' });
  const { commit } = await run('write_page', { path: 'B', content: 'x\n' });
  await waits.look();
  expect(await next()).toEqual(changeOf(commit, '/main/A', '/main/B'));
  const changes = Array.from({ length: 200 }, (_, at) => {
    return { op: 'write' as const, path: `A page with a long name ${at}`, content: 'x' };
  });
  const many = await run('commit_changes', { message: 'Many', changes });
  await waits.look();
  expect(await next()).toEqual({ id: many.commit, ...ANYTHING });
});

test('a client that comes back gets what it missed, also from another process of the server', async () => {
  const { run, follow, waits, restart } = await openLive();
  const [one, two] = await Promise.all([follow('/_/main/live'), follow('/_/main/live')]);
  await one.next();
  await two.next();
  const { commit: first } = await run('write_page', { path: 'A', content: 'x\n' });
  await waits.look();
  expect(await one.next()).toEqual(changeOf(first, '/main/A'));
  one.leave();
  const { commit: second } = await run('append_to_page', { path: 'A', content: 'y' });
  await waits.look();
  const { commit: third } = await run('write_page', { path: 'B', content: 'x\n' });
  await waits.look();
  const back = await follow('/_/main/live', { 'last-event-id': first ?? '' });
  expect([await back.next(), await back.next(), await back.next()]).toEqual([
    BEGUN,
    changeOf(second, '/main/A'),
    changeOf(third, '/main/B'),
  ]);

  const again = restart();
  const later = await again.follow('/_/main/live', { 'last-event-id': first ?? '' });
  expect([await later.next(), await later.next()]).toEqual([changeOf(third, '/main/A', '/main/B'), BEGUN]);
  const { commit: fourth } = await run('write_page', { path: 'C', content: 'x\n' });
  await again.waits.look();
  expect(await later.next()).toEqual(changeOf(fourth, '/main/C'));
  const current = await again.follow('/_/main/live', { 'last-event-id': fourth ?? '' });
  expect(await current.next()).toEqual(BEGUN);
});

test('a client whose last commit nobody knows is made to read its page again', async () => {
  const { run, follow } = await openLive();
  const { commit } = await run('write_page', { path: 'A', content: 'x\n' });
  const { next } = await follow('/_/main/live', { 'last-event-id': 'f'.repeat(40) });
  expect([await next(), await next()]).toEqual([{ id: commit, ...ANYTHING }, BEGUN]);
  const other = await follow('/_/main/live', { 'last-event-id': 'nonsense' });
  expect(await other.next()).toEqual(BEGUN);
});

test('all who follow a wiki share one look, and nothing looks when they have left', async () => {
  const { run, follow, waits, asked } = await openLive();
  const followers = await Promise.all(Array.from({ length: 20 }, () => follow('/_/main/live')));
  for (const { next } of followers) await next();
  expect(asked.filter((name) => name === 'list_changed')).toHaveLength(1);
  const { commit } = await run('write_page', { path: 'A', content: 'x\n' });
  await waits.look();
  await waits.look();
  expect(asked.filter((name) => name === 'list_changed')).toHaveLength(3);
  for (const { next } of followers) expect(await next()).toEqual(changeOf(commit, '/main/A'));
  // A look, and a heartbeat.
  expect(waits.lengths).toEqual([250, 15_000]);
  for (const { leave } of followers) leave();
  expect(waits.lengths).toEqual([]);
});

test('a client that does not read gets a few events, and then one for all that it did not read', async () => {
  const { run, follow, waits } = await openLive();
  const slow = await follow('/_/main/live');
  await slow.next();
  let last: string | null = null;
  for (let at = 0; at < 70; at += 1) {
    last = (await run('append_to_page', { path: 'Home', content: `Line ${at}.` })).commit;
    await waits.look();
  }
  const read = [await slow.next()];
  while (read.at(-1)?.id !== last) read.push(await slow.next());
  // One is on its way when the client stops reading, and one waits for it.
  expect(read.length).toBeLessThan(5);
  expect(read.at(-1)).toEqual({ id: last, ...ANYTHING });
});

test('a stream shows that it lives', async () => {
  const { follow, waits } = await openLive();
  const { next } = await follow('/_/main/live');
  expect(await next()).toEqual(BEGUN);
  await waits.beat();
  expect((await next())?.event).toBe('heartbeat');
});

test('a wiki that cannot be reached is looked at less and less often, and nothing is missed', async () => {
  const { run, follow, waits, fail } = await openLive();
  const { next } = await follow('/_/main/live');
  await next();
  const text = { happened: 'It is away.', now: 'Nothing was read.', next: 'Wait.' };
  fail(new WikiError('backend_unavailable', text));
  const waited: (number | undefined)[] = [];
  for (let look = 0; look < 7; look += 1) {
    await waits.look();
    waited.push(waits.lengths[0]);
  }
  expect(waited).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  await run('write_page', { path: 'A', content: 'x\n' });
  const { commit } = await run('write_page', { path: 'B', content: 'x\n' });
  fail(null);
  await waits.look();
  expect(await next()).toEqual(changeOf(commit, '/main/A', '/main/B'));
  expect(waits.lengths[0]).toBe(250);
});

test('the changes of all wikis are one stream, also of one that is made later', async () => {
  const { run, follow, waits } = await openLive();
  await run('create_wiki', { wiki: 'second' });
  const { next } = await follow('/_/live');
  await next();
  const there = await run('write_page', { wiki: 'second', path: 'A', content: 'x\n' });
  await waits.look();
  expect(await next()).toEqual(changeOf(there.commit, '/second/A'));
  await run('create_wiki', { wiki: 'third' });
  await waits.beat();
  expect((await next())?.event).toBe('heartbeat');
  expect(await next()).toEqual({ id: null, ...ANYTHING });
  const later = await run('write_page', { wiki: 'third', path: 'B', content: 'x\n' });
  await waits.look();
  expect(await next()).toEqual(changeOf(later.commit, '/third/B'));
});

test('with a scope there is no event of what it hides, and an event has nothing of the rest of its commit', async () => {
  const { run, follow, waits } = await openLive({ read: ['notes/'], write: [] });
  await run('write_page', { path: 'notes/A', content: 'x\n' });
  const { next } = await follow('/_/main/live');
  await next();
  const { commit: hidden } = await run('write_page', { path: 'Secret', content: 'x\n' });
  await waits.look();
  const changes = ['notes/A', 'Secret'].map((path) => ({ op: 'append' as const, path, content: 'more' }));
  const { commit } = await run('commit_changes', { message: 'Tell of Secret', changes });
  await waits.look();
  expect(await next()).toEqual(changeOf(commit, '/main/notes/A'));
  await run('append_to_page', { path: 'Secret', content: 'more' });
  await waits.look();
  const back = await follow('/_/main/live', { 'last-event-id': commit ?? '' });
  expect(await back.next()).toEqual(BEGUN);
  const known = await follow('/_/main/live', { 'last-event-id': hidden ?? '' });
  expect(await known.next()).toMatchObject({ data: { pages: ['/main/notes/A'] } });
});

test('there are at most 500 streams, and the place of one that ends is free', async () => {
  const { request, follow } = await openLive();
  const streams = await Promise.all(Array.from({ length: 500 }, () => request('/_/main/live')));
  const { response } = await request('/_/main/live');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await response.text()).toContain('Too many pages are followed at once');
  expect((await request('/main/Home')).response.status).toBe(200);
  streams[0]?.leave();
  await streams[1]?.response.body?.cancel();
  await follow('/_/main/live');
  await follow('/_/live');
  expect((await request('/_/main/live')).response.status).toBe(503);
});

test('a stream is for this host and a wiki that is there, and ends with the site', async () => {
  const { request, follow, site, waits } = await openLive();
  expect((await request('/_/main/live', { host: 'evil.example' })).response.status).toBe(421);
  expect((await request('/_/none/live')).response.status).toBe(404);
  const head = await request('/_/main/live', {}, 'HEAD');
  expect([head.response.status, head.response.body]).toEqual([200, null]);
  expect(waits.lengths).toEqual([]);
  const { messages, next } = await follow('/_/main/live');
  expect(await next()).toEqual(BEGUN);
  site.end();
  expect((await messages.next()).done).toBe(true);
  expect(waits.lengths).toEqual([]);
  expect((await request('/_/main/live')).response.status).toBe(503);
});

test('a site without a clock has no streams', async () => {
  const { get } = await openSite();
  expect((await get('/_/main/live')).status).toBe(404);
  expect((await get('/_/live')).status).toBe(404);
});
