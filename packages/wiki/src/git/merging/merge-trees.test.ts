import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { editedTree, type FlatTree, flatTrees, keyOf, writeTree } from '../../../test/git-trees.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { openTransaction } from '../../storage/commits/transaction.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { objectTooLarge } from '../../storage/objects/object-bounds.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { mergeTrees } from './merge-trees.ts';

const histories = flatTrees.chain((base) =>
  fc.tuple(fc.constant(base), editedTree(base), editedTree(base), fc.integer({ min: 0, max: 3 })),
);

test('the sides merge as native git merges them, and nothing that it calls a conflict is merged', async () => {
  await withRepository(async ({ commit, merge, native }) => {
    await fc.assert(
      fc.asyncProperty(histories, async ([baseTree, ourTree, theirTree]) => {
        const base = commit(baseTree);
        const [ours, theirs] = [commit(ourTree, base), commit(theirTree, base)];
        expect(await merge(ours, theirs)).toEqual(native(ours, theirs));
      }),
      { numRuns: sampled(40, 5) },
    );
  });
});

test('histories without a common ancestor bring only what is in no way', async () => {
  await withRepository(async ({ commit, merge, native }) => {
    await fc.assert(
      fc.asyncProperty(flatTrees, flatTrees, async (ourTree, theirTree) => {
        const [ours, theirs] = [commit(ourTree), commit(theirTree)];
        expect(await merge(ours, theirs)).toEqual(native(ours, theirs));
      }),
      { numRuns: sampled(40, 5) },
    );
  });
});

test('histories that merged each other merge as native git merges them', async () => {
  let crossed = 0;
  await withRepository(async ({ commit, merge, native, directory }) => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        histories,
        async ([baseTree, oneTree, otherTree, pick], [, first, second]) => {
          const base = commit(baseTree);
          const [one, other] = [commit(oneTree, base), commit(otherTree, base)];
          // Each side resolves the merge of both in its own way, and goes on.
          const resolved = [oneTree, otherTree, both(oneTree, otherTree), both(otherTree, oneTree)];
          const ours = commit(resolved[pick] ?? first, one, other);
          const theirs = commit(resolved[(pick + second.size) % 4] ?? second, other, one);
          if (git(directory, ['merge-base', '--all', ours, theirs]).includes('\n')) crossed += 1;
          const expected = native(ours, theirs);
          const merged = await merge(ours, theirs);
          // If the bases contradict one another, git puts both into one file, which may merge by accident.
          if (expected === null || merged !== null) expect(merged).toEqual(expected);
        },
      ),
      { numRuns: sampled(60, 12) },
    );
  });
  expect(crossed).toBeGreaterThan(2);
});

test('what one side decided in a merge that the other made as well is a conflict, and no change of the other', async () => {
  await withRepository(async ({ merge, native, page }) => {
    const base = page('a\n');
    const [one, other] = [page('one\n', base), page('other\n', base)];
    const [ours, theirs] = [page('one\n', one, other), page('other\n', other, one)];
    expect(await merge(ours, theirs)).toBeNull();
    expect(native(ours, theirs)).toBeNull();
    const same = page('one\n', other, one);
    expect(await merge(page('more\n', ours), same)).toEqual(native(page('more\n', ours), same));
  });
});

test('a folder that becomes a file, a file that becomes a folder, and two that change places come in', async () => {
  await withRepository(async ({ commit, merge, native }) => {
    const base = commit(files({ 'one/a.md': 'a', 'one/b.md': 'b', two: 'two', x: 'x', 'y/in.md': 'in' }));
    const ours = commit(
      files({ 'one/a.md': 'a', 'one/b.md': 'b', two: 'two', x: 'x', 'y/in.md': 'in', o: 'o' }),
      base,
    );
    const theirs = commit(files({ one: 'now a file', 'two/deep/c.md': 'c', 'x/in.md': 'in', y: 'x' }), base);
    expect(await merge(ours, theirs)).toEqual(native(ours, theirs));
    expect(await merge(theirs, ours)).toEqual(native(theirs, ours));
    expect(await merge(ours, theirs)).not.toBeNull();
  });
});

