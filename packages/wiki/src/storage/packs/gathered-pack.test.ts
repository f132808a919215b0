import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longestTurn } from '../../../test/longest-turn.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { objectId } from '../../formats/oid.ts';
import { type GatheredObject, packGathered } from './gathered-pack.ts';

test('native git accepts a large pack, whose files are read one at a time in short turns', async () => {
  const contents = [
    randomBytes(20_000_000),
    Buffer.alloc(
      20_000_000,
      randomBytes(2 ** 20).map((byte) => 97 + (byte & 1)),
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

function indexByGit(packBytes: Uint8Array): Buffer {
  const directory = join(bareRepository(), 'objects', 'pack');
  mkdirSync(directory, { recursive: true });
  const pack = join(directory, 'pack-a.pack');
  writeFileSync(pack, packBytes);
  git(directory, ['index-pack', '--strict', pack]);
  return readFileSync(pack.replace(/pack$/, 'idx'));
}
