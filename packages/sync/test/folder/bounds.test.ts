import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';

/** A repository whose server cannot leave objects out, with more in its history than a pack may have. */
async function withLargeHistory() {
  const project = await Project.begun({}, { hasFilters: false });
  enlarge(project);
  return { project, world: project.world };
}

function enlarge(project: Project) {
  for (let version = 0; version < 6; version += 1)
    project.changeAll({ 'large.bin': noise(30_000).toString('hex') });
  project.changeAll({ 'large.bin': null });
}

describe('a server that cannot leave objects out, and has too many', () => {
  test('among the news: the sync stops, and undoes nothing', async () => {
    const { project, world } = await withLargeHistory();
    world.packBytes = 200_000;
    project.change({ 'Guide/Use.md': null });
    const { words } = await project.sync();
    expect(world.report).toMatchObject({ state: 'too_large' });
    expect(words).toContain('uploadpack.allowFilter');
    git(world.bare, ['config', 'uploadpack.allowFilter', 'true']);
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Guide/Use')).toBeNull();
  });

  test.each(['lost', 'old'])('in its history, when the report is %s', async (how) => {
    const { project, world } = await withLargeHistory();
    await project.sync();
    const { report } = world;
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    const { version } = await world.run('read_page', { path: 'Guide/Use' });
    await world.run('delete_page', { path: 'Guide/Use', version });
    world.packBytes = 200_000;
    world.report = how === 'lost' ? null : report;
    await project.sync();
    expect(await world.text('Guide/Use')).toBeNull();
    expect(world.report?.state).toBe('in_step');
    world.packBytes = undefined;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Guide/Use')).toBeNull();
  });
});

describe('a server that cannot leave objects out, and whose history has too many', () => {
  test('a wiki with commits begins where the folder is not there', async () => {
    const project = await Project.open({}, { hasFilters: false });
    const { world } = project;
    enlarge(project);
    world.packBytes = 200_000;
    await world.write('Ours', 'Ours.\n');
    await project.sync();
    await project.requireInStep();
    expect(project.show('Ours.md')).toBe('Ours.');
  });

  test.each([false, true])('the report is lost (with a change there: %s)', async (isChanged) => {
    const { project, world } = await withLargeHistory();
    project.change({ 'Theirs.md': 'Theirs.\n' });
    await project.sync();
    world.packBytes = 200_000;
    if (isChanged) project.change({ 'Guide/Use.md': null });
    world.report = null;
    await project.sync();
    await project.requireInStep();
    expect(await world.text('Guide/Use')).toBe(isChanged ? null : 'How to use it.\n');
  });

  test.each(['amended', 'one commit behind'])('the branch is %s', async (how) => {
    const { project, world } = await withLargeHistory();
    const { directory } = world.person;
    for (const page of ['Theirs', 'Newest']) {
      project.change({ [`${page}.md`]: `${page}.\n` });
      await project.sync();
    }
    world.packBytes = 200_000;
    project.checkout();
    git(directory, ['rm', '--quiet', 'docs/Guide/Use.md']);
    git(directory, ['commit', '--quiet', '--amend', '--message', 'Amended']);
    world.force(how === 'amended' ? git(directory, ['rev-parse', 'HEAD']) : 'HEAD@{1}~1', 'other');
    const settings = await project.choose('other');
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(await world.text('Guide/Use')).toBe(how === 'amended' ? null : 'How to use it.\n');
    expect(await world.text('Theirs')).toBe('Theirs.\n');
  });
});

test('a wiki that has only pushed, and whose report is lost, undoes no deletion', async () => {
  const project = await Project.open({}, { hasFilters: false });
  const { world } = project;
  await world.write('Keep', 'Keep.\n');
  await world.write('Gone', 'Gone.\n');
  await project.sync();
  enlarge(project);
  const { version } = await world.run('read_page', { path: 'Gone' });
  await world.run('delete_page', { path: 'Gone', version });
  world.packBytes = 200_000;
  world.report = null;
  expect(await project.sync()).toMatchObject({ state: 'too_large' });
  expect(await world.text('Gone')).toBeNull();
  world.packBytes = undefined;
  await project.sync();
  await project.requireInStep();
  expect(await world.text('Gone')).toBeNull();
});

test('a wiki that was imported with the pages of a folder that is more than a pack may have goes on from there', async () => {
  const project = await Project.open();
  const { world } = project;
  const pages = Array.from({ length: 6 }, (_, at) => ({
    path: `P${at}`,
    text: noise(30_000).toString('hex'),
  }));
  project.change(Object.fromEntries(pages.map(({ path, text }) => [`${path}.md`, text])));
  world.packBytes = 100_000;
  expect(await project.sync()).toMatchObject({ state: 'too_large' });
  for (const { path, text } of pages) await world.write(path, text);
  await project.sync();
  await project.requireInStep();
});

