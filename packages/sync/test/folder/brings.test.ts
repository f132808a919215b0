import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';
import { putBack } from './put-back.ts';

test('the first push names none of the commits before it: who knows one could claim to have it, and get what came after', async () => {
  const project = await Project.open();
  const { world } = project;
  await world.write('Start', 'Start.\n');
  await world.write('Ours', 'A secret.\n');
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  await project.requireInStep();
  const pushed = git(world.bare, ['cat-file', 'commit', 'main']);
  const [head, ...before] = git(world.directory, ['rev-list', 'main']).split('\n');
  expect(before).toHaveLength(2);
  for (const oid of before) expect(pushed).not.toContain(oid);
  expect(pushed).toContain(`pagetree-wiki ${head} docs`);
});

async function deleteThere(project: Project, ...pages: string[]) {
  project.change(Object.fromEntries(pages.map((page) => [`${page}.md`, null])), 'Bob', 'Delete');
}

test('a wiki that is put back, and gets a branch of a clone once more, undoes no deletion of either', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { directory } = world.person;
  const begun = await world.head();
  await world.write('Mine', 'Mine.\n');
  const mine = await world.head();
  git(directory, ['fetch', '--quiet', world.directory, 'main']);
  git(directory, ['checkout', '--quiet', '--force', '--detach', begun]);
  const branch = world.person.commit('Clone.md', 'Clone.\n');
  const merge = (message: string) => {
    git(directory, ['checkout', '--quiet', '--force', '--detach', mine]);
    git(directory, ['merge', '--quiet', '--no-ff', '--message', message, branch]);
    git(directory, ['push', '--quiet', world.directory, 'HEAD:main']);
  };
  merge('Merge of the clone');
  await project.sync();
  await project.requireInStep();
  await deleteThere(project, 'Mine', 'Clone');
  await putBack(world, mine);
  merge('Merge of the clone, once more');
  await project.sync();
  await project.requireInStep();
  expect([await world.text('Mine'), await world.text('Clone')]).toEqual([null, null]);
});

test('a wiki that is put back, and takes in once more what it had merged: a branch with both undoes no deletion', async () => {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Mine', 'Mine.\n');
  const mine = await world.head();
  project.change({ 'Theirs.md': 'Theirs.\n' });
  const theirs = world.remoteHead();
  await project.sync();
  await project.requireInStep();
  await deleteThere(project, 'Mine', 'Theirs');
  git(world.bare, ['branch', 'old', 'main']);
  world.commits.remote.length = 0;
  world.force(theirs);
  await putBack(world, mine);
  await world.write('Later', 'Later.\n');
  await project.sync();
  await project.requireInStep();
  await project.sync(await project.choose('old'));
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect([await world.text('Mine'), await world.text('Theirs')]).toEqual([null, null]);
});
