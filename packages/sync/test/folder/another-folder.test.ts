import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { LINES, Project } from './folder-world.ts';

async function chooseFolder({ world }: Project, folder: string) {
  const settings = { ...world.settings, folder };
  await world.run('set_remote', { remote: settings });
  world.report = null;
  return settings;
}

test.each(['handbook', 'docs/wiki'])('%s, which is not there, gets the pages', async (folder) => {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  await project.sync(await chooseFolder(project, folder));
  expect(world.report).toMatchObject({ state: 'in_step' });
  for (const page of ['Start', 'Ours', 'Guide/Use']) {
    expect(await world.text(page)).not.toBeNull();
    expect(git(world.bare, ['show', `main:${folder}/${page}.md`])).toBe((await world.text(page))?.trimEnd());
  }
  world.requireSound();
});

test('that has pages of its own is merged as an unknown one', async () => {
  const project = await Project.open();
  const { world } = project;
  const files = { 'docs/Start.md': LINES.join(''), 'docs/Same.md': 'One.\n' };
  project.changeAll({ ...files, 'other/Page.md': 'Other.\n', 'other/Same.md': 'Two.\n' });
  await project.sync();
  const { words } = await project.sync(await chooseFolder(project, 'other'));
  expect(words).toContain('"Same.md"');
  expect(await world.text('Start')).toBe(LINES.join(''));
  expect(await world.text('Same')).toBe('One.\n');
  expect(await world.text('Page')).toBe('Other.\n');
  expect(git(world.bare, ['show', 'main:docs/Same.md'])).toBe('One.');
  world.requireSound();
});

test('that a clone of the wiki adds gets the pages too', async () => {
  const [one, other] = [await Project.open(), await Project.open({ folder: 'api' })];
  one.change({ 'Start.md': 'Start.\n' });
  await one.sync();
  git(one.world.directory, ['push', '--quiet', '--force', other.world.directory, 'main:refs/heads/main']);
  await other.world.write('Api', 'Api.\n');
  const settings = { ...one.world.settings, folder: 'api' };
  await other.world.run('set_remote', { remote: settings });
  await other.world.sync(settings);
  expect(await other.world.text('Start')).toBe('Start.\n');
  const files = git(one.world.bare, ['ls-tree', '-r', '--name-only', 'main', 'docs', 'api']).split('\n');
  expect(files).toEqual(['api/Api.md', 'api/Start.md', 'docs/Start.md']);
});
