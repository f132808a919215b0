import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type FlatTree, flatTrees, writeTree } from '../../../test/git-trees.ts';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import type { FileWrite } from '../../core/ports.ts';
import { decodeName, encodeName } from '../../formats/names.ts';
import { openTransaction } from '../../storage/commits/transaction.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { Objects } from '../objects.ts';
import { writeFiles } from './change.ts';

describe('a change to a tree', () => {
  let directory: string;
  let store: ObjectStore;

  beforeEach(() => {
    directory = bareRepository();
    store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
    return () => store.close();
  });

  /** Makes the change and stores what it wrote with native git, which checks it. */
  async function change(base: string | null, files: FileWrite[]) {
    const transaction = openTransaction(store, []);
    const tree = await writeFiles(new Objects(transaction, 1_000_000), base, files, transaction);
    const written = transaction.objects().flatMap(({ oid }) => transaction.written(oid) ?? []);
    for (const { type, content } of written) {
      git(directory, ['hash-object', '-w', '-t', type, '--stdin'], content);
    }
    return { tree, written };
  }

  test('makes the tree that native git makes of the same change', async () => {
    await fc.assert(
      fc.asyncProperty(
        flatTrees,
        flatTrees,
        fc.infiniteStream(fc.nat({ max: 2 })),
        async (base, other, dice) => {
          const files: FileWrite[] = [];
          const expected: FlatTree = new Map(base);
          for (const [key, item] of base) {
            const path = textOf(item.path);
            if (path === null || dice.next().value !== 0) continue;
            expected.delete(key);
            files.push({ path, remove: true });
          }
          for (const [key, item] of other) {
            const path = textOf(item.path);
            if (path === null || !isFree(expected, key)) continue;
            const mode = item.mode === '100755' ? '100755' : '100644';
            expected.set(key, { ...item, mode });
            files.push({ path, content: Buffer.from(item.content), mode });
          }
          const { tree } = await change(writeTree(directory, base), files);
          expect(listing(directory, tree)).toBe(listing(directory, writeTree(directory, expected)));
          expect(tree).toBe(writeTree(directory, expected));
        },
      ),
      { numRuns: 25 },
    );
  });

  test('writes one blob and the trees on its path, and nothing else', async () => {
    const base = writeTree(directory, flat(['a/b/one.md', 'a/other/two.md', 'c/three.md', 'top.md']));
    const { tree, written } = await change(base, [{ path: 'a/b/one.md', content: Buffer.from('new\n') }]);
    expect(written.map(({ type }) => type)).toEqual(['blob', 'tree', 'tree', 'tree']);
    expect(git(directory, ['diff-tree', '-r', '--name-only', base, tree])).toBe('a/b/one.md');
  });

  test('that writes the same content gives the same tree', async () => {
    const base = writeTree(directory, flat(['a/one.md', 'b.md']));
    const same = { path: 'a/one.md', content: Buffer.from('a/one.md') };
    expect((await change(base, [same])).tree).toBe(base);
    expect((await change(base, [{ path: 'gone.md', remove: true }])).tree).toBe(base);
  });

  test('makes a folder vanish with its last file, and the empty tree of the last page', async () => {
    const base = writeTree(directory, flat(['a/b/c/one.md', 'top.md']));
    const without = await change(base, [{ path: 'a/b/c/one.md', remove: true }]);
    expect(git(directory, ['ls-tree', '-r', '-t', '--name-only', without.tree])).toBe('top.md');
    const empty = await change(without.tree, [{ path: 'top.md', remove: true }]);
    expect(git(directory, ['ls-tree', '-r', '-t', empty.tree])).toBe('');
  });

  test('moves a page to where its folder was, and a folder to where the page was', async () => {
    const base = writeTree(directory, flat(['a/one.md', 'two.md']));
    const { tree } = await change(base, [
      { path: 'a', content: Buffer.from('was in a folder') },
      { path: 'a/one.md', remove: true },
      { path: 'two.md/inside.md', content: Buffer.from('x') },
      { path: 'two.md', remove: true },
    ]);
    expect(git(directory, ['ls-tree', '-r', '--name-only', tree]).split('\n')).toEqual([
      'a',
      'two.md/inside.md',
    ]);
  });

  test('refuses a file where a folder is, and a folder where a file is', async () => {
    const base = writeTree(directory, flat(['a/one.md', 'two.md']));
    const content = Buffer.from('x');
    await expect(change(base, [{ path: 'a', content }])).rejects.toMatchObject({
      code: 'invalid_path',
      text: { happened: '"a" cannot be written: "a" is a folder, not a file.' },
    });
    await expect(change(base, [{ path: 'two.md/b/c.md', content }])).rejects.toMatchObject({
      code: 'invalid_path',
      text: { happened: '"two.md/b/c.md" cannot be written: "two.md" is a file, not a folder.' },
    });
  });

  test('refuses paths that git refuses', async () => {
    for (const path of [
      '',
      '/a',
      'a/',
      'a//b',
      './a',
      'a/../b',
      '.git/config',
      'a/.git',
      'a\0b',
      '\ud800.md',
    ]) {
      const write = change(null, [{ path, content: Buffer.from('x') }]);
      await expect(write, JSON.stringify(path)).rejects.toMatchObject({ code: 'invalid_path' });
    }
  });

  test('never writes through a symbolic link or a submodule', async () => {
    const base = writeTree(
      directory,
      new Map([
        ['link.md', { path: ['link.md'], mode: '120000', content: 'elsewhere.md' }],
        ['module', { path: ['module'], mode: '160000', content: 'x' }],
      ]),
    );
    const content = Buffer.from('x');
    const rest = { now: 'Nothing was written.', next: 'Choose another path.' };
    for (const [path, happened] of [
      ['link.md', '"link.md" is a symbolic link in the repository, not a file.'],
      ['module', '"module" is a submodule in the repository, not a file.'],
      ['module/in/a.md', '"module/in/a.md" cannot be written: "module" is a file, not a folder.'],
    ] as const) {
      await expect(change(base, [{ path, content }])).rejects.toMatchObject({
        code: 'invalid_path',
        text: { happened, ...rest },
      });
    }
  });

  test('keeps the mode of a file that it rewrites, unless it says another', async () => {
    const script = { path: ['run.md'], mode: '100755', content: 'one' };
    const base = writeTree(directory, new Map([['run.md', script]]));
    const kept = await change(base, [{ path: 'run.md', content: Buffer.from('two') }]);
    expect(git(directory, ['ls-tree', kept.tree])).toMatch(/^100755 /);
    const plain = await change(base, [{ path: 'run.md', content: Buffer.from('two'), mode: '100644' }]);
    expect(git(directory, ['ls-tree', plain.tree])).toMatch(/^100644 /);
  });

  test('keeps the digits of an old mode that means the same, and says where a file is in the way', async () => {
    const oid = git(directory, ['hash-object', '-w', '--stdin'], 'old');
    const entry = Buffer.concat([Buffer.from('100664 old.md\0'), Buffer.from(oid, 'hex')]);
    const base = git(directory, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], entry);
    const content = Buffer.from('new');
    for (const mode of [undefined, '100644'] as const) {
      const { tree } = await change(base, [
        { path: 'old.md', content, ...(mode === undefined ? {} : { mode }) },
      ]);
      expect(gitBytes(directory, ['cat-file', 'tree', tree]).toString('latin1')).toMatch(/^100664 old\.md/);
    }
    const deep = writeTree(directory, flat([encodeName('ä/b')]));
    await expect(change(deep, [{ path: 'ä/b/c/d.md', content }])).rejects.toMatchObject({
      text: { happened: '"ä/b/c/d.md" cannot be written: "ä/b" is a file, not a folder.' },
    });
    await expect(change(deep, [{ path: 'a//b', content }])).rejects.toMatchObject({
      text: { happened: '"a//b" cannot be the path of a file in git.' },
    });
  });

  test('a file that is read later is only named, and read from where it is', async () => {
    const transaction = openTransaction(store, []);
    const content = Buffer.from('a large file');
    const oid = git(directory, ['hash-object', '--stdin'], content);
    const file = { path: 'large.bin', oid, length: content.length, read: async () => content };
    await writeFiles(new Objects(transaction, 1_000_000), null, [file], transaction);
    expect(transaction.objects().find((object) => object.oid === oid)).toMatchObject({ read: file.read });
    expect(transaction.written(oid)).toBeUndefined();
  });

  test('packs an old version again, but not content that the base has at a path of the change', async () => {
    const base = writeTree(directory, flat(['a.md', 'b.md']));
    const old = git(directory, ['hash-object', '-w', '--stdin'], 'from another branch');
    const restored = await change(base, [{ path: 'a.md', oid: old, mode: '100644' }]);
    expect(restored.written.map(({ type }) => type)).toEqual(['blob', 'tree']);
    const present = git(directory, ['rev-parse', `${base}:a.md`]);
    const moved = await change(base, [
      { path: 'a.md', remove: true },
      { path: 'c.md', oid: present, mode: '100644' },
    ]);
    expect(moved.written.map(({ type }) => type)).toEqual(['tree']);
  });
});

function flat(paths: readonly string[]): FlatTree {
  return new Map(paths.map((path) => [path, { path: path.split('/'), mode: '100644', content: path }]));
}

function textOf(path: readonly string[]): string | null {
  const parts = path.map(decodeName);
  return parts.every((part) => part !== null) ? parts.join('/') : null;
}

/** True if a file can be at this path in the tree. */
function isFree(tree: FlatTree, key: string): boolean {
  const present = tree.get(key);
  if (present && !present.mode.startsWith('100')) return false;
  return [...tree.keys()].every((other) => !other.startsWith(`${key}/`) && !key.startsWith(`${other}/`));
}

function listing(directory: string, tree: string): string {
  return gitBytes(directory, ['ls-tree', '-r', '-t', '-z', tree]).toString('latin1');
}
