import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';
import { putBack } from './put-back.ts';

/** The wiki has pushed Draft together with what the remote had meanwhile, as one commit. There is a backup from before that. */
async function withBackup() {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Draft', 'Draft.\n');
  const backup = await world.head();
  await world.write('Other', 'Other.\n');
  project.change({ 'Theirs.md': 'Theirs.\n' });
  await project.sync();
  await project.requireInStep();
  return { project, world, backup };
}

test.each(['kept', 'lost'])(
  'a wiki that is put back to a backup from between a write and its sync undoes no deletion of the remote; report %s',
  async (report) => {
    const { project, world, backup } = await withBackup();
    project.change({ 'Draft.md': null });
    await project.sync();
    expect(await world.text('Draft')).toBeNull();
    await putBack(world, backup);
    if (report === 'lost') world.report = null;
    await world.write('Later', 'Later.\n');
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Draft')).toBeNull();
    for (const page of ['Other', 'Theirs', 'Later']) expect(await world.text(page)).toBe(`${page}.\n`);
  },
);

test('what a commit has brought counts no more when a person amends it: nothing that is missing there is deleted', async () => {
  const { project, world, backup } = await withBackup();
  const { directory } = world.person;
  project.checkout();
  git(directory, ['rm', '--quiet', 'docs/Draft.md']);
  git(directory, ['commit', '--quiet', '--amend', '--no-edit']);
  const amended = git(directory, ['rev-parse', 'HEAD']);
  expect(git(directory, ['cat-file', 'commit', amended])).toMatch(
    new RegExp(`^pagetree-brings .*${backup}`, 'm'),
  );
  world.commits.remote.length = 0;
  world.force(amended);
  await putBack(world, backup);
  await project.sync();
  await project.requireInStep();
  expect(await world.text('Draft')).toBe('Draft.\n');
});
