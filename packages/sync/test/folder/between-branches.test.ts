import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

const AS_IT_WAS = LINES.join('');
const UNWANTED = changed(3, 'Unwanted.');

/** A branch begins at a commit, and has one of its own. Returns that. */
function begin({ world }: Project, branch: string, at: string, file: string): string {
  git(world.bare, ['branch', branch, at]);
  const oid = world.pushFrom(branch, () => world.person.commit(`docs/${file}.md`, `${file}.\n`));
  world.commits.remote.length = 0;
  return oid;
}

/** Main has a change and its revert, which the wiki takes in as one commit. `more`: the newest commit changes another page too. */
async function withRevert({ more = true, mode = 'two-way' as 'two-way' | 'pull' } = {}) {
  const project = await Project.begun();
  const { world } = project;
  const first = world.remoteHead();
  const { report } = world;
  project.change({ 'Start.md': UNWANTED });
  const middle = world.remoteHead();
  project.change({ 'Start.md': AS_IT_WAS, ...(more && { 'More.md': 'More.\n' }) }, 'Bob', 'Revert');
  await project.sync({ ...world.settings, mode });
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect(await world.text('Start')).toBe(AS_IT_WAS);
  world.commits.remote.length = 0;
  return { project, world, first, middle, report };
}

/** The branch `release` merges one that begins before the revert: the wiki gets that branch, and the revert stays. */
async function requireMerged(project: Project, middle: string, settings: Project['world']['settings']) {
  const { world } = project;
  begin(project, 'topic', middle, 'Topic');
  project.merge('topic', 'release');
  await project.sync(settings);
  expect(await world.text('Topic')).toBe('Topic.\n');
  expect(await world.text('Start')).toBe(AS_IT_WAS);
}

describe('a revert by the remote that the wiki took in stays', () => {
  test('in a wiki that only pulls, when a branch of the last sync merges one that begins before the revert', async () => {
    const { project, first, middle } = await withRevert({ mode: 'pull' });
    begin(project, 'release', first, 'Release');
    const settings = { ...(await project.choose('release')), mode: 'pull' } as const;
    await project.sync(settings);
    await requireMerged(project, middle, settings);
  });

  test('the same where the remote refuses pushes', async () => {
    const { project, world, first, middle } = await withRevert();
    begin(project, 'release', first, 'Release');
    const settings = await project.choose('release');
    git(world.bare, ['config', 'http.receivepack', 'false']);
    await project.sync(settings);
    await requireMerged(project, middle, settings);
  });

  test('when the report of the sync that took it in was lost, the older one is there, and the branch is moved back', async () => {
    const { project, world, middle, report } = await withRevert();
    world.force(middle);
    world.report = report;
    await project.sync();
    expect(await world.text('Start')).toBe(AS_IT_WAS);
  });

  test('when another branch was chosen meanwhile, and then one that begins before the revert', async () => {
    const { project, world, first, middle } = await withRevert();
    begin(project, 'release', first, 'Release');
    await project.sync(await project.choose('release'));
    expect(await world.text('Start')).toBe(AS_IT_WAS);
    begin(project, 'topic', middle, 'Topic');
    await project.sync(await project.choose('topic'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Topic')).toBe('Topic.\n');
    expect(await world.text('Start')).toBe(AS_IT_WAS);
  });

  test.each([
    ['the report is lost', false],
    ['the report is lost', true],
    ['another branch was chosen meanwhile', false],
    ['another branch was chosen meanwhile', true],
  ])(
    'when the revert made all as it was, %s, and the branch is moved back (the wiki pushed on it: %s)',
    async (how, isPushed) => {
      const { project, world, first, middle } = await withRevert({ more: false });
      if (isPushed) {
        await world.write('Ours', 'Ours.\n');
        await project.sync();
      }
      if (how === 'the report is lost') world.report = null;
      else {
        begin(project, 'release', first, 'Release');
        await project.sync(await project.choose('release'));
      }
      expect(await world.text('Start')).toBe(AS_IT_WAS);
      begin(project, 'topic', middle, 'Topic');
      await project.sync(await project.choose('topic'));
      expect(world.report).toMatchObject({ state: 'in_step' });
      expect(await world.text('Topic')).toBe('Topic.\n');
      expect(await world.text('Start')).toBe(AS_IT_WAS);
    },
  );
});

describe('after a note', () => {
  test.each(['the branch of before', 'the branch of before, report lost'])(
    'what the wiki had pushed before it, and the remote reverted, stays reverted; %s',
    async (how) => {
      const { project, world, middle } = await withRevert();
      await world.write('Guide/Use', 'Nonsense.\n');
      await project.sync();
      begin(project, 'release', middle, 'Release');
      await project.sync(await project.choose('release'));
      expect(await world.text('Start')).toBe(AS_IT_WAS);
      expect(await world.text('Guide/Use')).toBe('Nonsense.\n');
      project.change({ 'Guide/Use.md': 'How to use it.\n' }, 'Bob', 'Revert nonsense');
      const settings = await project.choose('main');
      if (how.endsWith('lost')) world.report = null;
      await project.sync(settings);
      expect(world.report).toMatchObject({ state: 'in_step' });
      expect(await world.text('Guide/Use')).toBe('How to use it.\n');
      expect(project.show('Guide/Use.md')).toBe('How to use it.');
    },
  );

  test('the same, where the branch has merged one that begins at a commit of which there is no note yet', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.change({ 'Start.md': UNWANTED });
    const one = world.remoteHead();
    project.change({ 'Start.md': changed(4, 'Unwanted too.') });
    const two = world.remoteHead();
    project.change({ 'Start.md': AS_IT_WAS, 'More.md': 'More.\n' }, 'Bob', 'Revert');
    await project.sync();
    await world.write('Guide/Use', 'Nonsense.\n');
    await project.sync();
    begin(project, 'release', one, 'Release');
    await project.sync(await project.choose('release'));
    begin(project, 'topic', two, 'Topic');
    project.change({ 'Guide/Use.md': 'How to use it.\n' }, 'Bob', 'Revert nonsense');
    project.merge('topic');
    const settings = await project.choose('main');
    world.report = null;
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Topic')).toBe('Topic.\n');
    expect(await world.text('Start')).toBe(AS_IT_WAS);
    expect(await world.text('Guide/Use')).toBe('How to use it.\n');
  });
});
