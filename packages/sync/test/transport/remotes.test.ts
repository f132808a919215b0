import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, gitBytes, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import type { Remote } from '../../src/transport/remote.ts';
import { commandRemote, standInForSsh } from './command-remotes.ts';
import { emptyRepository, filledRepository, localRepository } from './repositories.ts';
import { failureOf, httpRemote, serveRepository } from './served-repository.ts';

/** Every way to a repository, each of them with the version of the protocol that a clone uses there. */
const WAYS: [string, 2 | 0, (bare: string) => Promise<Remote>][] = [
  ['http', 2, async (bare) => httpRemote((await serveRepository(bare)).url)],
  ['http', 0, async (bare) => httpRemote((await serveRepository(bare, withoutVersion)).url)],
  ['file', 2, async (bare) => commandRemote(bare)],
  [
    'ssh',
    2,
    async (bare) => commandRemote(`git@host.example:${bare}`, { env: { GIT_SSH: standInForSsh().program } }),
  ],
  [
    'ssh',
    0,
    async (bare) =>
      commandRemote(`ssh://git@host.example${bare}`, {
        env: { GIT_SSH: standInForSsh('unset GIT_PROTOCOL').program },
      }),
  ],
];

function withoutVersion({ request }: { request: { headers: Record<string, unknown> } }) {
  delete request.headers['git-protocol'];
  return undefined;
}

