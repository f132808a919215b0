import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

describe('a folder that is more than a pack may have, in a repository that can leave objects out', () => {
  /** Some are large; of them all, the tree is. */
  const pages = Array.from({ length: 150 }, (_, at) => ({
    file: `Area/Part/Page ${at}.md`,
    text: at < 8 ? noise(30_000).toString('hex') : `${at}\n`,
  }));

  async function withLargeFolder() {
    const project = await Project.open();
    project.change(Object.fromEntries(pages.map(({ file, text }) => [file, text])));
    await project.sync();
    await project.requireInStep();
    project.world.packBytes = 100_000;
    return project;
  }

  test.each(['kept', 'lost'])('follows a change on each side (the report is %s)', async (how) => {
    const project = await withLargeFolder();
    const { world } = project;
    if (how === 'lost') world.report = null;
    project.change({
      'Area/Part/Page 3.md': 'shorter\n',
      'Area/New.md': 'new\n',
      'Area/Part/Page 4.md': null,
    });
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Area/Part/Page 3')).toBe('shorter\n');
    expect(await world.text('Area/Part/Page 4')).toBeNull();
  });

  test('asks for no page that the wiki has, and for no folder that did not change', async () => {
    const project = await withLargeFolder();
    const { world } = project;
    project.change({ 'Other/One.md': 'one\n' });
    await project.sync();
    world.packBytes = 2_000;
    project.change({ 'Other/One.md': 'two\n' });
    await project.sync();
    await project.requireInStep();
  });

  test.each(['tree', 'blob:none'])('of a server that refuses the filter "%s"', async (filter) => {
    const project = await withLargeFolder();
    const { world } = project;
    git(world.bare, ['config', `uploadpackfilter.${filter}.allow`, 'false']);
    project.change({ 'Area/Part/Page 3.md': 'shorter\n' });
    await project.sync();
    await project.requireInStep();
  });
});

test('a server that refuses all filters although it knows them is asked for all', async () => {
  const project = await Project.begun();
  git(project.world.bare, ['config', 'uploadpackfilter.allow', 'false']);
  project.change({ 'Guide/Use.md': 'Otherwise.\n' });
  await project.sync();
  await project.requireInStep();
});
