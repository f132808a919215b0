import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import { commitFiles } from '../../../test/operations/local-backends.ts';
import { Pusher } from '../../../test/pusher.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';

const LINES = Array.from({ length: 20 }, (_, line) => `Line ${line}.\n`);

test('links, submodules and names that are not UTF-8 come in as they are', async () => {
  const { directory, repository, other, merge } = await wikiAndOther({ 'A.md': 'a' });
  const foreign = fed(other, [
    'M 100644 inline plain.md\ndata 1\nx',
    'M 120000 inline link.md\ndata 5\nto.md',
    `M 160000 ${'5'.repeat(40)} module`,
    'M 100755 inline "in/\\377\\376.md"\ndata 2\nx\n',
  ]);
  await repository.write(changeOf([text('ours.md', 'Ours.\n')]));
  const { kind, commit, conflicts } = await merge(foreign);
  expect([kind, conflicts]).toEqual(['merged', []]);
  const message = git(directory, ['log', '-1', '--format=%B', commit]);
  expect(message).toMatch(/^Merge branch main of example\.org\/x\n\nAgent: sync\/1\.0\nRequest-Id: /);
  const list = (repositoryOf: string, at: string) =>
    gitBytes(repositoryOf, ['ls-tree', '-r', '-z', at]).toString('latin1').split('\0');
  expect(list(directory, commit).filter((line) => !line.endsWith('ours.md'))).toEqual(
    list(other.directory, foreign),
  );
});

test('what cannot be merged stays as the wiki has it, and is named with the versions of both sides', async () => {
  const files = {
    'same.md': LINES.join(''),
    'old.md': 'Old.\n',
    'gone.md': 'x',
    'mode.md': 'x',
    bin: 'a\0b',
  };
  const { directory, repository, other, merge } = await wikiAndOther(files);
  const foreign = fed(other, [
    `M 100644 inline same.md\ndata <<END\n${LINES.with(2, 'theirs\n').with(17, 'both\n').join('')}END`,
    'D old.md',
    'M 100644 inline gone.md\ndata 6\ntheirs',
    'M 100644 inline clash/page.md\ndata 1\nx',
    'M 100644 inline "odd\\377"\ndata 6\ntheirs',
    'M 100755 inline mode.md\ndata 1\nx',
    'M 100644 inline bin\ndata 3\na\0c',
    'M 160000 5555555555555555555555555555555555555555 module',
  ]);
  const odd = git(directory, ['hash-object', '-w', '--stdin'], 'ours');
  const tree = gitBytes(directory, ['mktree', '-z'], {
    input: Buffer.concat([
      gitBytes(directory, ['ls-tree', '-z', 'main']),
      Buffer.from(`100644 blob ${odd}\todd\xff\0`, 'latin1'),
    ]),
  });
  const beside = git(directory, ['commit-tree', '-m', 'x', '-p', 'main', tree.toString().trim()]);
  git(directory, ['update-ref', 'refs/heads/main', beside]);
  await repository.write(
    changeOf([
      text('same.md', LINES.with(2, 'ours\n').join('')),
      text('old.md', 'ours'),
      { path: 'gone.md', remove: true },
      text('clash', 'a file'),
      text('module/page.md', 'a folder'),
      text('mode.md', 'ours'),
      { path: 'bin', content: Buffer.from('a\0b'), mode: '100755' },
    ]),
  );
  const head = (await repository.head()).commit ?? '';

  const { kind, commit, conflicts, more } = await merge(foreign);

  const blob = (at: string, path: string) =>
    git(at === foreign ? other.directory : directory, ['rev-parse', `${at}:${path}`]);
  expect([kind, more]).toEqual(['merged', 0]);
  expect(conflicts).toEqual([
    { path: 'clash/page.md', ours: null, theirs: blob(foreign, 'clash/page.md') },
    { path: 'gone.md', ours: null, theirs: blob(foreign, 'gone.md') },
    { path: 'module', ours: null, theirs: null },
    { path: '"odd\\377"', ours: odd, theirs: conflicts[3]?.theirs },
    { path: 'old.md', ours: blob(head, 'old.md'), theirs: null },
    { path: 'same.md', ours: blob(head, 'same.md'), theirs: blob(foreign, 'same.md') },
  ]);
  expect(git(directory, ['cat-file', 'blob', conflicts[3]?.theirs ?? ''])).toBe('theirs');
  const [bin, mode, ...rest] = git(directory, ['diff-tree', '-r', head, commit]).split('\n');
  expect(bin).toMatch(/^:100755 100755 .* M\tbin$/);
  expect(git(directory, ['cat-file', 'blob', `${commit}:bin`])).toBe('a\0c');
  expect(mode).toMatch(/^:100644 100755 (\S+) \1 M\tmode\.md$/);
  expect(rest).toEqual([]);
  git(directory, ['fsck', '--strict']);
});