test('a wiki with more commits than its function may send undoes no deletion when the report is lost', async () => {
  const project = await Project.begun();
  const { world } = project;
  for (let version = 0; version < 30; version += 1) await world.write('Ours', `${version}.\n`);
  await project.sync();
  const { version } = await world.run('read_page', { path: 'Guide/Use' });
  await world.run('delete_page', { path: 'Guide/Use', version });
  project.change({ 'Theirs.md': 'Theirs.\n' });
  world.maxPushBytes = 3_000;
  world.report = null;
  expect(await project.sync()).toMatchObject({ state: 'too_large' });
  expect(await world.text('Guide/Use')).toBeNull();
  world.maxPushBytes = undefined;
  await project.sync();
  await project.requireInStep();
  expect(await world.text('Guide/Use')).toBeNull();
});

test('a wiki whose history is more than a push may have pushes its pages', async () => {
  const project = await Project.open();
  const { world } = project;
  for (let version = 0; version < 6; version += 1) await world.write('Old', noise(30_000).toString('hex'));
  await world.write('Old', 'Small now.\n');
  project.change({ 'Theirs.md': 'Theirs.\n' });
  world.maxPushBytes = 100_000;
  await project.sync();
  await project.requireInStep();
  expect(project.show('Old.md')).toBe('Small now.');
});

test.each(['main', 'pages'])(
  'the remote refuses one of several commits, and a later one puts that right: %s',
  async (branch) => {
    const project = await Project.begun();
    const { world } = project;
    const script = `#!/bin/sh
while read old new ref; do
  for oid in $(git rev-list --objects --no-object-names $new --not --all); do
    if git cat-file -p $oid | grep -q TOKEN; then echo "push protection" >&2; exit 1; fi
  done
done
`;
    writeFileSync(join(world.bare, 'hooks/pre-receive'), script, { mode: 0o755 });
    await world.write('Ours', 'TOKEN\n');
    const settings = await project.choose(branch);
    expect(await project.sync(settings)).toMatchObject({ state: 'refused' });
    await world.write('Ours', 'Without.\n');
    await project.sync(settings);
    expect(world.report).toMatchObject({ state: 'in_step' });
    expect(project.show('Ours.md', branch)).toBe('Without.');
  },
);

test('a folder of the wiki that is the same as one above it is sent once', async () => {
  const project = await Project.open({ folder: 'a/docs' });
  const { world } = project;
  git(world.bare, ['config', 'receive.fsckObjects', 'true']);
  await world.write('Zero', 'Zero.\n');
  await project.sync();
  await world.write('P', 'P.\n');
  await world.write('q/docs/P', 'P.\n');
  await world.write('q/docs/Zero', 'Zero.\n');
  await project.sync();
  await project.requireInStep();
});

test('several commits of an author with control characters in the name come without it', async () => {
  const project = await Project.begun();
  const { world } = project;
  const { directory } = world.person;
  for (const page of ['C', 'D'])
    world.pushFrom('main', () => {
      writeFileSync(join(directory, `docs/${page}.md`), 'Text.\n');
      git(directory, ['add', '--all']);
      git(directory, ['commit', '--quiet', '--author', 'J\rK <j@example.org>', '--message', page]);
      return git(directory, ['rev-parse', 'HEAD']);
    });
  await project.sync();
  await project.requireInStep();
  expect(await world.text('D')).toBe('Text.\n');
});

test('a long line of commits whose headers no longer count is looked at many commits at a time', async () => {
  const project = await Project.begun();
  const { world } = project;
  await world.write('Ours', 'Ours.\n');
  await project.sync();
  const { bare } = world;
  const before = world.remoteHead();
  const header = /^pagetree-wiki .*$/m.exec(git(bare, ['cat-file', 'commit', before]))?.[0];
  const theirs = project.change({ 'Theirs.md': 'Theirs.\n' });
  const root = git(bare, ['ls-tree', theirs]);
  const blob = git(bare, ['rev-parse', `${theirs}:docs.txt`]);
  const person = 'Bob <bob@example.org> 1700000000 +0000';
  let tip = world.remoteHead();
  for (let at = 0; at < 150; at += 1) {
    const words = `author ${person}\ncommitter ${person}\n${header}\n\nChange ${at}\n`;
    const tree = git(bare, ['mktree'], `${root}\n100644 blob ${blob}\tnote-${at}\n`);
    const content = `tree ${tree}\nparent ${tip}\n${words}`;
    tip = git(bare, ['hash-object', '-t', 'commit', '-w', '--stdin'], content);
  }
  git(bare, ['update-ref', 'refs/heads/main', tip]);
  project.expectOutsideAsNow();
  let requests = 0;
  world.fault = () => {
    requests += 1;
    return undefined;
  };
  for (const report of [world.report, null]) {
    world.report = report;
    await project.sync();
    await project.requireInStep();
  }
  expect(await world.text('Theirs')).toBe('Theirs.\n');
  expect(await world.text('Ours')).toBe('Ours.\n');
  expect(requests).toBeLessThan(60);
});
