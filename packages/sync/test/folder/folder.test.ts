import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project, type Way } from './folder-world.ts';

const WAYS: [string, Way][] = [
  ['over http', {}],
  ['over http without filters', { hasFilters: false }],
  ['over http with version 0', { isOld: true }],
  ['in a folder', { isFile: true }],
  ['in a folder without filters', { isFile: true, hasFilters: false }],
];

describe.each(WAYS)('a folder of a repository %s:', (_, way) => {
  test('comes as one commit, and changes of both sides go on with their authors', async () => {
    const project = await Project.open({}, way);
    const { world } = project;
    project.change({ 'Start.md': LINES.join(''), 'a/b/Deep.md': 'Deep.\n' });
    const tip = project.changeAll({ 'src/more.c': '// More.\n' }, 'Carol');
    await project.sync();
    await project.requireInStep();
    expect(project.log('wiki')).toEqual([`Pagetree: docs/ of ${world.settings.url} at ${tip.slice(0, 9)}`]);
    expect(world.remoteHead()).toBe(tip);
    expect(git(world.directory, ['cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(
      git(world.bare, ['rev-parse', 'main:README.md']),
    );

    project.change({ 'Start.md': changed(17, 'By Bob.') }, 'Bob', 'Bob edits');
    project.changeAll({ 'src/main.c': '// Carol.\n', 'docs/Carol.md': 'Hers.\n' }, 'Carol', 'Carol adds');
    project.changeAll({ 'src/main.c': '// Carol again.\n' }, 'Carol', 'Outside alone');
    await world.write('Start', changed(2, 'By the wiki.'));
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(LINES.with(2, 'By the wiki.\n').with(17, 'By Bob.\n').join(''));
    expect(project.message('wiki', 'main^2')).toBe(
      [
        '2 changes of docs/\n\n- Carol adds (Carol)\n- Bob edits (Bob)\n\n',
        'Co-authored-by: Carol <carol@example.org>\nCo-authored-by: Bob <bob@example.org>',
      ].join(''),
    );
    expect(project.message('remote', 'main')).toMatch(
      /^2 changes of docs\/\n\n- Create Ours \(Ada Lovelace\)\n- Update Start \(Ada Lovelace\)\n\nCo-authored-by: Ada Lovelace <ada@example.org>$/,
    );
    // The push changes the folder alone, and goes on from the newest commit of the project.
    const last = world.commits.remote.at(-1) ?? '';
    expect(git(world.bare, ['rev-list', '--parents', '-1', 'main']).split(' ').slice(1)).toEqual([last]);
    expect(git(world.bare, ['diff', '--name-only', last, 'main']).split('\n')).toEqual([
      'docs/Ours.md',
      'docs/Start.md',
    ]);
    expect(git(world.bare, ['rev-list', '--count', 'main'])).toBe('7');

    // At rest nothing comes and nothing goes.
    const before = await world.head();
    expect((await project.sync()).words).toBe('In step with docs/ of main.');
    expect(await world.head()).toBe(before);
  });

  test('a page that comes from elsewhere in the repository, and a folder put back by a revert', async () => {
    const project = await Project.begun({}, way);
    const { world } = project;
    project.changeAll({ 'docs/Readme.md': '# The project\n', 'docs/old/x.md': 'Sorts before it too.\n' });
    await project.sync();
    await project.requireInStep();
    world.pushFrom('main', () => {
      git(world.person.directory, ['revert', '--no-edit', 'HEAD']);
      return git(world.person.directory, ['rev-parse', 'HEAD']);
    });
    await project.sync();
    await project.requireInStep();
    expect(await world.text('old/x')).toBeNull();
    project.change({ 'Start.md': 'Once.\n' });
    world.pushFrom('main', () => {
      git(world.person.directory, ['revert', '--no-edit', 'HEAD']);
      return git(world.person.directory, ['rev-parse', 'HEAD']);
    });
    project.change({ 'New.md': 'New.\n' });
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
  });

  test('with a process that knows nothing but the report, each time', async () => {
    const project = await Project.begun({}, way);
    const { world } = project;
    for (const round of [1, 2, 3]) {
      await world.write('Ours', `Round ${round}.\n`);
      project.change({ 'Theirs.md': `Round ${round}.\n` });
      await project.sync();
      await project.requireInStep();
    }
    expect(project.log('remote').filter((line) => line.startsWith('Ada'))).toHaveLength(3);
  });
});

describe('the folder', () => {
  test.each(['docs', 'a/b/c', 'Ünï cödé/文档'])(
    '%s is made by the first push, as one commit',
    async (folder) => {
      const project = await Project.open({ folder });
      const { world } = project;
      await world.write('One', 'One.\n');
      await world.write('a/Two', 'Two.\n');
      await project.sync();
      await project.requireInStep();
      expect(git(world.bare, ['rev-list', '--count', 'main'])).toBe('2');
      expect(project.log('remote')[0]).toBe('Ada Lovelace: Create a/Two');
      project.change({ 'One.md': 'Changed.\n' });
      await project.sync();
      await project.requireInStep();
      expect(await world.text('One')).toBe('Changed.\n');
    },
  );

  test('of an empty repository is made too', async () => {
    const project = await Project.open();
    const { world } = project;
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    await world.write('One', 'One.\n');
    expect(await project.sync()).toMatchObject({ state: 'in_step' });
    expect(git(world.bare, ['ls-tree', '-r', '--name-only', 'main'])).toBe('docs/One.md');
    world.requireSound();
  });

  test('of a wiki with pages of its own: both come together, and nothing of older versions of its pages leaves', async () => {
    const project = await Project.open();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n', 'Both.md': 'The same.\n' });
    await world.write('Ours', 'A secret.\n');
    await world.write('Ours', 'Ours.\n');
    await world.write('Both', 'The same.\n');
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Theirs')).toBe('Theirs.\n');
    expect(project.show('Ours.md')).toBe('Ours.');
    const secret = git(world.directory, ['hash-object', '--stdin'], 'A secret.\n');
    expect(git(world.bare, ['cat-file', '--batch-all-objects', '--batch-check'])).not.toContain(secret);
    expect(git(world.bare, ['rev-list', '--count', 'main'])).toBe('3');
    // An old version that the remote never had comes back.
    await world.write('Ours', 'A secret.\n');
    await project.sync();
    await project.requireInStep();
  });

  test('gets a version from before the first sync too, if a merge in a clone of the wiki brings it back', async () => {
    const project = await Project.open();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('Ours', 'Old.\n');
    const old = await world.head();
    // If commits have the same second, the wiki cannot know which is newer, and sends more than it has to.
    await pause(1_100);
    await world.write('Ours', 'New.\n');
    await project.sync();
    await project.requireInStep();
    await pause(1_100);
    const { directory } = world.person;
    git(directory, ['fetch', '--quiet', world.directory, 'main']);
    const main = git(directory, ['rev-parse', 'FETCH_HEAD']);
    git(directory, ['checkout', '--quiet', '--detach', old]);
    const branch = project.commit('Carol', 'A branch of what was');
    git(directory, ['checkout', '--quiet', '--detach', main]);
    git(directory, ['merge', '--quiet', '--no-ff', '--no-commit', '--strategy=ours', branch]);
    git(directory, ['checkout', '--quiet', old, '--', 'Ours.md']);
    git(directory, ['commit', '--quiet', '--message', 'Merge what was']);
    git(directory, ['push', '--quiet', world.directory, 'HEAD:main']);
    await project.sync();
    await project.requireInStep();
    expect(project.show('Ours.md')).toBe('Old.');
  });

  test('of a repository whose root is too large for the report: it says so, and nothing is changed', async () => {
    const project = await Project.begun();
    const { world } = project;
    const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'x');
    const files = Array.from({ length: 25_000 }, (_, at) => `100644 blob ${blob}\tfile${at}\n`);
    const docs = `040000 tree ${git(world.bare, ['rev-parse', 'main:docs'])}\tdocs\n`;
    const tree = git(world.bare, ['mktree'], [...files, docs].join(''));
    const wide = git(world.bare, ['commit-tree', tree, '-p', 'main', '-m', 'Wide']);
    git(world.bare, ['update-ref', 'refs/heads/main', wide]);
    await world.write('Ours', 'Ours.\n');
    expect(await project.sync()).toMatchObject({
      state: 'unsupported',
      words: expect.stringContaining('is too large'),
    });
    expect(world.remoteHead()).toBe(wide);
  });

  test('that a wiki has already, as after an import, is in step without a commit', async () => {
    const project = await Project.begun();
    const { world } = project;
    const [ours, theirs] = [await world.head(), world.remoteHead()];
    await world.write('Later', 'Later.\n');
    world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(git(world.directory, ['rev-parse', 'main^'])).toBe(ours);
    expect(git(world.bare, ['rev-parse', 'main^'])).toBe(theirs);
  });

  test('is deleted there: its pages go, as in any other merge, and can come back', async () => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('Ours', 'Ours.\n');
    project.change({ 'Start.md': null, 'Guide/Use.md': null });
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBeNull();
    expect(await world.text('Ours')).toBe('Ours.\n');
    project.change({ 'Ours.md': null });
    await project.sync();
    await project.requireInStep();
    expect(git(world.directory, ['ls-tree', 'main'])).toBe('');
    await world.write('Again', 'Again.\n');
    await project.sync();
    await project.requireInStep();
  });

  test('is emptied by the wiki: git has no empty folders', async () => {
    const project = await Project.open({ folder: 'x/y' });
    const { world } = project;
    await world.write('One', 'One.\n');
    await project.sync();
    const { version } = await world.run('read_page', { path: 'One' });
    await world.run('delete_page', { path: 'One', version });
    await project.sync();
    await project.requireInStep();
    expect(git(world.bare, ['ls-tree', '--name-only', 'main']).split('\n')).not.toContain('x');
  });

  test('is written with capital letters there, which some systems take for the same: nothing is pushed', async () => {
    const project = await Project.open({ folder: 'Docs' });
    const { world } = project;
    const before = project.changeAll({ 'docs/Page.md': 'Page.\n' });
    await world.write('Ours', 'Ours.\n');
    expect(await project.sync()).toMatchObject({
      state: 'no_folder',
      words: expect.stringContaining('spelled in another way'),
    });
    expect(world.remoteHead()).toBe(before);
  });

  test.each(['a file', 'a symbolic link', 'a submodule'])('is %s there', async (kind) => {
    const project = await Project.begun();
    const { world } = project;
    const before = await world.head();
    const bob = git(world.bare, ['rev-parse', 'main']);
    const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'README.md');
    const entry = {
      'a file': `100644 blob ${blob}`,
      'a symbolic link': `120000 blob ${blob}`,
      'a submodule': `160000 commit ${bob}`,
    }[kind];
    const tree = git(world.bare, ['mktree'], `${entry}\tdocs\n`);
    const commit = git(world.bare, ['commit-tree', tree, '-p', bob, '-m', 'No folder']);
    git(world.bare, ['update-ref', 'refs/heads/main', commit]);
    await world.write('Ours', 'Ours.\n');
    expect(await project.sync()).toMatchObject({
      state: 'no_folder',
      words: expect.stringContaining('--folder'),
    });
    expect(world.remoteHead()).toBe(commit);
    world.report = null;
    expect(await project.sync()).toMatchObject({ state: 'no_folder' });
    git(world.bare, [
      'update-ref',
      'refs/heads/main',
      git(world.bare, ['commit-tree', `${bob}^{tree}`, '-p', commit, '-m', 'Back']),
    ]);
    project.expectOutsideAsNow();
    await project.sync();
    await project.requireInStep();
    expect(git(world.directory, ['merge-base', '--is-ancestor', before, 'main'])).toBe('');
  });
});
