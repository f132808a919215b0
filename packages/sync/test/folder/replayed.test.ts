import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

/** The header of a commit that a sync has pushed. */
function headerOf({ world }: Project, commit: string): string {
  return /^pagetree-wiki .*$/m.exec(git(world.bare, ['cat-file', 'commit', commit]))?.[0] ?? '';
}

/** Applies commits to the newest one as `git replay` does, which keeps headers and `git cherry-pick` does not. */
function replay(project: Project, ...commits: string[]) {
  const { world } = project;
  const { directory } = world.person;
  for (const commit of commits) {
    const header = headerOf(project, commit);
    project.checkout();
    git(directory, ['cherry-pick', commit]);
    git(directory, ['push', '--quiet', world.bare, 'HEAD:refs/heads/main']);
    project.forge(header);
  }
}

describe('what was pushed and reverted comes back by git replay, and is not reverted again', () => {
  test.each([
    ['there', true],
    ['there', false],
    ['in the wiki', true],
    ['in the wiki', false],
  ])('reverted %s (report kept: %s)', async (where, isKept) => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('Start', changed(3, 'A change.'));
    await project.sync();
    const pushed = world.remoteHead();
    if (where === 'there') project.change({ 'Start.md': LINES.join('') }, 'Bob', 'Revert');
    else await world.write('Start', LINES.join(''));
    await project.sync();
    expect(await world.text('Start')).toBe(LINES.join(''));
    replay(project, pushed);
    if (!isKept) world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(changed(3, 'A change.'));
  });

  test.each([true, false])('several commits at once (report kept: %s)', async (isKept) => {
    const project = await Project.begun();
    const { world } = project;
    const pushed: string[] = [];
    for (const line of [3, 12]) {
      await world.write('Start', changed(line, 'A change.'));
      await project.sync();
      pushed.push(world.remoteHead());
    }
    project.change({ 'Start.md': LINES.join('') }, 'Bob', 'Revert');
    await project.sync();
    replay(project, pushed[0] ?? '');
    replay(project, pushed[1] ?? '');
    if (!isKept) world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(changed(12, 'A change.'));
  });
});

test.each([true, false])(
  'an older state with its header undoes what came after it, as a person wants (report kept: %s)',
  async (isKept) => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('Start', changed(3, 'A change.'));
    await project.sync();
    const pushed = world.remoteHead();
    project.change({ 'Bob.md': 'Bob.\n' });
    await project.sync();
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    project.change({ 'Bob.md': null, 'Ours.md': null }, 'Bob', 'Back to where it was');
    project.forge(headerOf(project, pushed));
    if (!isKept) world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Bob')).toBeNull();
    expect(await world.text('Ours')).toBeNull();
  },
);

test('a commit with a header where the folder is a file does not count', async () => {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  const { version } = await world.run('read_page', { path: 'Guide/Use' });
  await world.run('delete_page', { path: 'Guide/Use', version });
  const { directory } = world.person;
  const before = world.remoteHead();
  world.pushFrom('main', () => {
    git(directory, ['rm', '-r', '--quiet', 'docs']);
    writeFileSync(join(directory, 'docs'), 'A file.\n');
    return project.commit('Bob', 'A file');
  });
  // If this counted, both sides would have been without the page, and the remote would have brought it back.
  project.forge(`pagetree-wiki ${await world.head()} docs`);
  world.pushFrom('main', () => {
    git(directory, ['rm', '--quiet', 'docs']);
    git(directory, ['checkout', '--quiet', before, '--', 'docs']);
    return project.commit('Bob', 'A folder again');
  });
  world.report = null;
  await project.sync();
  await project.requireInStep();
  expect(await world.text('Guide/Use')).toBeNull();
});
