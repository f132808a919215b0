import { expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { changed, LINES, Project } from './folder-world.ts';

/** One more than one request has haves. */
const SYNCS = 201;

/** Does by git what that many syncs of a branch do, one for each of its commits: in the wiki stands one for each. */
function takeInEach({ world }: Project, branch: string, from: string): void {
  const { bare, directory: wiki, person } = world;
  const { directory } = person;
  const lines = Array.from(
    { length: SYNCS },
    (_, at) =>
      `commit refs/heads/${branch}\ncommitter Bob <bob@example.org> ${1_800_000_000 + at} +0000\ndata 1\nx\n${at === 0 ? `from ${from}\n` : ''}M 100644 inline docs/Release.md\ndata 4\n${String(at).padStart(4)}\n`,
  );
  git(bare, ['fast-import', '--quiet', '--force'], lines.join(''));
  git(directory, ['fetch', '--quiet', bare, `+${branch}:refs/remotes/there/${branch}`]);
  git(directory, ['fetch', '--quiet', wiki, '+main:refs/remotes/wiki/main']);
  let stand = git(directory, ['rev-list', '--max-parents=0', 'refs/remotes/wiki/main']);
  for (const line of git(bare, ['log', '--reverse', '--format=%H %ct', `${from}..${branch}`]).split('\n')) {
    const [oid, date] = line.split(' ');
    const tree = git(bare, ['rev-parse', `${oid}:docs`]);
    const words = `author Bob <bob@example.org> ${date} +0000\ncommitter Bob <bob@example.org> ${date} +0000`;
    const text = `tree ${tree}\nparent ${stand}\n${words}\npagetree-remote ${oid} docs\n\nx\n`;
    stand = git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], text);
  }
  const tree = git(directory, ['merge-tree', '--write-tree', 'refs/remotes/wiki/main', stand]);
  const parents = ['-p', 'refs/remotes/wiki/main', '-p', stand];
  const merge = git(directory, ['commit-tree', tree, ...parents, '-m', `Merge of ${branch}`]);
  git(directory, ['push', '--quiet', wiki, `${merge}:refs/heads/main`]);
}

test.each([true, false])(
  'a revert by the remote stays when a branch begins before it; after many syncs with a branch that has neither: %s',
  async (hasMany) => {
    const project = await Project.begun();
    const { world } = project;
    const { bare } = world;
    const first = world.remoteHead();
    project.change({ 'Start.md': changed(3, 'Unwanted.') });
    git(bare, ['branch', 'topic', 'main']);
    project.change({ 'Start.md': LINES.join(''), 'More.md': 'More.\n' }, 'Bob', 'Revert');
    await project.sync();
    if (hasMany) takeInEach(project, 'release', first);
    world.pushFrom('topic', () => world.person.commit('docs/Topic.md', 'Topic.\n'));
    const topic = await project.choose('topic');
    world.report = null;
    await project.sync({ ...topic, mode: 'pull' });
    expect(await world.text('Topic')).toBe('Topic.\n');
    expect(await world.text('Start')).toBe(LINES.join(''));
  },
);
