import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ObjectHeap } from '../../test/git-input/bundles.ts';
import { flatTrees, writeTree } from '../../test/git-trees.ts';
import { bareRepository, git, gitBytes } from '../../test/native-git.ts';
import { commitFilesTo, openTestRepository, pathsOf, readText, text } from '../../test/test-repository.ts';
import type { FileWrite, Repository } from '../core/ports.ts';
import { objectId } from '../formats/oid.ts';
import { nodeFileSystem } from '../storage/files/node-file-system.ts';
import { ObjectStore } from '../storage/objects/object-store.ts';
import type { ObjectReader } from '../storage/storage.ts';
import { Objects } from './objects.ts';
import { snapshotOf } from './snapshot.ts';

describe('a snapshot', () => {
  let directory: string;
  let repository: Repository;

  beforeEach(async () => {
    directory = bareRepository();
    repository = await openTestRepository(directory);
  });

  const commitOf = (...files: FileWrite[]) => commitFilesTo(repository, ...files);

  test('reads the tree of any commit, and reports a missing commit', async () => {
    const first = await commitOf(text('a.md', '1'), text('folder/b.md', '1'));
    const second = await commitOf(text('a.md', '2'));
    expect(await readText(await repository.at(first), 'a.md')).toBe('1');
    expect(await readText(await repository.at(second), 'a.md')).toBe('2');
    const tree = git(directory, ['rev-parse', `${first}^{tree}`]);
    for (const wrong of ['0'.repeat(40), tree]) {
      await expect(repository.at(wrong)).rejects.toMatchObject({ code: 'not_found' });
      await expect(repository.commit(wrong)).rejects.toMatchObject({ code: 'not_found' });
      await expect(repository.changes(first, wrong)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('reads a folder once for all of its files, also one that is too large for the cache', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `a/${at}.md`);
    const commit = await commitOf(...names.map((name) => text(name, name)));
    const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000 });
    onTestFinished(() => store.close());
    let reads = 0;
    const counting: ObjectReader = {
      read: (oid) => {
        reads += 1;
        return store.read(oid);
      },
    };
    const snapshot = await snapshotOf(new Objects(counting, 1_000), commit);
    const entries = await Promise.all(names.map((name) => snapshot.entry(name)));
    expect(entries.map((entry) => entry?.path)).toEqual(names);
    expect(reads).toBe(3);
  });

  test('is walked only up to a limit if a few trees name a billion files', async () => {
    const heap = new ObjectHeap();
    const thousand = (mode: string, oid: string) =>
      heap.tree(Array.from({ length: 1_000 }, (_, at) => [mode, `${at}`.padStart(3, '0'), oid]));
    const tip = heap.commit(thousand('40000', thousand('40000', thousand('100644', heap.add('blob', '')))));
    const objects = new Map(heap.objects.map((each) => [objectId(each.type, each.content), each]));
    const read: ObjectReader['read'] = async (oid) =>
      objects.get(oid) ?? { type: 'blob', content: Buffer.of() };
    const snapshot = await snapshotOf(new Objects({ read }, 1_000_000), tip);
    await expect(Array.fromAsync(snapshot.quarantined())).rejects.toThrow(
      /^too_large: A commit of the wiki names more than 1000000 files\./,
    );
  });

  test('finds the content of old versions, and says not_found of content that it never had', async () => {
    await commitOf(text('a.md', '1'));
    const old = await (await repository.head()).entry('a.md');
    await commitOf(text('a.md', '2'));
    const head = await repository.head();
    expect(Buffer.from(await head.blob(old?.oid ?? '')).toString()).toBe('1');
    await expect(head.blob('1'.repeat(40))).rejects.toMatchObject({ code: 'not_found' });
    await expect(head.blob(head.commit ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('lists folders and files as native git does, and nothing else', async () => {
    const lines = [
      'commit refs/heads/main',
      'committer A <a> 1 +0000',
      'data 1',
      'x',
      ...['a.md', 'a/b.md', 'a-b.md', 'a/b/c.md', '"\\377.md"', '"\\377/d.md"', '日本/語.md'].flatMap(
        (path) => [`M 100644 inline ${path}`, 'data 1', 'x'],
      ),
      'M 100755 inline run.sh',
      'data 1',
      'x',
      'M 120000 inline link.md',
      'data 1',
      'x',
      `M 160000 ${'5'.repeat(40)} module`,
      'done',
      '',
    ];
    git(directory, ['fast-import', '--quiet', '--done'], lines.join('\n'));
    const head = await repository.head();
    expect(await pathsOf(head)).toEqual(['a-b.md', 'a.md', 'a/b.md', 'a/b/c.md', 'run.sh', '日本/語.md']);
    expect(await pathsOf(head, 'a')).toEqual(['a/b.md', 'a/b/c.md']);
    expect(await pathsOf(head, 'none')).toEqual([]);
    expect(await pathsOf(head, 'a.md')).toEqual([]);
    expect((await head.folder(''))?.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'a-b.md file',
      'a.md file',
      'a folder',
      'link.md symlink',
      'module submodule',
      'run.sh file',
      '日本 folder',
    ]);
    expect(await head.folder('a.md')).toBeNull();
    expect(await head.folder('a/none')).toBeNull();
    expect(await head.entry('run.sh')).toMatchObject({ mode: '100755' });
    for (const none of ['link.md', 'module', 'a', 'a.md/b', '', 'none/x'])
      expect(await head.entry(none)).toBeNull();

    const rewritten = await commitOf(text('a/b.md', 'new'));
    const listing = (commit: string) => git(directory, ['ls-tree', '-r', commit]).split('\n');
    const kept = listing(`${rewritten}~`).filter((line) => !line.endsWith('\ta/b.md'));
    expect(listing(rewritten)).toEqual(expect.arrayContaining(kept));
    git(directory, ['fsck', '--strict', '--no-dangling']);
  });

  test('reports damage if an object of a tree is missing', async () => {
    const root = git(directory, ['mktree', '--missing'], `040000 tree ${'5'.repeat(40)}\tgone\n`);
    git(directory, ['update-ref', 'refs/heads/main', git(directory, ['commit-tree', '-m', 'x', root])]);
    const head = await repository.head();
    await expect(head.entry('gone/a.md')).rejects.toMatchObject({
      code: 'internal',
      data: { reason: 'missing_object' },
    });
  });

  test('shows the same files of any tree as native git, and finds each by its path', async () => {
    await fc.assert(
      fc.asyncProperty(flatTrees, async (tree) => {
        const commit = git(directory, ['commit-tree', '-m', 'x', writeTree(directory, tree)]);
        const snapshot = await repository.at(commit);
        const native = gitBytes(directory, ['ls-tree', '-r', '-z', commit]).toString('utf8').split('\0');
        const files = native.filter((line) => line.startsWith('100') && !line.includes('\ufffd'));
        const ours: string[] = [];
        for await (const entry of snapshot.files()) {
          ours.push(`${entry.mode} blob ${entry.oid}\t${entry.path}`);
          expect(await snapshot.entry(entry.path)).toEqual(entry);
        }
        expect(ours).toEqual(files);
      }),
      { numRuns: 20 },
    );
  });
});
