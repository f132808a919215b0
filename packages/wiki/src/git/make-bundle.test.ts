import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ObjectHeap } from '../../test/git-input/bundles.ts';
import { longestTurn } from '../../test/longest-turn.ts';
import { bareRepository, git } from '../../test/native-git.ts';
import { type GitObject, type Oid, objectId } from '../formats/oid.ts';
import type { ObjectReader } from '../storage/storage.ts';
import { type ContentBounds, makeBundle } from './make-bundle.ts';

test('making a bundle of many objects delays no other call, and native git accepts it', async () => {
  const { heap, tip, reader } = history(10_000);
  const longest = longestTurn();
  const bundle = await makeBundle(reader, tip, 'main', {});
  expect(longest()).toBeLessThan(300);
  const repository = bareRepository();
  const file = join(repository, 'a.bundle');
  writeFileSync(file, bundle);
  git(repository, ['bundle', 'verify', file]);
  git(repository, ['fetch', '--quiet', file, 'main:main']);
  git(repository, ['fsck', '--strict']);
  expect(heap.objects).toHaveLength(10_002);
});

test('a history larger than an import may be is refused while it is read', async () => {
  const { tip, reader } = history(50);
  let reads = 0;
  const read = (oid: Oid) => {
    reads += 1;
    return reader.read(oid);
  };
  const make = (bounds: ContentBounds) =>
    makeBundle({ ...reader, read }, tip, 'main', {}, Number.POSITIVE_INFINITY, bounds);
  const wide = { objects: 1e6, inflatedBytes: 1e6, packBytes: 1e6 };
  await expect(make({ ...wide, objects: 20 })).rejects.toThrow(/^too_large: .* more than 20 objects/);
  expect(reads).toBeLessThan(25);
  reads = 0;
  await expect(make({ ...wide, inflatedBytes: 2_400 })).rejects.toThrow(
    /^too_large: .* more than 2400 bytes/,
  );
  expect(reads).toBeLessThan(45);
  reads = 0;
  await expect(make({ ...wide, packBytes: 2_000 })).rejects.toThrow(
    /^too_large: The git bundle is too large to import: it has more than 2000 bytes/,
  );
  expect(reads).toBeLessThan(45);
});

/** One commit with so many files. */
function history(files: number) {
  const heap = new ObjectHeap();
  const entries = Array.from({ length: files }, (_, at) => {
    const name = `${String(at).padStart(6, '0')}.md`;
    return ['100644', name, heap.add('blob', `The page ${at}\n`)] as const;
  });
  const tip = heap.commit(heap.tree(entries));
  const objects = new Map<Oid, GitObject>(heap.objects.map((one) => [objectId(one.type, one.content), one]));
  const read = async (oid: Oid) => {
    const object = objects.get(oid);
    if (object === undefined) throw new Error(oid);
    return object;
  };
  return { heap, tip, reader: { read } as ObjectReader };
}