test('the first of many conflicts are named and the others counted, on every call', async () => {
  const names = Array.from({ length: 160 }, (_, at) => `${'long name '.repeat(19)}${1000 + at}.md`);
  const contents = (content: string) => Object.fromEntries(names.map((name) => [name, content]));
  const { repository, other, merge } = await wikiAndOther(contents('base'));
  const foreign = fed(
    other,
    names.map((name) => `M 100644 inline "${name}"\ndata 6\ntheirs`),
  );
  await repository.write(changeOf(names.map((name) => text(name, 'ours'))));
  const merged = await merge(foreign);
  expect(merged.more).toBeGreaterThan(5);
  expect(merged.conflicts.length + merged.more).toBe(160);
  expect(merged.conflicts.map(({ path }) => path)).toEqual(names.slice(0, -merged.more));
  expect(await merge(foreign)).toEqual(merged);
  expect(await merge(other.head)).toMatchObject({ commit: merged.commit });
});

test('a commit that the wiki has already is not merged again', async () => {
  const { directory, repository, other, merge } = await wikiAndOther({ 'A.md': 'a' });
  const head = git(directory, ['rev-parse', 'main']);
  await repository.write(changeOf([text('B.md', 'b')]));
  const { kind, conflicts, more } = await merge(other.head);
  expect([other.head, kind === 'merged', conflicts, more]).toEqual([head, false, [], 0]);
});

test('the message names source, author, agent and conflicts, and blank lines in none of them confuse it', async () => {
  const { directory, repository, other, merge } = await wikiAndOther({ 'A.md': 'a' });
  const foreign = fed(other, ['M 100644 inline A.md\ndata 6\ntheirs']);
  await repository.write(changeOf([text('A.md', 'ours')]));
  const { commit } = await merge(foreign);
  expect(git(directory, ['log', '-1', '--format=%B', commit]).replace(/(Nonce: ).*/, '$1')).toBe(
    [
      'Merge branch main of example.org/x',
      '',
      `Both sides changed the files below. The wiki keeps its own; the other version is in ${foreign}.`,
      '',
      'Agent: sync/1.0',
      'Conflict: A.md',
      `Request-Id: merged-commit-${foreign}`,
      `Request-Digest: ${foreign}`,
      'Nonce: ',
      '',
    ].join('\n'),
  );
  expect(git(directory, ['log', '-1', '--format=%an <%ae> %cn', commit])).toBe(
    'Ada <ada@example.org> Pagetree',
  );
});

test('the wrong clock of another repository dates no commit of the wiki, and hides none', async () => {
  const { directory, repository, other, merge } = await wikiAndOther({ 'A.md': 'a' });
  const future = 4_000_000_000;
  const foreign = fed(other, ['M 100644 inline B.md\ndata 1\nb'], future);
  await repository.write(changeOf([text('C.md', 'c')]));
  const merged = await merge(foreign);
  expect(Number(git(directory, ['log', '-1', '--format=%ct', merged.commit]))).toBeLessThan(future);
  await repository.write(changeOf([text('D.md', 'd')]));
  expect(await merge(foreign)).toEqual(merged);
  const next = fed(other, ['M 100644 inline B.md\ndata 2\nbb']);
  expect(await merge(next)).toMatchObject({ kind: 'merged', conflicts: [] });
  const head = (await repository.head()).commit ?? '';
  const walked: string[] = [];
  for await (const { oid } of repository.log(head)) walked.push(oid);
  expect(walked).toEqual(git(directory, ['log', '--format=%H', head]).split('\n'));
  expect(git(directory, ['ls-tree', '--name-only', head]).split('\n')).toEqual([
    'A.md',
    'B.md',
    'C.md',
    'D.md',
  ]);
});

/** A wiki, and a repository of somebody else that began as it did. */
async function wikiAndOther(files: Record<string, string>) {
  const directory = bareRepository();
  commitFiles(directory, files);
  const other = Pusher.cloneOf(directory);
  const from = other.head;
  const repository = await openTestRepository(join(directory));
  const merge = (commit: string) =>
    repository.mergeCommits({
      commit,
      source: 'branch main of example.org/x',
      pack: other.pack(from, commit),
      author: { name: 'Ada', email: 'ada@example.org' },
      agent: 'sync/1.0',
    });
  return { directory, repository, other, merge };
}

function fed(other: Pusher, changes: readonly string[], seconds = 1_700_000_300): string {
  const lines = ['commit refs/heads/main', `committer G <g@example.org> ${seconds} +0100`, 'data 1', 'm'];
  other.feed([...lines, `from ${other.head}`, ...changes, ''].join('\n'));
  return other.head;
}
