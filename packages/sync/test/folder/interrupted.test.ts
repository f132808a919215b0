import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, gitBytes } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

/** The commits of both sides, as somebody sees them who counts. */
function counts({ world }: Project): [wiki: number, remote: number] {
  return [world.directory, world.bare].map((side) => Number(git(side, ['rev-list', '--count', 'main']))) as [
    number,
    number,
  ];
}

describe('a push that is interrupted:', () => {
  test('it lands, its answer is lost, and the next sync makes no commit twice', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('One', 'One.\n');
    await world.write('Two', 'Two.\n');
    world.fault = async ({ request, real }) => {
      if (!request.url?.endsWith('/git-receive-pack')) return undefined;
      await real();
      request.socket.destroy();
      return new Promise<never>(() => {});
    };
    expect((await project.sync()).state).not.toBe('in_step');
    world.fault = null;
    const landed = world.remoteHead();
    const before = counts(project);
    await project.sync();
    await project.requireInStep();
    expect(world.remoteHead()).toBe(landed);
    expect(counts(project)).toEqual(before);
  });

  test('the same, and others pushed on it before the next sync', async () => {
    const project = await Project.begun();
    const { world } = project;
    await world.write('One', 'One.\n');
    await world.write('Two', 'Two.\n');
    world.fault = async ({ request, real }) => {
      if (!request.url?.endsWith('/git-receive-pack')) return undefined;
      await real();
      request.socket.destroy();
      return new Promise<never>(() => {});
    };
    await project.sync();
    world.fault = null;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await project.sync();
    await project.requireInStep();
    // Nobody has merged anything: the wiki went forward.
    expect(git(world.directory, ['rev-list', '--merges', 'main'])).toBe('');
    expect(counts(project)).toEqual([4, 5]);
  });

  test('the clock of the project is ahead: what is known counts all the same', async () => {
    const project = await Project.open();
    const { world } = project;
    const { directory } = world.person;
    project.change({ 'Start.md': 'Begun.\n' });
    world.pushFrom('main', () => {
      writeFileSync(join(directory, 'docs', 'Ahead.md'), 'Ahead.\n');
      const made = git(directory, ['cat-file', 'commit', project.commit('Bob', 'Ahead')]);
      const ahead = made.replace(/^(committer .*> )(\d+)/m, (_, who, at) => `${who}${Number(at) + 3_600}`);
      const oid = git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], `${ahead}\n`);
      git(directory, ['checkout', '--quiet', '--detach', oid]);
      return oid;
    });
    await project.sync();
    // They are as old as the commit before: the clock of a wiki never goes back.
    for (const page of ['One', 'Two', 'Three']) await world.write(page, `${page}.\n`);
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await project.sync();
    await project.requireInStep();
    expect(git(world.directory, ['rev-list', '--max-parents=0', '--count', 'main'])).toBe('1');
  });

  test('a process dies between the push and its report', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { report } = world;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('One', 'One.\n');
    await project.sync();
    await world.write('Two', 'Two.\n');
    await project.sync();
    const before = counts(project);
    world.report = report;
    await project.sync();
    await project.requireInStep();
    expect(counts(project)).toEqual(before);
  });

  test('a process dies after it took in what the remote had', async () => {
    const project = await Project.begun();
    const { world } = project;
    const { report } = world;
    await world.write('One', 'One.\n');
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await project.sync({ ...world.settings, mode: 'pull' });
    const [wiki] = counts(project);
    world.report = report;
    await project.sync();
    await project.requireInStep();
    expect(counts(project)[0]).toBe(wiki);
    expect(project.log('remote')[0]).toMatch(/^Ada/);
  });

  test('the remote refuses pushes for long: what it has comes in, and all arrives when it takes them', async () => {
    const project = await Project.begun();
    const { world } = project;
    git(world.bare, ['config', 'http.receivepack', 'false']);
    for (const round of [1, 2, 3]) {
      await world.write(`Ours ${round}`, 'Ours.\n');
      project.change({ 'Start.md': `Theirs ${round}.\n` });
      expect((await project.sync()).state).not.toBe('in_step');
      expect(await world.text('Start')).toBe(`Theirs ${round}.\n`);
      project.requireKept();
    }
    git(world.bare, ['config', 'http.receivepack', 'true']);
    await project.sync();
    await project.requireInStep();
    for (const round of [1, 2, 3]) expect(project.show(`Ours ${round}.md`)).toBe('Ours.');
    expect(project.log('remote').filter((line) => line.startsWith('Ada'))).toHaveLength(1);
  });

  test('somebody pushes between the look and the push', async () => {
    const project = await Project.begun();
    const { world } = project;
    const before = world.remoteHead();
    const races = [0, 1].map((at) =>
      project.changeAll({ [`docs/Race ${at}.md`]: 'Meanwhile.\n', 'src/race.c': `// ${at}\n` }),
    );
    git(world.bare, ['update-ref', 'refs/heads/main', before]);
    await world.write('Ours', 'Ours.\n');
    world.fault = ({ request }) => {
      const next = request.url?.endsWith('/git-receive-pack') ? races.shift() : undefined;
      if (next !== undefined) git(world.bare, ['update-ref', 'refs/heads/main', next]);
      return undefined;
    };
    expect(await project.sync()).toMatchObject({ state: 'in_step', failures: 0 });
    world.fault = null;
    await project.requireInStep();
    expect(await world.text('Race 0')).toBe('Meanwhile.\n');
  });

  test('two processes sync at once', async () => {
    const project = await Project.begun();
    const { world } = project;
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await world.write('Ours', 'Ours.\n');
    const { report } = world;
    const other = world.syncingOf(world.wiki);
    await Promise.all([project.sync().catch(() => null), other.attempt(world.settings, report)]);
    world.report = null;
    world.report = (await other.remote())?.report ?? null;
    await project.sync();
    await project.requireInStep();
    expect(project.log('remote').filter((line) => line === 'Bob: Change by Bob')).toHaveLength(2);
  });
});

