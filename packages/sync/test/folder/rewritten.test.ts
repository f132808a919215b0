import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

describe('a remote that was rewritten:', () => {
  test('by force, without what was there: it comes back, as from a whole repository', async () => {
    const project = await Project.begun();
    const { world } = project;
    const before = world.remoteHead();
    project.change({ 'Secret.md': 'Secret.\n' });
    await project.sync();
    await world.write('Ours', 'Ours.\n');
    const gone = world.commits.remote.pop() ?? '';
    world.force(before);
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await project.sync();
    await project.requireInStep();
    for (const page of ['Secret', 'Ours', 'Theirs']) expect(project.show(`${page}.md`)).toBe(`${page}.`);
    expect(git(world.bare, ['rev-list', 'main'])).not.toContain(gone);
  });

  test('by a person who amends what the wiki pushed: the header stays, and counts no more', async () => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('One', 'One.\n');
    await project.sync();
    world.commits.remote.pop();
    project.checkout();
    const { directory } = world.person;
    writeFileSync(join(directory, 'docs', 'Two.md'), 'Two.\n');
    git(directory, ['add', '--all']);
    git(directory, ['commit', '--quiet', '--amend', '--no-edit']);
    const amended = git(directory, ['rev-parse', 'HEAD']);
    expect(git(directory, ['cat-file', 'commit', amended])).toContain(
      `\npagetree-wiki ${await world.head()} docs\n`,
    );
    world.force(amended);
    for (const report of [world.report, null]) {
      world.report = report;
      await project.sync();
      await project.requireInStep();
      expect(await world.text('Two')).toBe('Two.\n');
      expect(await world.text('One')).toBe('One.\n');
    }
    git(world.bare, ['merge-base', '--is-ancestor', amended, 'main']);
  });

  test('by a person who amends in a clone of the wiki what came from the remote: the amendment stays', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { directory } = world.person;
    project.change({ 'Bob.md': 'Tpyo.\n' });
    await project.sync();
    git(directory, ['fetch', '--quiet', world.directory, 'main']);
    const came = git(directory, ['rev-parse', 'FETCH_HEAD']);
    git(directory, ['checkout', '--quiet', '--force', '--detach', came]);
    writeFileSync(join(directory, 'Bob.md'), 'Typo.\n');
    git(directory, ['commit', '--quiet', '--all', '--amend', '--no-edit']);
    git(directory, ['merge', '--quiet', '--strategy-option', 'ours', '--message', 'Merge', came]);
    git(directory, ['push', '--quiet', world.directory, 'HEAD:refs/heads/main']);
    world.report = null;
    project.change({ 'More.md': 'More.\n' });
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Bob')).toBe('Typo.\n');
  });

  test('back to an older commit, and to another history', async () => {
    const project = await Project.begun();
    const { world } = project;
    const before = world.remoteHead();
    project.change({ 'More.md': 'More.\n' });
    await project.sync();
    world.commits.remote.pop();
    world.force(before);
    await project.sync();
    await project.requireInStep();
    expect(project.show('More.md')).toBe('More.');
    const { directory } = world.person;
    git(directory, ['checkout', '--quiet', '--orphan', 'fresh']);
    const fresh = project.commit('Bob', 'Begin again');
    world.commits.remote.length = 0;
    world.force(fresh);
    project.expectOutsideAsNow();
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
    expect(git(world.bare, ['rev-list', '--count', 'main'])).toBe('2');
  });
});