describe.each(WAYS)('over %s with version %i', (_way, version, open) => {
  test('lists the branches and the one that HEAD names, and no tags', async () => {
    const { bare, second, first } = filledRepository();
    git(bare, ['branch', 'other', first]);
    git(bare, ['tag', '--annotate', '--message', 'a tag', 'v1', second]);
    const { head, refs } = await (await open(bare)).refs();
    expect(head).toBe('refs/heads/main');
    expect(Object.fromEntries(refs)).toEqual({ 'refs/heads/main': second, 'refs/heads/other': first });
  });

  test('names the unborn branch of an empty repository, if the protocol can', async () => {
    const bare = emptyRepository();
    git(bare, ['symbolic-ref', 'HEAD', 'refs/heads/trunk']);
    const remote = await open(bare);
    expect(await remote.refs()).toEqual({ head: version === 2 ? 'refs/heads/trunk' : null, refs: new Map() });
    const local = localRepository();
    const oid = local.commit('Page.md', 'text\n');
    await remote.push({ ref: 'refs/heads/trunk', from: null, to: oid, pack: local.pack(oid) });
    expect(git(bare, ['rev-parse', 'trunk'])).toBe(oid);
    expect(await remote.refs()).toEqual({
      head: 'refs/heads/trunk',
      refs: new Map([['refs/heads/trunk', oid]]),
    });
  });

  test('a repository that has only tags has no branches', async () => {
    const { bare, second } = filledRepository();
    git(bare, ['tag', 'v1', second]);
    git(bare, ['update-ref', '-d', 'refs/heads/main']);
    expect((await (await open(bare)).refs()).refs.size).toBe(0);
  });

  test('lists 5,000 branches', async () => {
    const { bare, second } = filledRepository();
    const names = Array.from({ length: 5_000 }, (_, at) => `refs/heads/branch-${at}`).toSorted();
    writeFileSync(join(bare, 'packed-refs'), names.map((name) => `${second} ${name}\n`).join(''));
    expect((await (await open(bare)).refs()).refs.size).toBe(5_001);
  });

  test('fetches everything, then what is new as a thin pack, then nothing', async () => {
    const { bare, second, change } = filledRepository();
    const remote = await open(bare);
    const local = localRepository();
    local.take(await remote.fetch({ wants: [second], haves: [] }), second);
    const third = change('Start.md', `${git(bare, ['show', 'main:Start.md'])}\nOne more line.\n`);
    const pack = await remote.fetch({ wants: [third], haves: [second] });
    // Without `--fix-thin` git refuses a pack whose bases are elsewhere.
    expect(() => gitBytes(local.directory, ['index-pack', '--stdin'], { input: pack ?? '' })).toThrow(
      'unresolved',
    );
    local.take(pack, third);
    expect(await remote.fetch({ wants: [third], haves: [second, third] })).toBeNull();
  });

  test('haves that the remote does not know change nothing', async () => {
    const { bare, second } = filledRepository();
    const local = localRepository();
    const own = Array.from({ length: 300 }, (_, at) => `${at}`.padStart(40, 'a'));
    local.take(await (await open(bare)).fetch({ wants: [second], haves: own }), second);
    expect(git(local.directory, ['cat-file', '-t', second])).toBe('commit');
  });

  test('a want that is not there is an error with the words of the remote', async () => {
    const { bare } = filledRepository();
    const missing = 'c'.repeat(40);
    const { code, data } = await failureOf((await open(bare)).fetch({ wants: [missing], haves: [] }));
    expect([code, data]).toEqual([
      'broken',
      expect.objectContaining({ words: expect.stringContaining(missing) }),
    ]);
  });

  test('pushes a thin pack, and the same again without a change', async () => {
    const { bare, second, head } = filledRepository();
    const remote = await open(bare);
    const local = localRepository(bare);
    const oid = local.commit('Start.md', `${git(bare, ['show', 'main:Start.md'])}\nPushed.\n`);
    const push = { ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, second) };
    await remote.push(push);
    expect(head()).toBe(oid);
    await remote.push(push);
    git(bare, ['fsck', '--strict']);
  });

  test('a push to a branch that is elsewhere has lost', async () => {
    const { bare, second, change, head } = filledRepository();
    const remote = await open(bare);
    const local = localRepository(bare);
    const oid = local.commit('Mine.md', 'mine\n');
    const theirs = change('Theirs.md', 'theirs\n');
    const pack = local.pack(oid, second);
    const push = { ref: 'refs/heads/main', to: oid, pack };
    expect(await failureOf(remote.push({ ...push, from: second }))).toMatchObject({ code: 'moved' });
    expect(await failureOf(remote.push({ ...push, from: null }))).toMatchObject({ code: 'moved' });
    expect(head()).toBe(theirs);
  });

  test('of two pushes at once one wins', async () => {
    const { bare, second, head } = filledRepository();
    const remote = await open(bare);
    const pushes = ['a', 'b'].map((name) => {
      const local = localRepository(bare);
      const oid = local.commit(`${name}.md`, `${name}\n`);
      return { ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, second) };
    });
    const outcomes = await Promise.allSettled(pushes.map((push) => remote.push(push)));
    const won = pushes.filter((_, at) => outcomes[at]?.status === 'fulfilled').map(({ to }) => to);
    expect(won).toEqual([head()]);
    const [lost] = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(lost).toMatchObject({ code: 'moved' });
  });

  test('a push that takes commits back is refused as moved, if the repository denies it', async () => {
    const { bare, first, second, head } = filledRepository();
    git(bare, ['config', 'receive.denyNonFastForwards', 'true']);
    const pack = localRepository(bare).pack(first, first);
    const push = { ref: 'refs/heads/main', from: second, to: first, pack };
    expect(await failureOf((await open(bare)).push(push))).toMatchObject({ code: 'moved' });
    expect(head()).toBe(second);
  });

  test('a hook refuses with its words, without control characters', async () => {
    const { bare, second, head } = filledRepository();
    const words = 'GH006: Protected branch\\033[31m update failed';
    writeFileSync(join(bare, 'hooks', 'pre-receive'), `#!/bin/sh\nprintf '${words}\\n' >&2\nexit 1\n`, {
      mode: 0o755,
    });
    const local = localRepository(bare);
    const oid = local.commit('Page.md', 'text\n');
    const push = { ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, second) };
    const { code, message } = await failureOf((await open(bare)).push(push));
    expect([code, message]).toEqual([
      'refused',
      expect.stringContaining('Protected branch [31m update failed'),
    ]);
    expect(head()).toBe(second);
  });

  test('a pack that lacks objects is refused', async () => {
    const { bare, second, head } = filledRepository();
    const local = localRepository(bare);
    const missing = local.commit('Page.md', 'text\n');
    const oid = local.commit('Page.md', 'other\n');
    const push = { ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, missing) };
    expect(await failureOf((await open(bare)).push(push))).toMatchObject({ code: 'refused' });
    const cut = local.pack(oid, second).subarray(0, -30);
    expect(await failureOf((await open(bare)).push({ ...push, pack: cut }))).toMatchObject({
      code: 'refused',
      data: { reason: 'unpack' },
    });
    expect(head()).toBe(second);
  });

  test('an update that cannot be made, as a branch stands where its folder would be, is not called lost', async () => {
    const { bare, second } = filledRepository();
    const push = {
      ref: 'refs/heads/main/sub',
      from: null,
      to: second,
      pack: localRepository(bare).pack(second, second),
    };
    expect(await failureOf((await open(bare)).push(push))).toMatchObject({ code: 'refused' });
  });

  test('a repository of SHA-256 is unsupported', async () => {
    const bare = emptyRepository('--object-format=sha256');
    const tree = git(bare, ['mktree'], '');
    // In version 0 git says nothing of an empty repository.
    git(bare, ['update-ref', 'refs/heads/main', git(bare, ['commit-tree', '-m', 'Begin', tree])]);
    const remote = await open(bare);
    expect(await failureOf(remote.refs())).toMatchObject({ code: 'unsupported', data: { reason: 'sha256' } });
  });

  test('a shallow repository is unsupported for fetches', async () => {
    const { bare, second } = filledRepository();
    const shallow = join(temporaryDirectory(), 'main.git');
    git('/', ['clone', '--quiet', '--bare', '--depth=1', `file://${bare}`, shallow]);
    const remote = await open(shallow);
    expect((await remote.refs()).refs.size).toBe(1);
    expect(await failureOf(remote.fetch({ wants: [second], haves: [] }))).toMatchObject({
      code: 'unsupported',
    });
  });

  test('an address without a repository is not found', async () => {
    const bare = emptyRepository();
    const remote = await open(bare);
    rmSync(bare, { recursive: true });
    expect(await failureOf(remote.refs())).toMatchObject({ code: 'not_found' });
  });
});
