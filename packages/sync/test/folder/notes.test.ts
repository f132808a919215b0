import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

const AS_IT_WAS = LINES.join('');

/** Main has a change and its revert, which the wiki takes in as one commit. */
async function withRevert(begin: () => Promise<Project> = Project.begun) {
  const project = await begin();
  const { world } = project;
  project.change({ 'Start.md': changed(3, 'Unwanted.') });
  const middle = world.remoteHead();
  project.change({ 'Start.md': AS_IT_WAS, 'More.md': 'More.\n' }, 'Bob', 'Revert');
  return { project, world, middle };
}

/** Carol begins a branch at a commit, with one of her own. */
function begin(project: Project, branch: string, at: string): void {
  const { world } = project;
  git(world.bare, ['branch', branch, at]);
  project.checkout(branch);
  git(world.person.directory, [
    'checkout',
    '--quiet',
    '--detach',
    world.person.commit(`docs/${branch}.md`, 'New.\n'),
  ]);
  git(world.person.directory, [
    'commit',
    '--quiet',
    '--amend',
    '--author',
    'Carol <carol@example.org>',
    '--message',
    'By Carol',
  ]);
  git(world.person.directory, ['push', '--quiet', world.bare, `HEAD:refs/heads/${branch}`]);
  world.commits.remote.length = 0;
}

test.each(['kept', 'lost'])(
  'the only new commit of a branch that begins between two syncs keeps its author and message; report %s',
  async (report) => {
    const { project, world, middle } = await withRevert();
    await project.sync();
    begin(project, 'topic', middle);
    const settings = await project.choose('topic');
    if (report === 'lost') world.report = null;
    await project.sync({ ...settings, mode: 'pull' });
    expect(await world.text('topic')).toBe('New.\n');
    const came = git(world.directory, ['log', '-1', '--format=%an: %s%n%b', 'main^2']);
    expect(came.trim()).toBe('Carol: By Carol');
  },
);

test('two machines take in the same commit at once, one without its report: a revert in it stays', async () => {
  const project = await Project.begun();
  const { world } = project;
  // Both sides make the same change: only the report knows that the head of the wiki is what the remote is.
  await world.write('Same', 'Same.\n');
  project.change({ 'Same.md': 'Same.\n' });
  await project.sync();
  const { middle } = await withRevert(async () => project);
  let isFirst = true;
  world.fault = async () => {
    if (!isFirst) return undefined;
    isFirst = false;
    await world.syncingOf(world.wiki).attempt(world.settings, null);
    return undefined;
  };
  await project.sync();
  world.fault = null;
  await project.sync();
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect(await world.text('Start')).toBe(AS_IT_WAS);
  begin(project, 'topic', middle);
  const settings = await project.choose('topic');
  world.report = null;
  await project.sync(settings);
  expect(await world.text('topic')).toBe('New.\n');
  expect(await world.text('Start')).toBe(AS_IT_WAS);
});

test('another remote is not told the address of the one of which a note speaks', async () => {
  const { project, world, middle } = await withRevert();
  const other = (await Project.open()).world;
  const choose = async (url: string, branch: string) => {
    const settings = { ...world.settings, url, branch: `refs/heads/${branch}` };
    await world.run('set_remote', { remote: settings });
    world.report = null;
    await world.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
  };
  await choose(world.settings.url, 'main');
  await choose(other.settings.url, 'main');
  begin(project, 'topic', middle);
  await choose(world.settings.url, 'topic');
  await choose(other.settings.url, 'main');
  expect(git(other.bare, ['log', '--all', '--format=%B'])).not.toContain(new URL(world.settings.url).host);
});
