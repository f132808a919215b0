import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

const AS_IT_WAS = LINES.join('');

/**
 * Between two syncs the remote made two commits: `middle` with a change, and the newest one with its revert. The wiki has both
 * in one commit. In a whole repository `middle` is in its history.
 */
async function withRevertBetween(more: Record<string, string> = { 'More.md': 'More.\n' }) {
  const project = await Project.begun();
  const { world } = project;
  project.change({ 'Start.md': changed(3, 'Unwanted.'), 'Guide/Use.md': null });
  const middle = world.remoteHead();
  project.change({ 'Start.md': AS_IT_WAS, 'Guide/Use.md': 'How to use it.\n', ...more }, 'Bob', 'Revert');
  await project.sync();
  await project.requireInStep();
  world.commits.remote.length = 0;
  return { project, world, middle };
}

async function requireReverted(
  { project, world }: { project: Project; world: Project['world'] },
  branch: string,
) {
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect(world.report?.words).not.toContain('same lines');
  expect(await world.text('Start')).toBe(AS_IT_WAS);
  expect(await world.text('Guide/Use')).toBe('How to use it.\n');
  expect(`${project.show('Start.md', branch)}\n`).toBe(AS_IT_WAS);
  world.requireSound();
}

/** Another branch begins at a commit, and has one of its own. */
function beginBranch({ world }: Project, at: string, file: string, text: string): void {
  git(world.bare, ['branch', 'release', at]);
  world.pushFrom('release', () => world.person.commit(file, text));
  world.commits.remote.pop();
}

describe('a revert by the remote between two syncs stays', () => {
  test.each([
    ['kept', {}],
    ['kept', { 'More.md': 'More.\n' }],
    ['lost', { 'More.md': 'More.\n' }],
  ])('when the branch is moved back by force; report %s, with %j', async (report, more) => {
    const begun = await withRevertBetween(more as Record<string, string>);
    const { project, world, middle } = begun;
    world.force(middle);
    if (report === 'lost') world.report = null;
    await project.sync();
    await requireReverted(begun, 'main');
    const [wiki, remote] = [await world.head(), world.remoteHead()];
    await project.sync();
    expect([await world.head(), world.remoteHead()]).toEqual([wiki, remote]);
  });

  test('when nothing else came with it, and another branch was chosen in between', async () => {
    const begun = await withRevertBetween({});
    const { project, world, middle } = begun;
    git(world.bare, ['branch', 'other', `${middle}~1`]);
    world.pushFrom('other', () => world.person.commit('docs/Other.md', 'Other.\n'));
    world.commits.remote.pop();
    await project.sync(await project.choose('other'));
    git(world.bare, ['branch', 'release', middle]);
    await project.sync(await project.choose('release'));
    await requireReverted(begun, 'release');
    expect(project.log('wiki', '%s')).toContain('2 changes of docs/');
  });

  test('when the branch is moved back, and nothing may be pushed', async () => {
    const { project, world, middle } = await withRevertBetween();
    world.force(middle);
    const settings = { ...world.settings, mode: 'pull' } as const;
    await project.sync(settings);
    const head = await world.head();
    await project.sync(settings);
    expect(await world.head()).toBe(head);
    expect(await world.text('Start')).toBe(AS_IT_WAS);
    expect(world.remoteHead()).toBe(middle);
  });

  test('when another branch is chosen that begins there', async () => {
    const begun = await withRevertBetween();
    git(begun.world.bare, ['branch', 'release', begun.middle]);
    await begun.project.sync(await begun.project.choose('release'));
    await requireReverted(begun, 'release');
  });

  test.each(['kept', 'lost'])('the same with a commit of its own; report %s', async (report) => {
    const begun = await withRevertBetween();
    const { project, world, middle } = begun;
    beginBranch(project, middle, 'docs/Release.md', 'Release.\n');
    const settings = await project.choose('release');
    if (report === 'lost') world.report = null;
    await project.sync(settings);
    await requireReverted(begun, 'release');
    expect(await world.text('Release')).toBe('Release.\n');
  });

  test('the same, and a sync that ends in the middle is made again', async () => {
    const begun = await withRevertBetween();
    const { project, world, middle } = begun;
    beginBranch(project, middle, 'docs/Release.md', 'Release.\n');
    const settings = await project.choose('release');
    const { report } = world;
    await project.sync({ ...settings, mode: 'pull' });
    // Only what came first is there, as after a crash.
    const merge = await world.head();
    const note = git(world.directory, ['rev-parse', `${merge}^1`]);
    expect(git(world.directory, ['log', '-1', '--format=%s', note])).toMatch(
      /^Note that the wiki has had docs\//,
    );
    git(world.directory, ['update-ref', 'refs/heads/main', note]);
    world.report = report;
    await project.sync(settings);
    await requireReverted(begun, 'release');
    expect(await world.text('Release')).toBe('Release.\n');
  });

  test('when the branch that begins there is merged later, as it was', async () => {
    const begun = await withRevertBetween();
    const { project, world, middle } = begun;
    beginBranch(project, middle, 'docs/Release.md', 'Release.\n');
    const { report } = world;
    await project.sync(await project.choose('release'));
    project.merge('release');
    for (const last of [world.report, report, null]) {
      world.report = last;
      await project.sync(await project.choose('main'));
      await requireReverted(begun, 'main');
      expect(project.show('Release.md')).toBe('Release.');
    }
  });
});

test('a branch that begins between two syncs, and changes another line of a page than the wiki: both stay', async () => {
  const project = await Project.begun();
  const { world } = project;
  project.change({ 'Start.md': changed(3, 'Third.') });
  const middle = world.remoteHead();
  project.change({ 'Start.md': changed(3, 'Third, mended.') });
  await project.sync();
  beginBranch(project, middle, 'docs/Start.md', LINES.with(3, 'Third.\n').with(15, 'Release.\n').join(''));
  await project.sync(await project.choose('release'));
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect(await world.text('Start')).toBe(LINES.with(3, 'Third, mended.\n').with(15, 'Release.\n').join(''));
});

describe('what the wiki deletes stays deleted', () => {
  test('when the merged branch of a pull request is chosen', async () => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['branch', 'pull', 'main']);
    world.pushFrom('pull', () => world.person.commit('docs/Pull.md', 'Pull.\n'));
    project.merge('pull');
    await project.sync();
    const { version } = await world.run('read_page', { path: 'Pull' });
    await world.run('delete_page', { path: 'Pull', version });
    await project.sync();
    await project.sync(await project.choose('pull'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Pull')).toBeNull();
  });

  test.each(['empty', 'a copy'])(
    'when a branch is chosen that is older than a wiki that began %s',
    async (how) => {
      const project = await Project.open();
      const { world } = project;
      project.change({ 'Old.md': 'Old.\n' });
      const old = world.remoteHead();
      project.change({ 'New.md': 'New.\n' });
      if (how === 'a copy') for (const page of ['Old', 'New']) await world.write(page, `${page}.\n`);
      await project.sync();
      const { version } = await world.run('read_page', { path: 'Old' });
      await world.run('delete_page', { path: 'Old', version });
      await project.sync();
      beginBranch(project, old, 'docs/Release.md', 'Release.\n');
      await project.sync(await project.choose('release'));
      expect(world.report).toMatchObject({ state: 'in_step' });
      expect(await world.text('Old')).toBeNull();
      expect(await world.text('New')).toBe('New.\n');
      expect(await world.text('Release')).toBe('Release.\n');
    },
  );
});
