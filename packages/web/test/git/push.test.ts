import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { runGit, tryGit } from './run-git.ts';
import { serveWiki } from './served-wiki.ts';

/*
 * These cases of git's own t5541-http-push-smart.sh apply here, 16 of 37: an address with a slash at its end, a push, one that changes nothing,
 * a branch that is created or deleted (refused), a rejected update with its status, the services that are used, a push that is not
 * a fast-forward (by git, and by force), a push in chunks, `--atomic` with a branch that is refused, `--all` and `--mirror`
 * into an empty repository, `--quiet`, `--progress`, a push with a password, a repository that takes no push, tags.
 * The others are about hooks, alternates, reflogs, certificates and the output of the client alone.
 */
async function cloned(options: Parameters<typeof serveWiki>[0] = {}) {
  const served = await serveWiki(options);
  if (!options.isEmpty) await served.write('Start', 'begin\n');
  const copy = await served.clone('copy', []);
  await runGit(copy, ['checkout', '--quiet', '-B', 'main']);
  const commit = async (file: string, content: string) => {
    writeFileSync(join(copy, file), content);
    await runGit(copy, ['add', '--all']);
    await runGit(copy, ['commit', '--quiet', '--message', `Change ${file}`]);
    return runGit(copy, ['rev-parse', 'HEAD']);
  };
  const push = (...args: string[]) =>
    tryGit(copy, ['push', ...(args.length === 0 ? ['origin', 'main'] : args)]);
  const head = () => git(served.bare, ['rev-parse', 'main']);
  return { ...served, copy, commit, push, head };
}

test('a pushed commit is the head under its own id, and its page is shown', async () => {
  const { commit, push, head, origin, bare, copy, run } = await cloned();
  const oid = await commit('Tea.md', 'green tea\n');
  expect(await push()).toMatchObject({ status: 0 });
  expect(head()).toBe(oid);
  expect(await (await fetch(`${origin}/main/Tea`)).text()).toContain('green tea');
  expect((await run('search_pages', { query: 'green' })).hits).toHaveLength(1);
  expect(git(bare, ['log', '-1', '--format=%an <%ae>', 'main'])).toBe('A. Writer <writer@example.org>');
  expect(git(bare, ['fsck', '--strict'])).toBe('');
  const again = await push();
  expect([again.status, again.stderr]).toEqual([0, 'Everything up-to-date\n']);
  expect(await runGit(copy, ['status', '--short', '--branch'])).toBe('## main...origin/main');
});

test('many commits come in one push, and one with large files comes in chunks', async () => {
  const { commit, push, head, copy, bare } = await cloned();
  for (let at = 0; at < 30; at += 1) await commit('Log.md', `${'line\n'.repeat(at)}`);
  expect(await push()).toMatchObject({ status: 0 });
  const random = Array.from({ length: 200_000 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 0).join('\n');
  const oid = await commit('Large.md', random);
  const { status, stderr } = await tryGit(copy, [
    '-c',
    'http.postBuffer=65536',
    'push',
    '-v',
    'origin',
    'main',
  ]);
  expect([status, stderr]).toEqual([0, expect.stringContaining('POST git-receive-pack (chunked)')]);
  expect(head()).toBe(oid);
  expect(git(bare, ['fsck', '--strict'])).toBe('');
});

test.each([['main'], ['--all'], ['--mirror']])('an empty wiki is filled by a push of %s', async (what) => {
  const { commit, push, head, copy } = await cloned({ isEmpty: true });
  const oid = await commit('Home.md', 'first\n');
  await runGit(copy, ['update-ref', '-d', 'refs/remotes/origin/main']).catch(() => {});
  expect(await push('origin', what)).toMatchObject({ status: 0 });
  expect(head()).toBe(oid);
});

test('who loses a race fetches first, and then pushes', async () => {
  const { commit, push, head, write, copy, bare } = await cloned();
  await commit('Tea.md', 'green tea\n');
  await write('Other', 'by somebody else\n');
  const lost = await push();
  expect(lost.status).not.toBe(0);
  expect(lost.stderr).toContain('! [rejected]        main -> main (fetch first)');
  const forced = await push('--force', 'origin', 'main');
  expect(forced.status).not.toBe(0);
  expect(forced.stderr).toContain('! [remote rejected] main -> main (non-fast-forward)');
  await runGit(copy, ['pull', '--quiet', '--rebase']);
  expect(await push()).toMatchObject({ status: 0 });
  expect(head()).toBe(await runGit(copy, ['rev-parse', 'HEAD']));
  expect(git(bare, ['ls-tree', '--name-only', 'main'])).toMatch(/Other.md\nStart.md\nTea.md/);
});

test('a write between the advertisement and the pack makes git fetch first', async () => {
  const between = { write: async () => {} };
  const { commit, push, write } = await cloned({
    around: (wiki) => ({
      ...wiki,
      receive_push: async (input, call) => {
        await between.write();
        return wiki.receive_push(input, call);
      },
    }),
  });
  await commit('Tea.md', 'green tea\n');
  between.write = () => write('Other', 'by somebody else\n');
  const { status, stderr } = await push();
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('! [rejected]        main -> main (fetch first)'),
  ]);
  expect(stderr).toContain('hint: Updates were rejected because the remote contains work');
});

