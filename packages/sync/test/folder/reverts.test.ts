import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

const AS_IT_WAS = LINES.join('');

/** The wiki has pushed nonsense to main. */
async function withNonsense() {
  const project = await Project.begun();
  const { report } = project.world;
  const from = project.world.remoteHead();
  await project.world.write('Start', 'Nonsense.\n');
  await project.sync();
  return { project, world: project.world, from, report };
}

/** Bob has a commit of his own, merges what the wiki pushed and reverts it. */
function mergeAndRevert(project: Project, from: string, branch: string): void {
  const { world } = project;
  const { directory } = world.person;
  const pushed = project.checkout();
  git(directory, ['checkout', '--quiet', '--detach', from]);
  project.commit('Bob', 'Outside of the folder');
  git(directory, ['merge', '--quiet', '--no-ff', '--message', 'As git pull does it', pushed]);
  git(directory, ['revert', '--no-edit', pushed]);
  git(directory, ['push', '--quiet', world.bare, `HEAD:refs/heads/${branch}`]);
}

describe('a revert by the remote stays', () => {
  test.each(['known', 'added again', 'without its last report'])(
    'behind a merge; the remote is %s',
    async (how) => {
      const { project, world, from, report } = await withNonsense();
      mergeAndRevert(project, from, 'main');
      if (how !== 'known') world.report = how === 'added again' ? null : report;
      await project.sync();
      await project.requireInStep();
      expect(await world.text('Start')).toBe(AS_IT_WAS);
    },
  );

  test('in another branch, which has merged what the wiki pushed', async () => {
    const { project, world, from } = await withNonsense();
    mergeAndRevert(project, from, 'release');
    await world.write('Later', 'Later.\n');
    await project.sync();
    await project.sync(await project.choose('release'));
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Start')).toBe(AS_IT_WAS);
    expect(project.show('Later.md', 'release')).toBe('Later.');
  });

  test.each(['a commit that no git takes', 'more than a pack may have'])(
    'beside %s, after a lost report',
    async (what) => {
      const { project, world, report } = await withNonsense();
      if (what === 'more than a pack may have') {
        world.packBytes = 200_000;
        for (let version = 0; version < 6; version += 1)
          project.change({ 'Large.md': noise(30_000).toString('hex') });
      }
      project.change({ 'Start.md': AS_IT_WAS });
      if (what === 'a commit that no git takes') project.damageNewest();
      world.report = report;
      await project.sync();
      expect(world.report).toMatchObject({ state: 'in_step' });
      expect(await world.text('Start')).toBe(AS_IT_WAS);
    },
  );

  test('of what came with a rewritten history, after a lost report', async () => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('One', 'One.\n');
    await project.sync();
    const { report } = world;
    project.checkout();
    git(world.person.directory, ['checkout', '--quiet', '--detach', 'HEAD~1']);
    world.commits.remote.length = 0;
    world.force(world.person.commit('docs/One.md', 'One.\n'));
    project.change({ 'Start.md': changed(3, 'Unwanted.') });
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(changed(3, 'Unwanted.'));
    project.change({ 'Start.md': AS_IT_WAS });
    world.report = report;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Start')).toBe(AS_IT_WAS);
  });

  test('before a thousand commits outside of the folder, when the remote is added again', async () => {
    const { project, world } = await withNonsense();
    project.change({ 'Start.md': AS_IT_WAS, 'Guide/Use.md': null });
    const commits = Array.from(
      { length: 1_005 },
      (_, at) =>
        `commit refs/heads/trunk\ncommitter Bob <bob@example.org> ${1_800_000_000 + at} +0000\ndata 3\nfoo\n${at === 0 ? `from ${world.remoteHead()}\n` : ''}M 100644 inline f.c\ndata 5\n${String(at).padStart(5)}\n`,
    );
    git(world.bare, ['fast-import', '--quiet', '--force'], commits.join(''));
    git(world.bare, ['symbolic-ref', 'HEAD', 'refs/heads/trunk']);
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    await project.sync();
    expect(world.report).toMatchObject({ state: 'in_step', branch: 'refs/heads/trunk' });
    for (const page of ['Start', 'Guide/Use'])
      expect(await world.text(page)).toBe(page === 'Start' ? AS_IT_WAS : null);
    world.report = null;
    await project.sync();
    expect(await world.text('Start')).toBe(AS_IT_WAS);
  });
});

describe('a revert by the wiki stays', () => {
  test('when main has merged the branch of the wiki, as by a pull request', async () => {
    const project = await Project.begun();
    const { world } = project;
    const wiki = await project.choose('wiki');
    await world.write('Start', 'Nonsense.\n');
    await project.sync(wiki);
    project.merge('wiki');
    await world.write('Start', AS_IT_WAS);
    await project.sync(wiki);
    await project.sync(await project.choose('main'));
    expect(world.report).toMatchObject({ state: 'in_step', branch: 'refs/heads/main' });
    expect(await world.text('Start')).toBe(AS_IT_WAS);
    expect(`${project.show('Start.md')}\n`).toBe(AS_IT_WAS);
  });

  test('of what came before, when the repository is added by another address', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.change({ 'Start.md': changed(3, 'Unwanted.') });
    await project.sync();
    await world.write('Start', AS_IT_WAS);
    const settings = { ...world.settings, url: world.bare };
    await world.run('set_remote', { remote: settings });
    world.report = null;
    await project.sync(settings);
    await project.requireInStep();
    expect(await world.text('Start')).toBe(AS_IT_WAS);
  });

  test('behind many more commits, when the remote is added again', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { version } = await world.run('read_page', { path: 'Guide/Use' });
    await world.run('delete_page', { path: 'Guide/Use', version });
    for (let at = 0; at < 210; at += 1) await world.write('Note', `Note ${at}.\n`);
    project.change({ 'New.md': 'New.\n' });
    world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Guide/Use')).toBeNull();
  });

  test.each(['after a refused push', 'in the moment of the push'])(
    'when somebody makes the branch, that was not there, from an older commit %s',
    async (when) => {
      const project = await Project.begun();
      const { world } = project;
      const older = world.remoteHead();
      await world.write('Later', 'Later.\n');
      await project.sync();
      const settings = await project.choose('topic');
      const make = () => git(world.bare, ['update-ref', 'refs/heads/topic', older, '0'.repeat(40)]);
      let isMade = false;
      world.fault = ({ request }) => {
        if (isMade || !request.url?.endsWith('/git-receive-pack')) return undefined;
        isMade = true;
        if (when === 'in the moment of the push') make();
        return undefined;
      };
      if (when === 'after a refused push') git(world.bare, ['config', 'http.receivepack', 'false']);
      await project.sync(settings);
      git(world.bare, ['config', 'http.receivepack', 'true']);
      if (when === 'after a refused push') make();
      await project.sync(settings);
      expect(world.report).toMatchObject({ state: 'in_step' });
      expect(await world.text('Later')).toBe('Later.\n');
      expect(project.show('Later.md', 'topic')).toBe('Later.');
    },
  );
});
