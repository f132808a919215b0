import { expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

/** Main gets a commit that is bad, and one that mends it. The wiki takes in both as one. */
async function mended(makeBad: (project: Project) => void) {
  const project = await Project.begun();
  const { world } = project;
  const good = git(world.bare, ['rev-parse', 'main^{tree}']);
  makeBad(project);
  const bad = world.remoteHead();
  const mend = git(world.bare, ['commit-tree', good, '-p', bad, '-m', 'Mend']);
  git(world.bare, ['update-ref', 'refs/heads/main', mend]);
  project.change({ 'More.md': 'More.\n' });
  await project.sync();
  expect(world.report).toMatchObject({ state: 'in_step' });
  world.commits.remote.length = 0;
  // A branch begins at the bad commit, and mends it as well.
  const other = git(world.bare, ['commit-tree', good, '-p', bad, '-m', 'Mend it too']);
  git(world.bare, ['update-ref', 'refs/heads/release', other]);
  return { project, world };
}

test('a branch that begins at a commit which the wiki would refuse, and mends it, is taken in', async () => {
  const { project, world } = await mended(({ world: { bare } }) => {
    const blob = git(bare, ['hash-object', '-w', '--stdin'], 'x');
    const inner = git(bare, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const hostile = git(bare, ['mktree'], `040000 tree ${inner}\t.git\n`);
    const root = git(bare, ['ls-tree', 'main']).replace(/tree \w+\tdocs$/m, `tree ${hostile}\tdocs`);
    const tree = git(bare, ['mktree'], `${root}\n`);
    git(bare, [
      'update-ref',
      'refs/heads/main',
      git(bare, ['commit-tree', tree, '-p', 'main', '-m', 'Hostile']),
    ]);
  });
  const settings = await project.choose('release');
  await project.sync(settings);
  expect(world.report).toMatchObject({ state: 'in_step' });
});

test('a branch that begins at a commit with a page that is too large, and deletes it, is taken in', async () => {
  const { project, world } = await mended((made) => {
    made.world.packBytes = 200_000;
    made.change({ 'Large.md': noise(200_000).toString('hex') });
  });
  await project.sync(await project.choose('release'));
  expect(world.report).toMatchObject({ state: 'in_step' });
});
