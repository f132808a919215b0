import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';
import { putBack } from './put-back.ts';

test('the wiki is put back to a backup, and gets from a clone what came from the remote, amended: the amendment stays', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { directory } = world.person;
  const backup = await world.head();
  project.change({ 'Bob.md': 'Tpyo.\n' });
  await project.sync();
  git(directory, ['fetch', '--quiet', world.directory, 'main']);
  git(directory, ['checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD']);
  writeFileSync(join(directory, 'Bob.md'), 'Typo.\n');
  git(directory, ['commit', '--quiet', '--all', '--amend', '--no-edit']);
  const amended = git(directory, ['rev-parse', 'HEAD']);
  await putBack(world, backup);
  git(directory, ['push', '--quiet', world.directory, `${amended}:refs/heads/main`]);
  expect(await world.text('Bob')).toBe('Typo.\n');
  world.report = null;
  await project.sync();
  await project.requireInStep();
  // By git merge both sides have added the page: the wiki's stays.
  expect(await world.text('Bob')).toBe('Typo.\n');
});

test('nine branches that were taken in and merged by an octopus: what the wiki deleted since stays deleted', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { bare } = world;
  const names = Array.from({ length: 9 }, (_, at) => `b${at}`);
  for (const name of names) {
    git(bare, ['branch', name, 'main']);
    world.pushFrom(name, () => world.person.commit(`docs/${name}.md`, `${name}\n`));
    await project.sync({ ...(await project.choose(name)), mode: 'pull' });
    expect(await world.text(name)).toBe(`${name}\n`);
  }
  const listed = names.map((name) => git(bare, ['ls-tree', name, `docs/${name}.md`]).replace('docs/', ''));
  const docs = git(bare, ['mktree'], `${[git(bare, ['ls-tree', 'main:docs']), ...listed].join('\n')}\n`);
  const root = git(bare, ['ls-tree', 'main']).replace(/tree \w+\tdocs$/m, `tree ${docs}\tdocs`);
  const tree = git(bare, ['mktree'], `${root}\n`);
  const parents = names.flatMap((name) => ['-p', name]);
  git(bare, [
    'update-ref',
    'refs/heads/main',
    git(bare, ['commit-tree', tree, '-p', 'main', ...parents, '-m', 'Octopus']),
  ]);
  for (const path of names) {
    const { version } = await world.run('read_page', { path });
    await world.run('delete_page', { path, version });
  }
  await project.sync(await project.choose('main'));
  expect(world.report).toMatchObject({ state: 'in_step' });
  for (const name of names) expect(await world.text(name), name).toBeNull();
});
