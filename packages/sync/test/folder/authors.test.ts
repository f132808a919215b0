import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
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
      const names = Array.from({ length: 400 }, () => `100644 blob ${blob}\t${noise(20).toString('hex')}`);
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

test('a commit of the remote with a message of more than 100,000 characters keeps its author', async () => {
  const project = await Project.begun();
  const { world } = project;
  project.checkout();
  world.pushFrom('main', () => {
    git(world.person.directory, ['rm', '--quiet', 'docs/Guide/Use.md']);
    git(
      world.person.directory,
      ['commit', '--quiet', '--author', 'Carol <carol@example.org>', '--file', '-'],
      `Say much\n\n${'word '.repeat(21_000)}`,
    );
    return git(world.person.directory, ['rev-parse', 'HEAD']);
  });
  await project.sync();
  await project.requireInStep();
  expect(project.log('wiki')[0]).toBe('Carol: Say much');
});

describe('a commit of the wiki whose author has a name of 120,000 characters', () => {
  test.each([true, false])('leaves a remote that is sound (it checks what comes: %s)', async (isChecked) => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['config', 'receive.fsckObjects', `${isChecked}`]);
    pushToWiki(project, 'Short\n', `${'A'.repeat(120_000)} <ada@example.org>`);
    await project.sync();
    await world.write('Later', 'Later.\n');
    await project.sync();
    await project.requireInStep();
  });
});

/** Somebody pushes a commit with a page to the wiki, by a clone. */
function pushToWiki({ world }: Project, message: string, author = 'Ada <ada@example.org>') {
  const { directory } = world.person;
  git(directory, ['fetch', '--quiet', world.directory, 'main']);
  const blob = git(directory, ['hash-object', '-w', '--stdin'], 'Long.\n');
  const lines = git(directory, ['ls-tree', 'FETCH_HEAD']);
  const tree = git(directory, ['mktree'], `${lines}\n100644 blob ${blob}\tLong.md\n`);
  const parent = git(directory, ['rev-parse', 'FETCH_HEAD']);
  const text = `tree ${tree}\nparent ${parent}\nauthor ${author} 1790000000 +0000\ncommitter Ada <ada@example.org> 1790000000 +0000\n\n${message}`;
  const commit = git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], text);
  git(directory, ['push', '--quiet', world.directory, `${commit}:refs/heads/main`]);
}
