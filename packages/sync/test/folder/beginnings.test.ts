import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

/** The remote is removed and added again. */
function forget({ world }: Project): void {
  world.report = null;
}

describe('another branch', () => {
  test.each(['that is chosen', 'that is the default one now'])(
    '%s is behind: the wiki is not put back, and the branch gets what it lacks',
    async (how) => {
      const project = await Project.begun();
      const { world } = project;
      git(world.bare, ['branch', 'release', 'main']);
      await world.write('Later', 'Later.\n');
      await project.sync();
      project.change({ 'Theirs.md': 'Theirs.\n' });
      await project.sync();
      const head = await world.head();
      let settings = world.settings;
      if (how === 'that is chosen') settings = await project.choose('release');
      else {
        git(world.bare, ['symbolic-ref', 'HEAD', 'refs/heads/release']);
        git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
      }
      expect(await project.sync(settings)).toMatchObject({ state: 'in_step', branch: 'refs/heads/release' });
      expect(await world.head()).toBe(head);
      expect(project.show('Later.md', 'release')).toBe('Later.');
      expect(project.show('Theirs.md', 'release')).toBe('Theirs.');
      world.requireSound();
    },
  );

  test('that went its own way is merged from where both were the same', async () => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['branch', 'release', 'main']);
    await world.write('Start', changed(2, 'By the wiki.'));
    await world.write('Later', 'Later.\n');
    await project.sync();
    world.pushFrom('release', () => world.person.commit('docs/Start.md', changed(17, 'For the release.')));
    world.commits.remote.pop();
    await project.sync(await project.choose('release'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    const both = LINES.with(2, 'By the wiki.\n').with(17, 'For the release.\n').join('');
    expect(await world.text('Start')).toBe(both);
    expect(`${project.show('Start.md', 'release')}\n`).toBe(both);
    expect(await world.text('Later')).toBe('Later.\n');
    world.requireSound();
  });

  test('that goes on from the known one is followed', async () => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['branch', 'next', 'main']);
    world.pushFrom('next', () => world.person.commit('docs/Next.md', 'Next.\n'));
    world.commits.remote.pop();
    await project.sync(await project.choose('next'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Next')).toBe('Next.\n');
    expect(git(world.directory, ['rev-list', '--merges', 'main'])).toBe('');
  });

  test('that is not there begins on the default one, and gets nothing of what the wiki was before', async () => {
    const project = await Project.open();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('Ours', 'A secret.\n');
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    const settings = await project.choose('topic');
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step', branch: 'refs/heads/topic' });
    expect(world.remoteHead('topic')).toBe(world.remoteHead());
    await world.write('Topic', 'Topic.\n');
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(git(world.bare, ['rev-parse', 'topic^'])).toBe(world.remoteHead());
    expect(project.outside('topic')).toBe(project.outside('main'));

    await world.write('Topic', 'More.\n');
    await project.sync(await project.choose('another'));
    expect(git(world.bare, ['rev-list', '--count', 'main..another'])).toBe('2');
    const secret = git(world.directory, ['hash-object', '--stdin'], 'A secret.\n');
    expect(git(world.bare, ['cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(secret);
    world.requireSound();
  });

  test('that is not there, of a remote that names no default one: the person chooses', async () => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['branch', 'one', 'main']);
    git(world.bare, ['branch', 'two', 'main']);
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    expect(await project.sync(await project.choose('topic'))).toMatchObject({
      state: 'branch_gone',
      words: expect.stringMatching(/no branch topic. It has one, two/),
    });
  });

  test('that is not there, with --mode pull: nothing happens until somebody makes it', async () => {
    const project = await Project.begun();
    const { world } = project;
    const settings = { ...(await project.choose('topic')), mode: 'pull' as const };
    const head = await world.head();
    await project.sync(settings);
    expect(await world.head()).toBe(head);
    git(world.bare, ['branch', 'topic', 'main']);
    world.pushFrom('topic', () => world.person.commit('docs/Topic.md', 'Topic.\n'));
    world.commits.remote.pop();
    await project.sync(settings);
    expect(await world.text('Topic')).toBe('Topic.\n');
    expect(git(world.directory, ['rev-parse', 'main^'])).toBe(head);
  });
});

describe('a remote that is removed and added again', () => {
  test.each([true, false])('with news on both sides: both stay (filters: %s)', async (hasFilters) => {
    const project = await Project.begun({}, { hasFilters });
    const { world } = project;
    await world.write('Pushed', 'Pushed.\n');
    await project.sync();
    project.change({ 'Start.md': changed(17, 'By Bob.'), 'Guide/Use.md': null });
    project.changeAll({ 'src/main.c': '// Outside.\n' });
    await world.write('Start', changed(2, 'By the wiki.'));
    forget(project);
    await project.sync();
    await project.requireInStep();
    const both = LINES.with(2, 'By the wiki.\n').with(17, 'By Bob.\n').join('');
    expect(await world.text('Start')).toBe(both);
    expect(await world.text('Guide/Use')).toBeNull();
    expect(await world.text('Pushed')).toBe('Pushed.\n');
  });

  test.each(['remote', 'wiki'])('after a revert by the %s: it is not undone', async (side) => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('Start', 'Nonsense.\n');
    await project.sync();
    if (side === 'wiki') await world.write('Start', LINES.join(''));
    else project.change({ 'Start.md': LINES.join('') });
    forget(project);
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(LINES.join(''));
  });

  test('after the folder was deleted there: nothing of what the wiki was before the first sync leaves', async () => {
    const project = await Project.open();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('Ours', 'A secret.\n');
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    project.change({ 'Theirs.md': null, 'Ours.md': null });
    forget(project);
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Ours')).toBeNull();
    await world.write('Ours', 'Again.\n');
    await project.sync();
    await project.requireInStep();
    const secret = git(world.directory, ['hash-object', '--stdin'], 'A secret.\n');
    expect(git(world.bare, ['cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(secret);
  });
});

describe('only the newest state comes:', () => {
  test('many versions of a large file are more than a pack may have', async () => {
    const project = await Project.begun();
    const { world } = project;
    world.packBytes = 200_000;
    for (let version = 0; version < 6; version += 1)
      project.change({ 'Large.md': noise(30_000).toString('hex') });
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
    expect(project.message('wiki', 'main^2')).toMatch(/^6 changes of docs\//);
  });

  test('a commit on the way that the wiki refuses, and that a later one has put right', async () => {
    const project = await Project.begun();
    const { world } = project;
    const good = git(world.bare, ['rev-parse', 'main^{tree}']);
    const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'x');
    const inner = git(world.bare, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const hostile = git(world.bare, ['mktree'], `040000 tree ${inner}\t.git\n`);
    const tree = git(world.bare, ['mktree'], `040000 tree ${hostile}\tdocs\n`);
    for (const each of [tree, good]) {
      const commit = git(world.bare, ['commit-tree', each, '-p', 'main', '-m', 'Hostile, or not']);
      git(world.bare, ['update-ref', 'refs/heads/main', commit]);
      await world.write('Ours', `Beside ${each}.\n`);
      const { state } = await project.sync();
      expect(state).toBe(each === good ? 'in_step' : 'unacceptable');
    }
    // The remote keeps what it has.
    git(world.directory, ['fsck', '--strict', '--no-dangling']);
    expect(project.show('Ours.md')).toContain('Beside');
    project.change({ 'Later.md': 'Later.\n' });
    await project.sync();
    expect(await world.text('Later')).toBe('Later.\n');
    git(world.directory, ['fsck', '--strict', '--no-dangling']);
  });

  test('a commit whose author no git of a wiki takes', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.change({ 'Bad.md': 'Bad.\n' });
    project.damageNewest();
    await project.sync();
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Bad')).toBe('Bad.\n');
    git(world.directory, ['fsck', '--strict', '--no-dangling']);
  });
});

test('trees that are too large for the report together are refused as one is', async () => {
  const project = await Project.open({ folder: 'a/b/c' });
  const { world } = project;
  const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'x');
  const files = Array.from({ length: 15_000 }, (_, at) => `100644 blob ${blob}\tfile${at}\n`).join('');
  let tree = git(world.bare, ['mktree'], `100644 blob ${blob}\tPage.md\n`);
  for (const name of ['c', 'b', 'a'])
    tree = git(world.bare, ['mktree'], `${files}040000 tree ${tree}\t${name}\n`);
  const wide = git(world.bare, ['commit-tree', tree, '-p', 'main', '-m', 'Wide']);
  git(world.bare, ['update-ref', 'refs/heads/main', wide]);
  expect(await project.sync()).toMatchObject({ state: 'unsupported' });
});
