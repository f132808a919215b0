import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, Project } from './folder-world.ts';

describe('conflicts and merges:', () => {
  test('both changed the same lines: the text of the wiki stays, that of the remote is in the history', async () => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('Start', changed(2, 'By the wiki.'));
    project.change({ 'Start.md': changed(2, 'By Bob.') });
    expect((await project.sync()).words).toContain('Both sides changed the same lines of "Start.md"');
    await project.requireInStep();
    expect(await world.text('Start')).toBe(changed(2, 'By the wiki.'));
    expect(project.show('Start.md', 'main^1')).toContain('By Bob.');
    expect((await project.sync()).words).not.toContain('Both sides');
  });

  test('a person merges what the wiki pushed into their own commits', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { directory } = world.person;
    git(directory, ['fetch', '--quiet', world.bare, 'main']);
    git(directory, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    git(directory, ['commit', '--quiet', '--allow-empty', '--message', 'Bob begins']);
    world.pushFrom('main', () => {
      const mine = git(directory, ['rev-parse', 'FETCH_HEAD~1']);
      git(directory, ['checkout', '--quiet', '--detach', mine]);
      project.commit('Bob', 'Bob works');
      git(directory, ['merge', '--quiet', '--no-ff', '--message', 'Merge by Bob', 'FETCH_HEAD']);
      return git(directory, ['rev-parse', 'HEAD']);
    });
    project.change({ 'More.md': 'More.\n' });
    await project.sync();
    await project.requireInStep();
    expect(project.log('wiki').join()).not.toContain('docs/ of http://127.0.0.1:1');
    expect(project.log('wiki').filter((line) => line.startsWith('Pagetree:'))).toHaveLength(1);
  });

  test('hostile things in the folder are refused; outside of it they do not matter', async () => {
    const project = await Project.begun();
    const { world } = project;
    const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'x');
    const inner = git(world.bare, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const hostile = git(world.bare, ['mktree'], `040000 tree ${inner}\t.git\n`);
    const commitOf = (lines: string, parent: string) => {
      const tree = git(world.bare, ['mktree'], lines);
      const commit = git(world.bare, ['commit-tree', tree, '-p', parent, '-m', 'Hostile']);
      git(world.bare, ['update-ref', 'refs/heads/main', commit]);
      return commit;
    };
    const before = world.remoteHead();
    const docs = git(world.bare, ['rev-parse', 'main:docs']);
    const outside = commitOf(`040000 tree ${docs}\tdocs\n040000 tree ${hostile}\tother\n`, before);
    await world.write('Ours', 'Ours.\n');
    expect(await project.sync()).toMatchObject({ state: 'in_step' });
    expect(git(world.bare, ['rev-parse', 'main^'])).toBe(outside);
    expect(git(world.bare, ['rev-parse', 'main:other'])).toBe(hostile);
    commitOf(`040000 tree ${hostile}\tdocs\n`, world.remoteHead());
    expect(await project.sync()).toMatchObject({
      state: 'unacceptable',
      words: expect.stringContaining('.git'),
    });
    git(world.directory, ['fsck', '--strict', '--no-dangling']);
  });
});
