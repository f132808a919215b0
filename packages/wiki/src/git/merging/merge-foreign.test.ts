import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editedTree, type FlatTree, flatTrees, writeTree } from '../../../test/git-trees.ts';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import { parseCommit } from '../../formats/commit.ts';
import { openTransaction } from '../../storage/commits/transaction.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { mergeForeign } from './merge-foreign.ts';

const LINES = Array.from({ length: 20 }, (_, line) => `Line ${line}.\n`);

test('commits of native git are merged in as one commit, page by page and line by line', async () => {
  const { directory, base } = await wikiAndBase();
  const foreign = commitBeside(directory, base, {
    'both.md': changed(2, 'by git'),
    'theirs.md': 'New from git.\n',
    'old.md': null,
    'folder/run.sh': '#!/bin/sh\n',
  });
  const repository = await openTestRepository(directory);
  await repository.write(changeOf([text('both.md', changed(17, 'by the wiki')), text('ours.md', 'Ours.\n')]));
  git(directory, ['update-ref', 'refs/heads/main', foreign]);

  const head = await repository.head();

  const read = async (path: string) => {
    const entry = await head.entry(path);
    return entry && Buffer.from(await head.blob(entry.oid)).toString();
  };
  const both = LINES.with(2, 'by git\n').with(17, 'by the wiki\n').join('');
  expect(await read('both.md')).toBe(both);
  expect(await read('theirs.md')).toBe('New from git.\n');
  expect(await read('ours.md')).toBe('Ours.\n');
  expect(await read('old.md')).toBeNull();
  const commit = await repository.commit(head.commit ?? '');
  expect(commit.parents).toHaveLength(1);
  expect(commit.author.name).toBe('Grace');
  expect(commit.message).not.toContain('Both sides');
  git(directory, ['fsck', '--strict']);
});

test('the files that come in are stored with the commit, as git may drop those of an abandoned branch', async () => {
  const { directory, base } = await wikiAndBase();
  const foreign = commitBeside(directory, base, { 'theirs.md': 'New from git.\n', 'in/deep.md': 'Deep.\n' });
  const tip = commitBeside(directory, base, { 'ours.md': 'Ours.\n' });
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const transaction = openTransaction(store, []);
  await mergeForeign(tip, foreign, transaction, 0);
  const stored = transaction.objects().flatMap(({ oid }) => transaction.written(oid) ?? []);
  const blobs = stored.filter(({ type }) => type === 'blob').map(({ content }) => String(content));
  expect(blobs.sort()).toEqual(['Deep.\n', 'New from git.\n']);
  await store.close();
});

test('the commit says which one it brings in, and names a hundred files that both changed', async () => {
  const { directory, base } = await wikiAndBase();
  const names = Array.from({ length: 102 }, (_, at) => `p${`${at}`.padStart(3, '0')}.md`);
  const all = (content: string, count: number) =>
    Object.fromEntries(names.slice(0, count).map((name) => [name, content]));
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const tip = commitBeside(directory, base, all('ours', 102));
  for (const [count, shown] of [
    [0, []],
    [100, names.slice(0, 100)],
    [102, [...names.slice(0, 100), 'and 2 more']],
  ] as const) {
    const foreign = commitBeside(directory, base, { ...all('theirs', count), 'free.md': 'x' });
    const transaction = openTransaction(store, []);
    const oid = await mergeForeign(tip, foreign, transaction, 0);
    const { message } = parseCommit((await transaction.read(oid)).content);
    const disputed = [
      `Both sides changed the following. The wiki keeps its own; the other is in ${foreign},`,
      `which stays under refs/pagetree/external/${foreign}.`,
      ...shown.map((name) => `- ${name}`),
    ];
    const paragraphs = [
      'Bring in what git pushed: Work beside the wiki',
      `Commit ${foreign} was made while the wiki went on. What it changed is brought in here as one commit.`,
      ...(count === 0 ? [] : [disputed.join('\n')]),
    ];
    expect(message.trimEnd()).toBe(paragraphs.join('\n\n'));
  }
  await store.close();
});

test('if both sides changed the same lines, the wiki keeps its own, and the commit says so', async () => {
  const { directory, base } = await wikiAndBase();
  const foreign = commitBeside(directory, base, {
    'both.md': changed(2, 'by git'),
    'old.md': null,
    'deleted-here.md': 'changed by git',
  });
  const repository = await openTestRepository(directory);
  await repository.write(
    changeOf([
      text('both.md', changed(2, 'by the wiki')),
      text('old.md', 'changed by the wiki'),
      { path: 'deleted-here.md', remove: true },
    ]),
  );
  const tip = (await repository.head()).commit ?? '';
  git(directory, ['update-ref', 'refs/heads/main', foreign]);

  const head = (await repository.head()).commit ?? '';

  expect(git(directory, ['diff-tree', '-r', tip, head])).toBe('');
  const { message } = await repository.commit(head);
  expect(message).toContain('Bring in what git pushed: Work beside the wiki');
  for (const path of ['both.md', 'old.md', 'deleted-here.md']) expect(message).toContain(`\n- ${path}`);
  expect(git(directory, ['rev-parse', `refs/pagetree/external/${foreign}`])).toBe(foreign);
});

