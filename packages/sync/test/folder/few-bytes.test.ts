import { expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import type { World } from '../situations/world.ts';
import { Project } from './folder-world.ts';

/** A repository with many commits, of which the wiki has the newest state. */
async function withLongHistory() {
  const project = await Project.begun();
  const { world } = project;
  const commits = Array.from(
    { length: 5_000 },
    (_, at) =>
      `commit refs/heads/main\ncommitter Bob <bob@example.org> ${1_790_000_000 + at} +0000\ndata 40\n${noise(20).toString('hex')}${at === 0 ? `\nfrom ${world.remoteHead()}` : ''}\nM 100644 inline f.c\ndata 5\n${String(at).padStart(5)}\n`,
  );
  git(world.bare, ['fast-import', '--quiet', '--force'], commits.join(''));
  project.expectOutsideAsNow();
  await project.sync();
  await project.requireInStep();
  return { project, world, before: git(world.bare, ['rev-parse', 'main']) };
}

/** What the remote sends of its objects from now on. */
function countBytes(world: World): { bytes: number } {
  const received = { bytes: 0 };
  world.fault = async ({ request, real }) => {
    const answer = await real();
    if (request.url?.endsWith('/git-upload-pack')) received.bytes += answer.body.length;
    return answer;
  };
  return received;
}

test('a pull request that is merged in a long history costs a few objects if it began before the last sync', async () => {
  const { project, world, before } = await withLongHistory();
  const { directory } = world.person;
  git(world.bare, ['branch', 'pull', `${before}~1`]);
  const pulled = world.pushFrom('pull', () => world.person.commit('docs/Pull.md', 'Pull.\n'));
  world.pushFrom('main', () => {
    git(directory, ['merge', '--quiet', '--no-ff', '--message', 'Merge pull request #1', pulled]);
    return git(directory, ['rev-parse', 'HEAD']);
  });
  const received = countBytes(world);
  await project.sync();
  await project.requireInStep();
  expect(project.log('wiki')[0]).toBe('A. Writer: Change docs/Pull.md');
  expect(received.bytes).toBeLessThan(50_000);
});

test('a repository that has no such folder yet is not read from its beginning after each of its commits', async () => {
  const { project, world } = await withLongHistory();
  const settings = { ...world.settings, folder: 'later', mode: 'pull' as const };
  await world.run('set_remote', { remote: settings });
  world.report = null;
  const bytes: number[] = [];
  const received = countBytes(world);
  for (const round of [1, 2, 3]) {
    const before = received.bytes;
    project.changeAll({ 'src/main.c': `// ${round}\n` });
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
    bytes.push(received.bytes - before);
  }
  expect(Math.max(...bytes.slice(1)), `${bytes}`).toBeLessThan(50_000);
});

test('a sync that may only push asks for no page, and again for none', async () => {
  const project = await Project.open({ mode: 'push' });
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  project.change({
    'Theirs.md': Array.from({ length: 40_000 }, (_, at) => `${(at * 7919) % 65_521}`).join('\n'),
  });
  const received = countBytes(world);
  await project.sync();
  const first = received.bytes;
  await project.sync();
  expect(world.report).toMatchObject({ state: 'diverged' });
  expect([first, received.bytes - first]).toEqual([
    expect.toSatisfy((each) => each < 20_000),
    expect.toSatisfy((each) => each < 20_000),
  ]);
});

test('an error of the server that passes does not make the sync ask for all of the repository', async () => {
  const project = await Project.begun();
  const { world } = project;
  project.change({ 'Theirs.md': 'Theirs.\n' });
  const asked: string[] = [];
  let isBroken = true;
  world.fault = async ({ request, real }) => {
    if (!request.url?.endsWith('/git-upload-pack')) return undefined;
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    const answer = await real();
    const text = Buffer.concat(pieces).toString('latin1');
    if (!text.includes('command=fetch')) return answer;
    asked.push(/filter [\w:]+/.exec(text)?.[0] ?? 'no filter');
    if (!isBroken) return answer;
    isBroken = asked.length < 2;
    return { ...answer, body: Buffer.from('0020ERR the database is too busy') };
  };
  for (let round = 0; round < 3; round += 1) await project.sync();
  await project.requireInStep();
  expect(new Set(asked)).toEqual(new Set(['filter tree:0']));
});
