import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { longestTurn } from '../../../test/longest-turn.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { type GitObject, objectId } from '../../formats/oid.ts';
import { type GatheredObject, packGathered } from './gathered-pack.ts';

test('native git accepts a large pack, whose files are read one at a time in short turns', async () => {
  const contents = [
    noise(20_000_000),
    Buffer.alloc(
      20_000_000,
      noise(2 ** 20).map((byte) => 97 + (byte & 1)),
    ),
    Buffer.alloc(9_000_000, 'text that repeats '),
    ...Array.from({ length: 2_000 }, (_, at) => Buffer.from(`The page ${at}\n`)),
    Buffer.alloc(0),
  ];
  const gathered = contents.map((content, at) => (at % 2 === 0 ? later(content) : inMemory(content)));
  const longest = longestTurn();
  const pack = await packGathered(gathered);
  expect(longest()).toBeLessThan(300);
  expect(pack.packBytes.length).toBeGreaterThan(20_000_000);
  expect(pack.packBytes.length).toBeLessThan(30_000_000);
  expect(indexByGit(pack.packBytes)).toEqual(Buffer.from(pack.indexBytes));
  expect(readCount).toBe(contents.filter((_, at) => at % 2 === 0).length);
});

test('a file that changed after it was named is not stored', async () => {
  const blob = { ...later(Buffer.from('before')), read: async () => Buffer.from('after it') };
  await expect(packGathered([blob])).rejects.toThrow('has 8 bytes, not 6');
});

test('an attempt of any size keeps every object, commits first, and copies none that is read later', async () => {
  const commit: GitObject = { type: 'commit', content: Buffer.from('tree x\n') };
  const tree: GitObject = { type: 'tree', content: Buffer.from('entries') };
  const pages = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => inMemory(Buffer.alloc(length, `page ${at} `)));
  const kept = (object: GitObject): GatheredObject => ({
    oid: objectId(object.type, object.content),
    length: object.content.length,
    object,
  });
  for (const [files, isStored] of [
    [pages(3, 2_000), true],
    [pages(3, 40_000), true],
    [pages(3, 90_000), false],
    [pages(1_000, 200), false],
    [[...pages(2, 2_000), later(Buffer.alloc(2_000, 'later '))], false],
  ] as const) {
    const gathered = [...files, kept(tree), kept(commit)];
    const pack = await packGathered(gathered);
    expect(pack.oids).toEqual(gathered.map(({ oid }) => oid));
    const byOid = new Map(gathered.map((each) => [each.oid, 'object' in each ? each.object : null]));
    expect(pack.objects.map(({ oid, object }) => [oid, object])).toEqual(
      pack.objects.map(({ oid }) => [oid, byOid.get(oid)]),
    );
    expect(new Set(pack.objects.map(({ oid }) => oid))).toEqual(new Set(byOid.keys()));
    expect(pack.objects.slice(0, 2).map(({ object }) => object?.type)).toEqual(['commit', 'tree']);
    const bytes = gathered.reduce((sum, { length }) => sum + length, 0);
    expect(pack.packBytes.length > bytes, `${files.length} files of ${bytes} bytes`).toBe(isStored);
    expect(indexByGit(pack.packBytes, [])).toEqual(Buffer.from(pack.indexBytes));
  }
});

let readCount = 0;

function later(content: Buffer): GatheredObject {
  const read = async () => {
    readCount += 1;
    return content;
  };
  return { oid: objectId('blob', content), length: content.length, read };
}

function inMemory(content: Buffer): GatheredObject {
  return { oid: objectId('blob', content), length: content.length, object: { type: 'blob', content } };
}

function indexByGit(packBytes: Uint8Array, options: readonly string[] = ['--strict']): Buffer {
  const directory = join(bareRepository(), 'objects', 'pack');
  mkdirSync(directory, { recursive: true });
  const pack = join(directory, 'pack-a.pack');
  writeFileSync(pack, packBytes);
  git(directory, ['index-pack', ...options, pack]);
  return readFileSync(pack.replace(/pack$/, 'idx'));
}
