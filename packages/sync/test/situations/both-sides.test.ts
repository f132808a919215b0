import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { LINES, World } from './world.ts';

const changed = (line: number, to: string) => LINES.with(line, `${to}\n`).join('');

describe('changes come together:', () => {
  test('of different pages', async () => {
    const world = await World.diverged();
    expect(await world.sync()).toMatchObject({ state: 'in_step', failures: 0 });
    await world.requireInStep();
    expect(await world.text('Theirs')).toBe('By a person.\n');
    expect(git(world.bare, ['show', 'main:Ours.md'])).toBe('By the wiki.');
  });

  test('of different lines of one page', async () => {
    const world = await World.begun();
    await world.write('Start', changed(2, 'By the wiki.'));
    world.push('Start.md', changed(17, 'By a person.'));
    await world.sync();
    await world.requireInStep();
    expect(await world.text('Start')).toBe(
      LINES.with(2, 'By the wiki.\n').with(17, 'By a person.\n').join(''),
    );
  });

  test('of the same lines: the text of the wiki stays, that of the remote is in the history', async () => {
    const world = await World.begun();
    await world.write('Start', changed(2, 'By the wiki.'));
    const theirs = world.push('Start.md', changed(2, 'By a person.'));
    const report = await world.sync();
    expect(report.words).toContain('Both sides changed the same lines of "Start.md"');
    await world.requireInStep();
    expect(await world.text('Start')).toBe(changed(2, 'By the wiki.'));
    const head = await world.head();
    expect(git(world.bare, ['rev-parse', `${head}^2`])).toBe(theirs);
    expect(git(world.bare, ['log', '-1', '--format=%(trailers:key=Conflict,valueonly)', head])).toContain(
      'Start.md',
    );
    // It was decided once, and is not asked again.
    expect((await world.sync()).words).not.toContain('Both sides');
  });

  test('deleted there and changed here: the page stays', async () => {
    const world = await World.begun();
    await world.write('Start', changed(2, 'By the wiki.'));
    world.push('Start.md', null);
    expect((await world.sync()).words).toContain('One side deleted or moved "Start.md"');
    await world.requireInStep();
    expect(await world.text('Start')).toBe(changed(2, 'By the wiki.'));
  });

  test('deleted here and changed there: the page stays away, and its text is in the history', async () => {
    const world = await World.begun();
    const page = await world.run('read_page', { path: 'Start' });
    await world.run('delete_page', { path: 'Start', version: page.version });
    const theirs = world.push('Start.md', changed(2, 'By a person.'));
    expect((await world.sync()).words).toContain('"Start.md"');
    await world.requireInStep();
    expect(await world.text('Start')).toBeNull();
    expect(git(world.directory, ['show', `${theirs}:Start.md`])).toContain('By a person.');
  });

  test('a symbolic link and a file that is no page', async () => {
    const world = await World.begun();
    world.pushFrom('main', () => {
      symlinkSync('Start.md', join(world.person.directory, 'link.md'));
      return world.person.commit('data.bin', 'no page');
    });
    await world.write('Ours', 'By the wiki.\n');
    await world.sync();
    await world.requireInStep();
    expect(git(world.directory, ['ls-tree', await world.head(), 'link.md'])).toContain('120000');
  });
});

describe('a sync begins:', () => {
  test('with an empty remote', async () => {
    const world = await World.open();
    await world.write('Start', 'By the wiki.\n');
    await world.sync();
    await world.requireInStep();
  });

  test('with an empty wiki', async () => {
    const world = await World.open();
    git(world.person.directory, [
      'push',
      '--quiet',
      world.bare,
      `${world.person.commit('Start.md', 'Theirs.\n')}:refs/heads/main`,
    ]);
    await world.sync();
    await world.requireInStep();
    expect(await world.text('Start')).toBe('Theirs.\n');
  });

  test('with nothing on either side, and goes on with the first page', async () => {
    const world = await World.open();
    expect(await world.sync()).toMatchObject({ state: 'in_step', tip: null });
    await world.write('Start', 'By the wiki.\n');
    await world.sync();
    await world.requireInStep();
  });

  test('with histories that have nothing in common', async () => {
    const world = await World.open();
    await world.write('Ours', 'By the wiki.\n');
    await world.write('Both', 'By the wiki.\n');
    world.person.commit('Theirs.md', 'By a person.\n');
    const theirs = world.person.commit('Both.md', 'By a person.\n');
    git(world.person.directory, ['push', '--quiet', world.bare, `${theirs}:refs/heads/main`]);
    world.commits.remote.push(theirs);
    expect((await world.sync()).words).toContain('"Both.md"');
    await world.requireInStep();
    expect(await world.text('Theirs')).toBe('By a person.\n');
    expect(await world.text('Both')).toBe('By the wiki.\n');
  });

  test('after many commits of the wiki: only what is new comes from the remote', async () => {
    const world = await World.begun();
    world.push('large.bin', noise(50_000).toString('base64'));
    await world.sync();
    const met = await world.head();
    const commits = Array.from({ length: 250 }, (_, at) =>
      [
        `commit refs/heads/many\ncommitter Bob <bob@example.org> ${4_000_000_000 + at} +0000`,
        `data 4\nMany${at === 0 ? `\nfrom ${met}` : ''}`,
        `M 100644 inline Many.md\ndata 5\n${10_000 + at}\n`,
      ].join('\n'),
    );
    git(world.person.directory, ['fast-import', '--quiet'], commits.join(''));
    git(world.person.directory, ['push', '--quiet', world.directory, 'many:main']);
    world.push('Theirs.md', 'By a person.\n');
    const { words } = await world.sync();
    expect(Number(/had \((\d+) bytes\)/.exec(words)?.[1])).toBeLessThan(10_000);
    await world.requireInStep();
  });

  test('again after the report of the last one was lost', async () => {
    const world = await World.diverged();
    world.report = null;
    await world.sync();
    await world.requireInStep();
  });

  test('with a repository that names its objects by SHA-256', async () => {
    const world = await World.open({}, { objectFormat: 'sha256' });
    await world.write('Start', 'By the wiki.\n');
    expect(await world.sync()).toMatchObject({ state: 'unsupported' });
    expect(await world.text('Start')).toBe('By the wiki.\n');
  });
});

