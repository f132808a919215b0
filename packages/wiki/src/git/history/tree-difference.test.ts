import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { flatTrees, keyOf, writeTree } from '../../../test/git-trees.ts';
import { bareRepository, gitBytes } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import type { ObjectReader } from '../../storage/storage.ts';
import { Objects } from '../objects.ts';
import { everyFileChange, itemChanges } from './tree-difference.ts';

const NO_OBJECT = '0'.repeat(40);

test('the differences of two trees are those of native git, in its order', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const objects = new Objects(store, 1_000_000);
  await fc.assert(
    fc.asyncProperty(flatTrees, flatTrees, async (one, other) => {
      const [before, after] = [writeTree(directory, one), writeTree(directory, other)];
      const changes = await itemChanges(objects, before, after);
      const ours = changes.map(({ path, before, after }) =>
        [before?.mode ?? '000000', after?.mode ?? '000000', before?.oid ?? NO_OBJECT, after?.oid ?? NO_OBJECT]
          .join(' ')
          .concat('\t', keyOf(path)),
      );
      expect(ours).toEqual(nativeChanges(directory, before, after));
    }),
    { numRuns: sampled(60, 8) },
  );
  await store.close();
});

test('only files with readable names are file changes, and the empty tree is null', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const objects = new Objects(store, 1_000_000);
  const item = (path: string, mode: string) => [path, { path: path.split('/'), mode, content: 'x' }] as const;
  const before = writeTree(directory, new Map([item('link', '120000'), item('module', '160000')]));
  const after = writeTree(
    directory,
    new Map([item('link', '100755'), item('\xff.md', '100644'), item('a/\xff/b.md', '100644')]),
  );
  const { files, others } = await everyFileChange(objects, before, after);
  expect(others).toEqual(['a/\uFFFD/b.md', 'module', '\uFFFD.md']);
  expect(files).toEqual([
    { path: 'link', before: null, after: { path: 'link', mode: '100755', oid: expect.any(String) } },
  ]);
  expect((await everyFileChange(objects, null, after)).files.map(({ path }) => path)).toEqual(['link']);
  expect(await everyFileChange(objects, after, after)).toEqual({ files: [], others: [] });
  await store.close();
});

test('folders that are the same on both sides are not read', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const pages = (changed: string) =>
    new Map(
      ['a/1.md', 'a/2.md', 'b/1.md', 'b/c/2.md', 'd.md'].map((path) => [
        path,
        { path: path.split('/'), mode: '100644', content: path === changed ? 'new' : 'old' },
      ]),
    );
  const [before, after] = [writeTree(directory, pages('')), writeTree(directory, pages('b/c/2.md'))];
  const read: string[] = [];
  const counted: ObjectReader = {
    read: (oid) => {
      read.push(oid);
      return store.read(oid);
    },
  };
  expect((await itemChanges(new Objects(counted, 1_000_000), before, after)).length).toBe(1);
  expect(read.length).toBe(6);
  await store.close();
});

function nativeChanges(directory: string, before: string, after: string): string[] {
  const fields = gitBytes(directory, ['diff-tree', '-r', '-z', '--no-renames', before, after])
    .toString('latin1')
    .split('\0');
  const changes: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [meta, path] = [fields[at] ?? '', fields[at + 1] ?? ''];
    changes.push(`${meta.slice(1).replace(/ [A-Z]$/, '')}\t${path}`);
  }
  return changes;
}
