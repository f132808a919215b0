import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

describe('the wiki names who changed the folder', () => {
  test('in a branch that began before the last sync, and was merged by somebody else', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { directory } = world.person;
    project.checkout();
    git(directory, ['checkout', '--quiet', '-b', 'pull']);
    git(directory, ['rm', '--quiet', 'docs/Guide/Use.md']);
    const pulled = project.commit('Carol', 'Drop the guide');
    project.changeAll({ 'src/main.c': 'int main(void) { return 1; }\n' });
    await project.sync();
    world.pushFrom('main', () => {
      git(directory, ['merge', '--quiet', '--no-ff', '--message', 'Merge the pull request', pulled]);
      return git(directory, ['rev-parse', 'HEAD']);
    });
    project.expectOutsideAsNow();
    await project.sync();
    await project.requireInStep();
    expect(project.log('wiki')[0]).toBe('Carol: Drop the guide');
  });

  test('among many commits that change only the rest', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { directory } = world.person;
    project.change({ 'Theirs.md': 'Theirs.\n' }, 'Carol', 'Write a page');
    const tree = git(directory, ['rev-parse', 'HEAD^{tree}']);
    world.pushFrom('main', () => {
      let head = git(directory, ['rev-parse', 'HEAD']);
      for (let at = 0; at < 250; at += 1)
        head = git(directory, ['commit-tree', tree, '-p', head, '-m', `Work ${at}`]);
      git(directory, ['checkout', '--quiet', '--detach', head]);
      return head;
    });
    await project.sync();
    await project.requireInStep();
    expect(project.log('wiki')[0]).toBe('Carol: Write a page');
  });
});

test('a commit of the wiki names nobody if the commits are more than can be looked at', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { directory } = world.person;
  project.change({ 'Theirs.md': 'Theirs.\n' }, 'Carol', 'Write a page');
  const tree = git(directory, ['ls-tree', 'HEAD']);
  const blob = git(directory, ['hash-object', '-w', '--stdin'], '');
  world.pushFrom('main', () => {
    for (let at = 0; at < 5; at += 1) {
      // No two of the trees have a name in common, so that none is a small change of another.
      const names = Array.from(
        { length: 400 },
        () => `100644 blob ${blob}\t${randomBytes(20).toString('hex')}`,
      );
      const wide = git(directory, ['mktree'], `${tree}\n${names.join('\n')}\n`);
      const commit = git(directory, ['commit-tree', wide, '-p', 'HEAD', '-m', `Work ${at}`]);
      git(directory, ['checkout', '--quiet', '--detach', commit]);
    }
    return git(directory, ['rev-parse', 'HEAD']);
  });
  project.expectOutsideAsNow();
  world.packBytes = 30_000;
  await project.sync();
  await project.requireInStep();
  expect(project.log('wiki')[0]).toMatch(/^Pagetree: docs\/ of /);
});

test('a commit with a message of a megabyte is pushed with its beginning', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { directory } = world.person;
  git(directory, ['fetch', '--quiet', world.directory, 'main']);
  const tree = git(directory, ['rev-parse', 'FETCH_HEAD^{tree}']);
  const blob = git(directory, ['hash-object', '-w', '--stdin'], 'Long.\n');
  const lines = git(directory, ['ls-tree', tree]);
  const changed = git(directory, ['mktree'], `${lines}\n100644 blob ${blob}\tLong.md\n`);
  const message = `Say much\n\n${'ä word '.repeat(150_000)}`;
  const long = git(directory, ['commit-tree', changed, '-p', 'FETCH_HEAD', '-F', '-'], message);
  git(directory, ['push', '--quiet', world.directory, `${long}:refs/heads/main`]);
  await project.sync();
  await project.requireInStep();
  await world.write('Later', 'Later.\n');
  await project.sync();
  await project.requireInStep();
  expect(project.log('remote').slice(0, 2)).toEqual([
    expect.stringContaining('Later'),
    expect.stringMatching(/: Say much$/),
  ]);
  const pushed = project.message('remote', 'main~1');
  expect(pushed.slice(0, 20)).toBe('Say much\n\nä word ä w');
  expect(pushed).toMatch(/^[^\uFFFD]{10,100000} \[\.\.\.\]$/s);
});
