import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

async function deletePage({ world }: Project, path: string) {
  const { version } = await world.run('read_page', { path });
  await world.run('delete_page', { path, version });
}

/** The server is put back to a backup, and has nothing of what came after it. */
function putBack({ world }: Project, backup: string) {
  world.commits.remote.length = 0;
  git(world.bare, ['update-ref', 'refs/heads/main', backup]);
  git(world.bare, ['reflog', 'expire', '--expire=now', '--all']);
  git(world.bare, ['gc', '--quiet', '--prune=now']);
}

describe('where both sides were the same is found', () => {
  test('after a branch with a history of its own', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.checkout();
    git(world.person.directory, ['checkout', '--quiet', '--orphan', 'fresh']);
    world.force(project.commit('Bob', 'Begin again'), 'fresh');
    const fresh = await project.choose('fresh');
    await project.sync(fresh);
    await deletePage(project, 'Guide/Use');
    await project.sync(fresh);
    project.change({ 'New.md': 'New.\n' });
    await project.sync(await project.choose('main'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Guide/Use')).toBeNull();
    expect(await world.text('New')).toBe('New.\n');
  });

  test.each([false, true])(
    'on a server that was put back to a backup (pushed after it: %s)',
    async (isPushed) => {
      const project = await Project.begun();
      const { world } = project;
      project.change({ 'Start.md': changed(3, 'Nonsense.') });
      await project.sync();
      const backup = world.remoteHead();
      if (isPushed) await world.write('Ours', 'Ours.\n');
      await project.sync();
      project.change({ 'Mid.md': 'Mid.\n' });
      await project.sync();
      putBack(project, backup);
      project.change({ 'Start.md': LINES.join(''), 'Guide/Use.md': null });
      await project.sync();
      await project.requireInStep();
      expect(await world.text('Start')).toBe(LINES.join(''));
      expect(await world.text('Guide/Use')).toBeNull();
      expect(await world.text('Mid')).toBe('Mid.\n');
      expect(world.report?.words).not.toContain('same lines');
    },
  );
});

test.each(['the wiki', 'the remote'])(
  'a wiki that began as a copy of the folder undoes no deletion when its report is lost: by %s',
  async (by) => {
    const project = await Project.open();
    const { world } = project;
    project.change({ 'Start.md': LINES.join(''), 'Guide/Use.md': 'How to use it.\n' });
    await world.write('Start', LINES.join(''));
    await world.write('Guide/Use', 'How to use it.\n');
    await project.sync();
    await project.requireInStep();
    if (by === 'the wiki') await deletePage(project, 'Guide/Use');
    project.change({ 'New.md': 'New.\n', ...(by === 'the wiki' ? {} : { 'Guide/Use.md': null }) });
    world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Guide/Use')).toBeNull();
    expect(await world.text('New')).toBe('New.\n');
  },
);

test('a wiki that may only push to a copy of it gets no commit from there', async () => {
  const project = await Project.open({ mode: 'push' });
  const { world } = project;
  project.change({ 'Start.md': LINES.join('') });
  await world.write('Start', LINES.join(''));
  const before = await world.head();
  await project.sync();
  expect(await world.head()).toBe(before);
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  await project.requireInStep();
});

test('commits that were not pushed when the remote was removed come one by one', async () => {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Zero', 'Zero.\n');
  await project.sync();
  for (const page of ['One', 'Two', 'Three']) await world.write(page, `${page}.\n`);
  world.report = null;
  await project.sync();
  await project.requireInStep();
  const subjects = ['Create Three', 'Create Two', 'Create One', 'Create Zero'];
  expect(project.log('remote', '%s').slice(0, 4)).toEqual(subjects);
});

test('a commit in another encoding keeps its author and message', async () => {
  const project = await Project.begun();
  const { world } = project;
  git(world.person.directory, ['config', 'i18n.commitEncoding', 'ISO-8859-1']);
  project.change({ 'Carl.md': 'Carl.\n' }, 'Carl', 'By Carl');
  git(world.person.directory, ['config', '--unset', 'i18n.commitEncoding']);
  expect(git(world.bare, ['cat-file', 'commit', 'main'])).toContain('encoding');
  await project.sync();
  await project.requireInStep();
  expect(project.log('wiki')[0]).toBe('Carl: By Carl');
});
