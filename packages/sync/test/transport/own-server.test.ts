import { expect, test } from 'vitest';
import { serveWiki } from '../../../web/test/git/served-wiki.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { localRepository } from './repositories.ts';
import { failureOf, httpRemote } from './served-repository.ts';

/** The refs of our own server, which speaks both versions, for a wiki with pages. */
async function servedWiki() {
  const wiki = await serveWiki();
  await wiki.write('Start', 'begin\n');
  const head = () => git(wiki.bare, ['rev-parse', 'main']);
  return { ...wiki, remote: httpRemote(wiki.url), head };
}

test('fetches a wiki, and then what an agent wrote', async () => {
  const { remote, write, head } = await servedWiki();
  const first = head();
  expect(await remote.refs()).toEqual({
    head: 'refs/heads/main',
    refs: new Map([['refs/heads/main', first]]),
  });
  const local = localRepository();
  local.take(await remote.fetch({ wants: [first], haves: [] }), first);
  await write('Tea', 'green\n');
  local.take(await remote.fetch({ wants: [head()], haves: [first] }), head());
});

test('pushes to a wiki, and loses to a write of an agent', async () => {
  const { remote, write, head, bare, run } = await servedWiki();
  const first = head();
  const local = localRepository(bare);
  const oid = local.commit('Pushed.md', 'pushed\n');
  await remote.push({ ref: 'refs/heads/main', from: first, to: oid, pack: local.pack(oid, first) });
  expect(head()).toBe(oid);
  expect((await run('search_pages', { query: 'pushed' })).hits).toHaveLength(1);
  const late = local.commit('Late.md', 'late\n');
  await write('Tea', 'green\n');
  const push = { ref: 'refs/heads/main', from: oid, to: late, pack: local.pack(late, oid) };
  expect(await failureOf(remote.push(push))).toMatchObject({ code: 'moved' });
  const other = { ...push, ref: 'refs/heads/other', from: null };
  expect(await failureOf(remote.push(other))).toMatchObject({ code: 'refused' });
  git(bare, ['fsck', '--strict']);
});

test('names the branch of an empty wiki, and finds no other wiki', async () => {
  const { remote, origin } = {
    remote: httpRemote((await serveWiki({ isEmpty: true })).url),
    ...(await serveWiki()),
  };
  expect(await remote.refs()).toEqual({ head: 'refs/heads/main', refs: new Map() });
  expect(await failureOf(httpRemote(`${origin}/none.git`).refs())).toMatchObject({ code: 'not_found' });
});