describe('races and lost answers:', () => {
  test('somebody pushes between the look and the push', async () => {
    const world = await World.diverged();
    let left = 2;
    world.fault = ({ request }) => {
      if (request.url?.endsWith('/git-receive-pack') && left > 0) {
        left -= 1;
        world.push(`Race ${left}.md`, 'Meanwhile.\n');
      }
      return undefined;
    };
    expect(await world.sync()).toMatchObject({ state: 'in_step', failures: 0 });
    world.fault = null;
    await world.requireInStep();
  });

  test('somebody pushes each time', async () => {
    const world = await World.diverged();
    let count = 0;
    world.fault = ({ request }) => {
      if (request.url?.endsWith('/git-receive-pack')) world.push(`Race ${count++}.md`, 'Meanwhile.\n');
      return undefined;
    };
    expect(await world.sync()).toMatchObject({ state: 'moved' });
    world.fault = null;
    await world.sync();
    await world.requireInStep();
  });

  test('the push lands, and its answer is lost', async () => {
    const world = await World.diverged();
    world.fault = async ({ request, real }) => {
      if (!request.url?.endsWith('/git-receive-pack')) return undefined;
      await real();
      request.socket.destroy();
      return new Promise<never>(() => {});
    };
    expect((await world.sync()).state).not.toBe('in_step');
    world.fault = null;
    const landed = world.remoteHead();
    await world.sync();
    await world.requireInStep();
    // It landed once.
    expect(world.remoteHead()).toBe(landed);
  });

  test('the wiki is written while its commits are pushed', async () => {
    const world = await World.diverged();
    let left = 1;
    world.fault = async ({ request }) => {
      if (request.url?.endsWith('/git-receive-pack') && left-- > 0)
        await world.write('Later', 'Meanwhile.\n');
      return undefined;
    };
    expect(await world.sync()).toMatchObject({ state: 'in_step' });
    world.fault = null;
    await world.sync();
    await world.requireInStep();
    expect(git(world.bare, ['show', 'main:Later.md'])).toBe('Meanwhile.');
  });
});

describe('modes:', () => {
  test('pull takes, and gives nothing', async () => {
    const world = await World.begun();
    const settings = { ...world.settings, mode: 'pull' as const };
    await world.write('Ours', 'By the wiki.\n');
    world.push('Theirs.md', 'By a person.\n');
    const before = world.remoteHead();
    expect(await world.sync(settings)).toMatchObject({ state: 'in_step' });
    expect(world.remoteHead()).toBe(before);
    expect(await world.text('Theirs')).toBe('By a person.\n');
    await world.sync();
    await world.requireInStep();
  });

  test('push gives, takes nothing, and stops before the commits of others', async () => {
    const world = await World.begun();
    const settings = { ...world.settings, mode: 'push' as const };
    await world.write('Ours', 'By the wiki.\n');
    expect(await world.sync(settings)).toMatchObject({ state: 'in_step' });
    await world.requireInStep();
    const theirs = world.push('Theirs.md', 'By a person.\n');
    await world.write('Ours', 'By the wiki again.\n');
    const report = await world.sync(settings);
    expect(report).toMatchObject({ state: 'diverged' });
    expect(report.words).toContain('--mode two-way');
    expect(world.remoteHead()).toBe(theirs);
    expect(await world.text('Theirs')).toBeNull();
    await world.sync();
    await world.requireInStep();
  });
});

describe('what the wiki does not take:', () => {
  test('a tree that git fsck refuses; the sync goes on when it is gone', async () => {
    const world = await World.begun();
    const before = world.remoteHead();
    const blob = git(world.bare, ['hash-object', '-w', '--stdin'], 'x');
    const inner = git(world.bare, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const tree = git(world.bare, ['mktree'], `040000 tree ${inner}\t.git\n`);
    const hostile = git(world.bare, ['commit-tree', tree, '-p', before, '-m', 'Hostile']);
    git(world.bare, ['update-ref', 'refs/heads/main', hostile]);
    await world.write('Ours', 'By the wiki.\n');
    const report = await world.sync();
    expect(report).toMatchObject({ state: 'unacceptable' });
    expect(report.words).toContain('.git');
    expect(world.remoteHead()).toBe(hostile);
    git(world.bare, ['update-ref', 'refs/heads/main', before]);
    git(world.bare, ['prune', '--expire=now']);
    await world.sync();
    await world.requireInStep();
  });

  test('anything, as it is read-only: it says so, and asks no more often than a person can change that', async () => {
    const world = await World.diverged();
    const host = { backend: 'local', versions: {}, problems: [] };
    const options = { directory: dirname(world.directory), wiki: 'test', placement: 'local' as const, host };
    const { wiki, close } = await openWiki({ ...options, readOnly: true });
    onTestFinished(() => close());
    const syncing = world.syncingOf(wiki);
    const { report } = await syncing.attempt(world.settings, null);
    expect(report).toMatchObject({ state: 'wiki_read_only', failures: 1 });
    expect((report.next_at ?? 0) - report.at).toBeGreaterThan(40_000);
    // The wiki takes no report, and yet the next look finds it.
    expect((await syncing.remote())?.report).toEqual(report);
  });
});
