import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { installHook } from './hooks.ts';
import { LINES, World } from './world.ts';

describe('branches:', () => {
  test('the default branch is renamed', async () => {
    const world = await World.diverged();
    git(world.bare, ['branch', '--move', 'main', 'trunk']);
    expect(git(world.bare, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    expect(await world.sync()).toMatchObject({ state: 'in_step', branch: 'refs/heads/trunk' });
    await world.requireInStep('trunk');
  });

  test('another branch becomes the default one: the sync stays with the one it has', async () => {
    const world = await World.diverged();
    git(world.bare, ['branch', 'other', 'main']);
    git(world.bare, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
    expect(await world.sync()).toMatchObject({ state: 'in_step', branch: 'refs/heads/main' });
    await world.requireInStep();
  });

  test('HEAD names a branch that is not there, and there is one other', async () => {
    const world = await World.open();
    git(world.bare, ['symbolic-ref', 'HEAD', 'refs/heads/nothing']);
    git(world.person.directory, [
      'push',
      '--quiet',
      world.bare,
      `${world.person.commit('Start.md', 'x\n')}:refs/heads/work`,
    ]);
    expect(await world.sync()).toMatchObject({ state: 'in_step', branch: 'refs/heads/work' });
    await world.requireInStep('work');
  });

  test('the default branch has a name that is not UTF-8: nothing is pushed', async () => {
    const world = await World.diverged();
    const ref = Buffer.from('refs/heads/caf\xe9', 'latin1');
    const tip = git(world.bare, ['rev-parse', 'main']);
    git(
      world.bare,
      ['update-ref', '--stdin'],
      Buffer.concat([Buffer.from('create '), ref, Buffer.from(` ${tip}\n`)]),
    );
    writeFileSync(join(world.bare, 'HEAD'), Buffer.concat([Buffer.from('ref: '), ref, Buffer.from('\n')]));
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    const report = await world.sync();
    expect(report).toMatchObject({ state: 'unsupported' });
    expect(report.words).toMatch(/name of its branch is not UTF-8.*--branch/);
    expect(git(world.bare, ['for-each-ref', '--format=%(objectname)'])).toBe(tip);
  });

  test('a chosen branch is made', async () => {
    const world = await World.begun({ branch: 'refs/heads/notes/wiki' });
    await world.requireInStep('notes/wiki');
  });

  test('a branch with a name that is longer than the message of a merge shows', async () => {
    const name = `${'long'.repeat(25)}/${'name'.repeat(25)}`;
    const world = await World.begun({ branch: `refs/heads/${name}` });
    await world.write('Ours', 'By the wiki.\n');
    world.push('Theirs.md', 'By a person.\n', name);
    await world.sync();
    await world.requireInStep(name);
  });

  test('a chosen branch is deleted: it is not brought back unasked, and the sync goes on when it is there again', async () => {
    const world = await World.begun({ branch: 'refs/heads/notes' });
    git(world.bare, ['branch', 'main', 'notes']);
    git(world.bare, ['branch', '--delete', '--force', 'notes']);
    await world.write('Ours', 'By the wiki.\n');
    const report = await world.sync();
    expect(report).toMatchObject({ state: 'branch_gone' });
    expect(report.words).toMatch(/no branch notes. It has main/);
    expect(git(world.bare, ['branch', '--list', 'notes'])).toBe('');
    git(world.bare, ['branch', 'notes', 'main']);
    await world.sync();
    await world.requireInStep('notes');
  });

  test('a protected branch: what the remote has is still taken in', async () => {
    const world = await World.diverged();
    const remove = installHook(world.bare, 'pre-receive', 'echo "main is a protected branch" >&2; exit 1');
    const report = await world.sync();
    expect(report).toMatchObject({ state: 'refused' });
    expect(report.words).toMatch(/--branch.*--mode pull/);
    expect(await world.text('Theirs')).toBe('By a person.\n');
    await world.requireNothingLost();
    remove();
    await world.sync();
    await world.requireInStep();
  });

  test('a hook refuses one update, with words of its own', async () => {
    const world = await World.diverged();
    const remove = installHook(world.bare, 'update', 'echo "no pushes on Sundays" >&2; exit 1');
    expect(await world.sync()).toMatchObject({ state: 'refused' });
    remove();
    await world.sync();
    await world.requireInStep();
  });
});

describe('the remote changes its past:', () => {
  test('the newest commit is amended', async () => {
    const world = await World.begun();
    const first = world.push('Theirs.md', 'First.\n');
    await world.sync();
    git(world.person.directory, ['checkout', '--quiet', '--detach', `${first}~1`]);
    const amended = world.person.commit('Theirs.md', 'Amended.\n');
    world.force(amended);
    world.commits.remote.push(amended);
    await world.write('Ours', 'By the wiki.\n');
    await world.sync();
    await world.requireInStep();
  });

  test('it is put back to an older commit', async () => {
    const world = await World.begun();
    const before = world.remoteHead();
    world.push('Theirs.md', 'By a person.\n');
    await world.sync();
    world.force(before);
    await world.sync();
    await world.requireInStep();
    expect(git(world.bare, ['show', 'main:Theirs.md'])).toBe('By a person.');
  });

  test('all of it is replaced by an unrelated history', async () => {
    const world = await World.begun();
    git(world.person.directory, ['checkout', '--quiet', '--orphan', 'new']);
    const replaced = world.person.commit('New.md', 'New.\n');
    world.force(replaced);
    world.commits.remote.push(replaced);
    await world.sync();
    await world.requireInStep();
    expect(await world.text('Start')).toBe(LINES.join(''));
    expect(await world.text('New')).toBe('New.\n');
  });

  test('it is deleted, and made again empty', async () => {
    const world = await World.begun();
    git(world.bare, ['update-ref', '-d', 'refs/heads/main']);
    await world.write('Ours', 'By the wiki.\n');
    await world.sync();
    await world.requireInStep();
  });
});