test('a file and a folder of one name are a conflict, and everything else is merged', async () => {
  const { directory, base } = await wikiAndBase();
  const foreign = commitBeside(directory, base, {
    'clash/page.md': 'In a folder.\n',
    other: 'A file.\n',
    'free.md': 'Free.\n',
  });
  const repository = await openTestRepository(directory);
  await repository.write(changeOf([text('clash', 'A file.\n'), text('other/page.md', 'In a folder.\n')]));
  git(directory, ['update-ref', 'refs/heads/main', foreign]);

  const head = (await repository.head()).commit ?? '';

  const { message } = await repository.commit(head);
  expect(message).toContain('\n- clash/page.md');
  expect(message).toContain('\n- other');
  const paths = git(directory, ['ls-tree', '-r', '--name-only', head]).split('\n');
  expect(paths).toEqual(expect.arrayContaining(['clash', 'other/page.md', 'free.md']));
  git(directory, ['fsck', '--strict']);
});

test('links, submodules and names that are not UTF-8 come in as they are', async () => {
  const { directory, base } = await wikiAndBase();
  const foreign = commitBeside(directory, base, { 'plain.md': 'x' }, [
    'M 120000 inline link.md',
    'data 5',
    'to.md',
    `M 160000 ${'5'.repeat(40)} module`,
    'M 100755 inline "\\377\\376.md"',
    'data 2',
    'x',
    '',
  ]);
  const repository = await openTestRepository(directory);
  await repository.write(changeOf([text('ours.md', 'Ours.\n')]));
  git(directory, ['update-ref', 'refs/heads/main', foreign]);

  const head = (await repository.head()).commit ?? '';

  const list = (commit: string) =>
    gitBytes(directory, ['ls-tree', '-r', '-z', commit]).toString('latin1').split('\0');
  expect(list(head).filter((line) => !line.endsWith('ours.md'))).toEqual(list(foreign));
});

test("an unrelated history brings in only files that are in nobody's way", async () => {
  const { directory } = await wikiAndBase();
  const foreign = commitBeside(directory, null, { 'both.md': 'Other.\n', 'new.md': 'New.\n' });
  const repository = await openTestRepository(directory);
  const before = (await repository.head()).commit ?? '';
  git(directory, ['update-ref', 'refs/heads/main', foreign]);

  const head = (await repository.head()).commit ?? '';

  expect(git(directory, ['diff-tree', '-r', '--name-status', before, head])).toBe('A\tnew.md');
  expect((await repository.commit(head)).message).toContain('\n- both.md');
});

test('trees merge as native git merges them, with the same conflicts', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const commit = (tree: FlatTree, ...parents: string[]) => {
    const above = parents.flatMap((parent) => ['-p', parent]);
    return git(directory, ['commit-tree', '-m', 'x', ...above, writeTree(directory, ownContents(tree))]);
  };
  const histories = flatTrees.chain((base) =>
    fc.tuple(fc.constant(base), editedTree(base), editedTree(base)),
  );
  await fc.assert(
    fc.asyncProperty(histories, async ([baseTree, ourTree, theirTree]) => {
      const base = commit(baseTree);
      const [ours, theirs] = [commit(ourTree, base), commit(theirTree, base)];
      const transaction = openTransaction(store, []);
      const oid = await mergeForeign(ours, theirs, transaction, 0);
      const merged = parseCommit((await transaction.read(oid)).content);
      const native = nativeMerge(directory, ours, theirs);
      expect(merged?.message.includes('Both sides changed') ? null : merged?.tree).toBe(native);
    }),
    { numRuns: 15 },
  );
  await store.close();
});

/** No file is like one of another path, which git would take for a rename. */
function ownContents(tree: FlatTree): FlatTree {
  return new Map([...tree].map(([key, item]) => [key, { ...item, content: `${key}: ${item.content}` }]));
}

/** The tree that git makes of two commits; null if it finds a conflict. */
function nativeMerge(directory: string, ours: string, theirs: string): string | null {
  try {
    return git(directory, ['merge-tree', '--write-tree', ours, theirs]);
  } catch (error) {
    if (error instanceof Error && /exited 1: /.test(error.message)) return null;
    throw error;
  }
}

/** A wiki whose branch has a few pages. */
async function wikiAndBase() {
  const directory = bareRepository();
  const pages = { 'both.md': LINES.join(''), 'old.md': 'Old.\n', 'deleted-here.md': 'x' };
  const base = commitBeside(directory, null, pages);
  git(directory, ['update-ref', 'refs/heads/main', base]);
  return { directory, base };
}

function changed(line: number, to: string): string {
  return LINES.with(line, `${to}\n`).join('');
}

/** A commit of native git that no branch names yet. */
function commitBeside(
  directory: string,
  parent: string | null,
  files: Record<string, string | null>,
  more: readonly string[] = [],
): string {
  const changes = Object.entries(files).map(([path, content]) =>
    content === null ? `D ${path}` : `M 100644 inline ${path}\ndata ${content.length}\n${content}`,
  );
  const lines = [
    'commit refs/tests/beside',
    'author Grace <grace@example.org> 1700000000 +0100',
    'committer Grace <grace@example.org> 1700000001 +0100',
    'data 21',
    'Work beside the wiki\n',
    parent === null ? 'deleteall' : `from ${parent}`,
    ...changes,
    ...more,
    'done',
    '',
  ];
  git(directory, ['fast-import', '--quiet', '--force', '--done'], lines.join('\n'));
  const commit = git(directory, ['rev-parse', 'refs/tests/beside']);
  git(directory, ['update-ref', '-d', 'refs/tests/beside']);
  return commit;
}
