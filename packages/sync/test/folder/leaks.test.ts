import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project, type Way } from './folder-world.ts';

/** A wiki in step with a folder, and a version of a page from before that, which is nobody's business. */
async function withSecret(way: Way = {}) {
  const project = await Project.open({}, way);
  opened.push(project);
  const { world } = project;
  project.change({ 'Theirs.md': 'Theirs.\n' });
  await world.write('Ours', 'A secret.\n');
  const first = await world.head();
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  await project.requireInStep();
  return { project, world, first };
}

const opened: Project[] = [];

describe('what the wiki was before its first sync does not leave', () => {
  afterEach(() => {
    for (const { world } of opened.splice(0)) {
      const secret = git(world.directory, ['hash-object', '--stdin'], 'A secret.\n');
      expect(git(world.bare, ['cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(secret);
      for (const message of ['Create Ours', 'Update Ours'])
        expect(git(world.bare, ['log', '--all', '--format=%B'])).not.toContain(message);
      world.requireSound();
    }
  });

  test.each(['cut off', 'refused'])(
    'after the folder was deleted there, and the next push is %s',
    async (how) => {
      const { project, world } = await withSecret();
      project.change({ 'Theirs.md': null, 'Ours.md': null });
      world.report = null;
      await project.sync();
      await world.write('New', 'New.\n');
      git(world.bare, ['config', 'http.receivepack', `${how !== 'refused'}`]);
      world.fault = ({ request }) => {
        if (how === 'cut off' && request.url?.endsWith('/git-receive-pack')) request.socket.destroy();
        return undefined;
      };
      await project.sync();
      world.fault = null;
      git(world.bare, ['config', 'http.receivepack', 'true']);
      await project.sync();
      await project.requireInStep();
    },
  );

  test('in a branch that never had the folder', async () => {
    const { project, world } = await withSecret();
    const [root = ''] = git(world.bare, ['rev-list', '--max-parents=0', 'main']).split('\n');
    git(world.bare, ['branch', 'pages', root]);
    await project.sync(await project.choose('pages'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(project.show('Ours.md', 'pages')).toBe('Ours.');
  });

  test.each(['another branch', 'the same branch'])('in a new history, which is %s', async (which) => {
    const { project, world } = await withSecret();
    const { directory } = world.person;
    await world.write('Later', 'Later.\n');
    project.checkout();
    git(directory, ['checkout', '--quiet', '--orphan', 'fresh']);
    const fresh = project.commit('Bob', 'Begin again');
    const branch = which === 'the same branch' ? 'main' : 'fresh';
    world.commits.remote.length = 0;
    world.force(fresh, branch);
    await world.write('Later', 'Even later.\n');
    await project.sync(await project.choose(branch));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(project.show('Later.md', branch)).toBe('Even later.');
  });

  test.each(['kept', 'lost'])(
    'in a branch of a clone from before, with a date of long ago there (report %s)',
    async (how) => {
      const { project, world, first } = await withSecret();
      const { directory } = world.person;
      await world.write('Middle', 'Middle.\n');
      await project.sync();
      git(directory, ['fetch', '--quiet', world.directory, 'main']);
      const main = git(directory, ['rev-parse', 'FETCH_HEAD']);
      git(directory, ['checkout', '--quiet', '--force', '--detach', first]);
      const branch = world.person.commit('X.md', 'X.\n');
      git(directory, ['checkout', '--quiet', '--force', '--detach', main]);
      git(directory, ['merge', '--quiet', '--no-ff', '--message', 'Merge X', branch]);
      git(directory, ['push', '--quiet', world.directory, 'HEAD:main']);
      if (how === 'lost') world.report = null;
      vi.stubEnv('GIT_COMMITTER_DATE', '2020-01-01T00:00:00Z');
      project.change({ 'Theirs.md': 'Later.\n' });
      vi.unstubAllEnvs();
      await project.sync();
      await project.requireInStep();
    },
  );

  test.each(['kept', 'lost'])(
    'in the same branch, behind commits that came after the date of long ago (report %s)',
    async (how) => {
      const { project, world, first } = await withSecret();
      const { directory } = world.person;
      vi.stubEnv('GIT_COMMITTER_DATE', '2020-01-01T00:00:00Z');
      project.change({ 'Theirs.md': 'Later.\n' });
      vi.unstubAllEnvs();
      await project.sync();
      for (const page of ['One', 'Two', 'Three']) {
        // Git's dates are of whole seconds.
        await wait(1_100);
        await world.write(page, `${page}.\n`);
        await project.sync();
      }
      git(directory, ['fetch', '--quiet', world.directory, 'main']);
      const main = git(directory, ['rev-parse', 'FETCH_HEAD']);
      git(directory, ['checkout', '--quiet', '--force', '--detach', first]);
      const branch = world.person.commit('X.md', 'X.\n');
      git(directory, ['checkout', '--quiet', '--force', '--detach', main]);
      git(directory, ['merge', '--quiet', '--no-ff', '--message', 'Merge X', branch]);
      git(directory, ['push', '--quiet', world.directory, 'HEAD:main']);
      if (how === 'lost') world.report = null;
      await project.sync();
      await project.requireInStep();
      expect(project.message('remote', 'main')).toContain('Change X.md');
    },
  );

  test.each(['taken in', 'refused'])(
    'because of a header that claims to be a push of what stands for the remote (%s)',
    async (how) => {
      const project = await Project.open();
      opened.push(project);
      const { world } = project;
      const { bare } = world;
      project.change({ 'Theirs.md': 'Theirs.\n' });
      await world.write('Ours', 'A secret.\n');
      await world.write('Ours', 'Ours.\n');
      git(bare, ['config', 'http.receivepack', `${how !== 'refused'}`]);
      await project.sync(how === 'refused' ? world.settings : { ...world.settings, mode: 'pull' });
      git(bare, ['config', 'http.receivepack', 'true']);
      const stands = git(world.directory, ['rev-list', '--all', '--max-parents=0']).split('\n');
      const named = stands.filter((oid) =>
        git(world.directory, ['cat-file', 'commit', oid]).includes('\npagetree-remote '),
      );
      expect(named).toHaveLength(1);
      project.changeAll({ 'src/main.c': '// Another program.\n' });
      project.forge(`pagetree-wiki ${named[0]} docs`);
      await project.sync();
      await project.requireInStep();
    },
  );

  test('in a repository that was made anew at the same address', async () => {
    const { project, world } = await withSecret();
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    world.commits.remote.length = 0;
    await project.sync();
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(project.show('Ours.md')).toBe('Ours.');
  });

  test('where the recent commits are too large to be looked at', async () => {
    const { project, world } = await withSecret({ hasFilters: false });
    for (let at = 0; at < 6; at += 1) project.changeAll({ 'large.bin': `${at}`.repeat(60_000) });
    world.packBytes = 2_000;
    world.report = null;
    await project.sync();
    world.packBytes = undefined;
    await world.write('New', 'New.\n');
    await project.sync();
    await project.requireInStep();
  });

  test.each([false, true])(
    'if it began as a copy of the folder (changed there since: %s)',
    async (isChanged) => {
      const project = await Project.open();
      opened.push(project);
      const { world } = project;
      project.change({ 'Start.md': 'Start.\n' });
      await world.write('Start', 'Start.\n');
      await world.write('Ours', 'A secret.\n');
      await world.write('Ours', 'Ours.\n');
      if (isChanged) project.change({ 'Theirs.md': 'Theirs.\n' });
      await project.sync();
      await project.requireInStep();
      await world.write('New', 'New.\n');
      await project.sync();
      await project.requireInStep();
    },
  );
});

test('another remote gets neither names nor words of commits that came from the first one', async () => {
  const project = await Project.begun();
  const { world } = project;
  project.change({ 'A.md': 'A.\n' }, 'Bob', 'A plan of Bob');
  project.change({ 'B.md': 'B.\n' }, 'Carol', 'Dismiss Dave');
  await project.sync();
  const { bare, settings } = (await Project.open()).world;
  const other = { ...world.settings, url: settings.url };
  await world.run('set_remote', { remote: other });
  world.report = null;
  expect(await world.sync(other)).toMatchObject({ state: 'in_step' });
  expect(git(bare, ['show', 'main:docs/B.md'])).toBe('B.');
  expect(git(bare, ['log', '--all', '--format=%an %cn %B'])).not.toMatch(/Bob|Carol|Dave/);
});

test('a history of the remote that has nothing in the folder is not named in the wiki', async () => {
  const project = await Project.begun();
  opened.push(project);
  const { world } = project;
  const { directory } = world.person;
  project.checkout();
  git(directory, ['checkout', '--quiet', '--orphan', 'other']);
  git(directory, ['rm', '-r', '--quiet', '--force', '.']);
  const other = project.commit('Eve', 'Of another program');
  project.checkout();
  git(directory, ['merge', '--quiet', '--allow-unrelated-histories', '--message', 'Join', other]);
  git(directory, ['push', '--quiet', world.bare, 'HEAD:refs/heads/main']);
  project.change({ 'New.md': 'New.\n' });
  await project.sync();
  await project.requireInStep();
  expect(project.log('wiki', '%an %B').join('\n')).not.toMatch(/Eve|another program/);
  expect(project.log('wiki')[0]).toBe('Bob: Change by Bob');
});