test('every file that comes in is taken over, so that nothing is lost when git drops the other side', async () => {
  await withRepository(async ({ directory, commit, parts }) => {
    const kept = { 'a.md': 'a', 'b.md': 'b', 'mode.md': 'm', 'same.md': 's', 'gone.md': 'g' };
    const base = commit(files(kept));
    const ours = commit(
      new Map([
        ...files({ ...kept, 'same.md': 'both', 'o.md': 'o' }),
        ...files({ 'mode.md': 'm' }, '100755'),
      ]),
      base,
    );
    const theirs = commit(
      new Map([
        ...files({ 'a.md': 'new', 'in/new.md': 'n', 'mode.md': 'm2', 'same.md': 'both', 'b.md': 'b' }),
        ...files({ link: 'a.md' }, '120000'),
        ...files({ module: 'a commit' }, '160000'),
      ]),
      base,
    );
    const merged = await parts(ours, theirs);
    expect(merged.conflicts).toEqual([]);
    const came = ['a.md', 'in/new.md', 'mode.md', 'link'];
    const blobs = came.map((path) => git(directory, ['rev-parse', `${theirs}:${path}`]));
    expect(merged.taken.sort()).toEqual(blobs.sort());
  });
});

test('a file that is too large to be merged stays as it is, and the others are merged', async () => {
  await withRepository(async ({ directory, commit, parts }) => {
    const base = commit(files({ 'a.md': 'a\n', 'large.md': 'l\n', 'z.md': 'z\n' }));
    const ours = commit(files({ 'a.md': 'ours\n', 'large.md': 'ours\n', 'z.md': 'z\n' }), base);
    const theirs = commit(files({ 'a.md': 'theirs\n', 'large.md': 'theirs\n', 'z.md': 'new\n' }), base);
    const large = git(directory, ['rev-parse', `${base}:large.md`]);
    const tooLarge = objectTooLarge(large, 'too much');
    const { conflicts, taken } = await parts(ours, theirs, { oid: large, error: tooLarge });
    expect(conflicts).toEqual([['a.md'], ['large.md']]);
    expect(taken).toEqual([git(directory, ['rev-parse', `${theirs}:z.md`])]);
    // Any other failure is none of the file, and ends the merge.
    const failed = parts(ours, theirs, { oid: large, error: new Error('the disk fails') });
    await expect(failed).rejects.toThrow('the disk fails');
  });
});

test('a file is no conflict because its path resembles that of a conflicted file', async () => {
  await withRepository(async ({ commit, parts }) => {
    const tree = (conflicted: string, other: string) => files({ 'a/b.md': conflicted, 'ab.md': other });
    const base = commit(tree('base', 'o'));
    const [one, two] = [commit(tree('one', 'o'), base), commit(tree('two', 'o'), base)];
    const [ours, theirs] = [commit(tree('one', 'o'), one, two), commit(tree('two', 'new'), two, one)];
    const { conflicts, taken } = await parts(ours, theirs);
    expect([conflicts, taken.length]).toEqual([[['a', 'b.md']], 1]);
    // Both sides decided alike: no conflict is left.
    const agreed = commit(tree('one', 'new'), two, one);
    expect((await parts(ours, agreed)).conflicts).toEqual([]);
  });
});

test('what two merge bases contradict one another about stays a conflict, whatever a third one has', async () => {
  await withRepository(async ({ commit, parts }) => {
    const tree = (own: string, other: string) => files({ 'a/b.md': own, 'c.md': other });
    const base = commit(tree('base', 'o'));
    for (const [first, second, third] of [
      ['one', 'two', 'base'],
      ['one', 'base', 'two'],
      ['base', 'one', 'two'],
    ] as const) {
      const bases = [first, second, third].map((own, at) => commit(tree(own, `${at}`), base));
      const ours = commit(tree('one', 'ours'), ...bases);
      const theirs = commit(tree('two', 'theirs'), ...bases.toReversed());
      const { conflicts } = await parts(ours, theirs);
      expect(conflicts).toContainEqual(['a', 'b.md']);
    }
  });
});

