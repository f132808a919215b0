import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { landPack } from '../../storage/packs/land-pack.ts';
import type { GitObject, ObjectType } from '../oid.ts';
import { encodePack } from './pack.ts';
import { encodePackIndex } from './pack-index.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const PERSON = 'A. Writer <writer@example.org> 1700000000 +0000';

test('git index-pack --strict accepts a pack of every type and makes the same index of it', () => {
  const blob: GitObject = { type: 'blob', content: utf8('A page.\n') };
  const blobOid = encodePack([blob]).oids[0] as string;
  const tree: GitObject = {
    type: 'tree',
    content: Buffer.concat([utf8('100644 page.md\0'), Buffer.from(blobOid, 'hex')]),
  };
  const treeOid = encodePack([tree]).oids[0] as string;
  const commit: GitObject = {
    type: 'commit',
    content: utf8(`tree ${treeOid}\nauthor ${PERSON}\ncommitter ${PERSON}\n\nAdd a page\n`),
  };
  const commitOid = encodePack([commit]).oids[0] as string;
  const tag: GitObject = {
    type: 'tag',
    content: utf8(`object ${commitOid}\ntype commit\ntag v1\ntagger ${PERSON}\n\nVersion 1\n`),
  };

  const pack = encodePack([blob, tree, blob, commit, tag]);

  expect(pack.objects.map(({ object }) => object?.type)).toEqual(['commit', 'tag', 'tree', 'blob']);
  expect(pack.oids[0]).toBe(pack.oids[2]);
  expect(indexByGit(pack.packBytes)).toEqual(Buffer.from(pack.indexBytes));
});

test('git agrees about the pack and the index of any objects', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.nat({ max: 300_000 }).map((length) => new Uint8Array(length)),
    fc.uint8Array({ minLength: 5000, maxLength: 40_000, size: 'max' }),
  );
  const objects = fc.array(content, { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(objects, (contents) => {
      const pack = encodePack(
        contents.map((bytes) => ({ type: 'blob' satisfies ObjectType, content: bytes })),
      );
      expect(indexByGit(pack.packBytes)).toEqual(Buffer.from(pack.indexBytes));
    }),
    { numRuns: 25 },
  );
});

test('a pack made in haste is stored if small and compressed if large, and git reads both', () => {
  const page = (length: number) => ({ type: 'blob' as const, content: Buffer.alloc(length, 'a page ') });
  for (const [lengths, isStored] of [
    [[1000, 65_535], true],
    [[65_536], false],
    [[65_535, 65_534, 65_533], false],
  ] as const) {
    const { packBytes, indexBytes } = encodePack(lengths.map(page), { haste: true });
    expect(packBytes.length > Math.max(...lengths)).toBe(isStored);
    expect(indexByGit(packBytes)).toEqual(Buffer.from(indexBytes));
  }
});

test('git show-index reads offsets beyond 2 and 4 GB out of an index', () => {
  const offsets = [12, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 2 ** 40];
  const entries = offsets.map((offset, position) => ({
    oid: `${position}`.repeat(40),
    crc32: position,
    offset,
  }));
  const index = encodePackIndex(entries, new Uint8Array(20));
  const shown = git(temporaryDirectory(), ['show-index'], index).split('\n');
  expect(shown.map((line) => Number(line.split(' ')[0]))).toEqual(offsets);
});

test('native git reads a landed pack, and no other file is left', async () => {
  const repository = bareRepository();
  const pack = encodePack([{ type: 'blob', content: utf8('Landed.') }]);
  const directory = join(repository, 'objects/pack');
  await landPack(nodeFileSystem, directory, 'a'.repeat(40), pack);
  expect((await nodeFileSystem.readdir(directory)).sort()).toEqual([
    `pack-${'a'.repeat(40)}.idx`,
    `pack-${'a'.repeat(40)}.pack`,
  ]);
  expect(git(repository, ['cat-file', 'blob', pack.oids[0] as string])).toBe('Landed.');
  git(repository, ['fsck', '--strict', '--full']);
});

/** The index that git makes of a pack that it found good. */
function indexByGit(packBytes: Uint8Array): Buffer {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'pack'));
  const packPath = join(directory, 'pack/pack-test.pack');
  writeFileSync(packPath, packBytes);
  git(directory, ['index-pack', '--strict', packPath]);
  git(directory, ['verify-pack', packPath]);
  return readFileSync(join(directory, 'pack/pack-test.idx'));
}