test('of a page that changes in a large repository only this page is sent', async () => {
  const project = await Project.begun();
  const { world } = project;
  const files = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`src/part${at % 50}/file${at}.c`, `// File ${at}\n`]),
  );
  project.changeAll(files);
  await project.sync();
  await world.write('Start', 'Short.\n');
  const first = Number(/lacked \((\d+) bytes\)/.exec((await project.sync()).words)?.[1]);
  project.changeAll({ 'src/part1/file1.c': '// Changed\n' });
  project.change({ 'Guide/Use.md': 'Changed.\n' });
  const taken = Number(/had \((\d+) bytes\)/.exec((await project.sync()).words)?.[1]);
  await project.requireInStep();
  const all = gitBytes(world.bare, ['pack-objects', '--revs', '--stdout', '--quiet'], {
    input: 'main\n',
  }).length;
  process.stdout.write(`a page of a repository of ${all} bytes: ${first} sent, ${taken} taken\n`);
  expect(first).toBeLessThan(1_500);
  expect(taken).toBeLessThan(10_000);
});

test('--mode push gives, and stops before changes of the folder by others alone', async () => {
  const project = await Project.open({ mode: 'push' });
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  await project.requireInStep();
  project.changeAll({ 'src/x.c': '// Outside.\n' });
  await world.write('Ours', 'More.\n');
  await project.sync();
  await project.requireInStep();
  project.change({ 'Theirs.md': 'Theirs.\n' });
  expect(await project.sync()).toMatchObject({ state: 'diverged' });
  project.requireKept();
});

test('of a repository without the folder nothing is asked as long as it stays the same', async () => {
  const project = await Project.open({ mode: 'pull' });
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  const asked: string[] = [];
  world.fault = ({ request }) => {
    asked.push(`${request.method}`);
    return undefined;
  };
  await project.sync();
  expect(world.report).toMatchObject({ state: 'in_step' });
  // The list of its branches alone.
  expect(asked).toEqual(['GET', 'POST']);
  project.change({ 'Theirs.md': 'Theirs.\n' });
  await project.sync();
  expect(await world.text('Theirs')).toBe('Theirs.\n');
  expect(await world.text('Ours')).toBe('Ours.\n');
});

test('another folder is a new beginning', async () => {
  const project = await Project.begun();
  const { world } = project;
  project.changeAll({ 'other/Page.md': 'Other.\n' });
  await project.sync();
  const settings = { ...world.settings, folder: 'other' };
  await world.run('set_remote', { remote: settings });
  expect((await world.run('get_remote', {})).report).toBeNull();
  await project.sync(settings);
  expect(world.report).toMatchObject({ state: 'in_step' });
  expect(await world.text('Page')).toBe('Other.\n');
  expect(git(world.bare, ['show', 'main:docs/Start.md'])).toContain('Line 0');
  world.requireSound();
});