describe('refused is', () => {
  test.each([
    ['another branch', ['origin', 'main:draft'], 'main -> draft (a wiki has one branch: push to main)'],
    ['a tag', ['origin', 'main:refs/tags/v1'], 'main -> v1 (a wiki takes no tags)'],
    [
      'to delete the branch',
      ['origin', ':main'],
      '! [remote rejected] main (the branch of a wiki cannot be deleted)',
    ],
    [
      'an atomic push with one of them',
      ['--atomic', 'origin', 'main', 'main:draft'],
      'main -> main (another ref of this atomic push was refused)',
    ],
  ])('%s, by words', async (_, args, words) => {
    const { commit, push, head, bare } = await cloned();
    const before = head();
    await commit('Tea.md', 'green tea\n');
    const { status, stderr } = await push(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect([head(), git(bare, ['for-each-ref', '--format=%(refname)'])]).toEqual([before, 'refs/heads/main']);
  });
});

test('of a push that is not atomic the branch of the wiki counts', async () => {
  const { commit, push, head } = await cloned();
  const oid = await commit('Tea.md', 'green tea\n');
  const { status, stderr } = await push('origin', 'main', 'main:draft');
  expect([status, head()]).toEqual([1, oid]);
  expect(stderr).toContain('! [remote rejected] main -> draft');
});

test('objects with faults are refused, with the reason in full', async () => {
  const { copy, push, head } = await cloned();
  const before = head();
  const blob = await runGit(copy, ['hash-object', '-w', join(copy, 'Home.md')]);
  const listing = join(copy, '..', 'listing');
  writeFileSync(listing, `100644 blob ${blob}\t.git\n`);
  const script = `git mktree < ${listing}`;
  const tree = await runGit(copy, ['-c', `alias.make=!${script}`, 'make']);
  const commit = await runGit(copy, ['commit-tree', '-p', 'HEAD', '-m', 'bad', tree]);
  const { status, stderr } = await push('origin', `${commit}:main`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/remote: .*\.git/);
  expect(stderr).toContain('! [remote rejected]');
  expect(head()).toBe(before);
});

test('--quiet is quiet, and --progress shows what git itself does', async () => {
  const { commit, push } = await cloned();
  await commit('Tea.md', 'green tea\n');
  expect(await push('--quiet', 'origin', 'main')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  await commit('Tea.md', 'black tea\n');
  expect((await push('--progress', 'origin', 'main')).stderr).toContain('Writing objects: 100%');
});

test('a push that is too large is refused by words, with the size that it may have', async () => {
  const { commit, push, head, copy } = await cloned();
  const before = head();
  await runGit(copy, ['config', 'core.compression', '0']);
  for (let at = 0; at < 3; at += 1) writeFileSync(join(copy, `${at}.bin`), noise(34_000_000));
  await commit('Tea.md', 'green tea\n');
  const { status, stderr } = await push();
  expect(status).toBe(1);
  expect(stderr).toContain('remote: A push may have 100 MB.');
  expect(stderr).toContain('! [remote rejected] main -> main (the push is too large)');
  expect(head()).toBe(before);
});

test('a shallow clone pushes what it makes', async () => {
  const { write, url, place, head, bare } = await cloned();
  for (let at = 0; at < 5; at += 1) await write('Log', `${at}\n`);
  await runGit(place, ['clone', '--quiet', '--depth', '1', url, 'shallow']);
  const shallow = join(place, 'shallow');
  await runGit(shallow, ['commit', '--quiet', '--allow-empty', '--message', 'on top']);
  await runGit(shallow, ['push', '--quiet', 'origin', 'main']);
  expect(head()).toBe(await runGit(shallow, ['rev-parse', 'HEAD']));
  expect(git(bare, ['fsck', '--strict'])).toBe('');
});

test('in every version of the protocol a push is the same', async () => {
  const { commit, copy, head } = await cloned();
  for (const version of [0, 1, 2]) {
    const oid = await commit('Tea.md', `tea ${version}\n`);
    await runGit(copy, ['-c', `protocol.version=${version}`, 'push', '--quiet', 'origin', 'main']);
    expect(head()).toBe(oid);
  }
});