test('merge bases that have nothing in common themselves are one base together', async () => {
  await withRepository(async ({ commit, merge, native }) => {
    const [one, two] = [commit(files({ 'one.md': '1' })), commit(files({ 'two.md': '2' }))];
    const both = { 'one.md': '1', 'two.md': '2' };
    const ours = commit(files({ ...both, 'ours.md': 'o' }), one, two);
    const theirs = commit(files({ 'one.md': '1', 'theirs.md': 't' }), two, one);
    expect(await merge(ours, theirs)).toEqual(native(ours, theirs));
    expect(await merge(ours, theirs)).not.toBeNull();
  });
});

interface Sides {
  directory: string;
  commit(tree: FlatTree, ...parents: string[]): string;
  page(content: string, ...parents: string[]): string;
  /** The tree of the merge; null if there is a conflict. */
  merge(ours: string, theirs: string): Promise<string | null>;
  native(ours: string, theirs: string): string | null;
  /** The merge as a whole; with `fault`, one object cannot be read. */
  parts(
    ours: string,
    theirs: string,
    fault?: { oid: string; error: Error },
  ): Promise<{ conflicts: readonly (readonly string[])[]; taken: string[] }>;
}

async function withRepository(act: (sides: Sides) => Promise<void>): Promise<void> {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const commitOf = (tree: FlatTree, ...parents: string[]) => {
    const above = parents.flatMap((parent) => ['-p', parent]);
    return git(directory, ['commit-tree', '-m', 'x', ...above, writeTree(directory, tree)]);
  };
  await act({
    directory,
    commit: (tree, ...parents) => commitOf(ownContents(tree), ...parents),
    page: (content, ...parents) =>
      commitOf(new Map([['a.md', { path: ['a.md'], mode: '100644', content }]]), ...parents),
    async merge(ours, theirs) {
      const { write } = openTransaction(store, []);
      const merged = await mergeTrees(store, { ours, theirs }, { write, take: async () => undefined });
      return merged.conflicts.length > 0 ? null : merged.tree;
    },
    native: (ours, theirs) => nativeMerge(directory, ours, theirs),
    async parts(ours, theirs, fault) {
      const { write } = openTransaction(store, []);
      const taken: string[] = [];
      const take = async (blob: string) => taken.push(blob);
      const read = async (oid: string) => {
        if (oid === fault?.oid) throw fault.error;
        return store.read(oid);
      };
      const { conflicts } = await mergeTrees({ ...store, read }, { ours, theirs }, { write, take });
      return { conflicts, taken };
    },
  });
  await store.close();
}

/** Files of these contents, by their paths. */
function files(contents: Record<string, string>, mode = '100644'): FlatTree {
  const items = Object.entries(contents).map(([key, content]) => ({ path: key.split('/'), mode, content }));
  return new Map(items.map((item) => [keyOf(item.path), item]));
}

/** The items of both trees; where both have one, or one is in the way, that of the first. */
function both(one: FlatTree, other: FlatTree): FlatTree {
  const isInTheWay = (path: string) =>
    [...one.keys()].some((key) => key === path || key.startsWith(`${path}/`) || path.startsWith(`${key}/`));
  return new Map([...one, ...[...other].filter(([, { path }]) => !isInTheWay(keyOf(path)))]);
}

/** No file is like one of another path, which git would take for a rename. */
function ownContents(tree: FlatTree): FlatTree {
  return new Map([...tree].map(([key, item]) => [key, { ...item, content: `${key}: ${item.content}` }]));
}

/** The tree that git makes of two commits; null if it finds a conflict. */
function nativeMerge(directory: string, ours: string, theirs: string): string | null {
  try {
    return git(directory, ['merge-tree', '--write-tree', '--allow-unrelated-histories', ours, theirs]);
  } catch (error) {
    if (error instanceof Error && /exited 1: /.test(error.message)) return null;
    // Git 2.39 aborts where it takes the conflicts of two merge bases for renames. It is no judge of these histories then:
    // https://github.com/gitgitgadget/git/pull/1943
    fc.pre(!(error instanceof Error && /exited null: .*process_renames: Assertion/.test(error.message)));
    throw error;
  }
}
