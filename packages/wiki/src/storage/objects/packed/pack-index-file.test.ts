import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/native-git.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { LruCache } from '../../files/lru-cache.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { OpenFiles } from '../../files/open-files.ts';
import { PackIndex } from './pack-index-file.ts';

const hexDigit = fc.integer({ min: 0, max: 15 }).map((digit) => digit.toString(16));
const oid = fc.array(hexDigit, { minLength: 40, maxLength: 40 }).map((digits) => digits.join(''));

test('exactly the oids of an index are found, for any distribution', async () => {
  const crowded = fc
    .tuple(fc.constantFrom('0', '7', 'f'), oid)
    .map(([digit, rest]) => digit.repeat(30) + rest.slice(30));
  const oids = fc.uniqueArray(fc.oneof(oid, crowded), { maxLength: 3000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(oids, fc.array(oid, { maxLength: 20 }), async (present, absent) => {
      const { index } = await openIndex(
        present.map((each, position) => ({ oid: each, crc32: 0, offset: position + 12 })),
      );
      for (const [position, each] of present.entries()) expect(await index.find(each)).toBe(position + 12);
      for (const each of absent) if (!present.includes(each)) expect(await index.find(each)).toBe(null);
      for (const each of present.slice(0, 20)) {
        const prefix = each.slice(0, 6);
        const expected = present.filter((other) => other.startsWith(prefix)).sort();
        expect(await index.expand(prefix, 5000)).toEqual(expected);
      }
    }),
    { numRuns: 15 },
  );
});

test('offsets beyond 2 and 4 GB are found', async () => {
  const offsets = [12, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 2 ** 40];
  const entries = offsets.map((offset, position) => ({ oid: `${position}`.repeat(40), crc32: 0, offset }));
  const { index } = await openIndex(entries, 2 ** 41);
  for (const { oid: each, offset } of entries) expect(await index.find(each)).toBe(offset);
});

test('one object of a large index is found with two reads of at most 256 KB', async () => {
  const entries = Array.from({ length: 100_000 }, (_, position) => ({
    oid: ((position * 2654435761) >>> 0).toString(16).padStart(8, '0').padEnd(40, '5'),
    crc32: 0,
    offset: position + 12,
  }));
  const { index, reads } = await openIndex(entries);
  expect(await index.find(entries[5000]?.oid as string)).toBe(5012);
  expect(reads).toHaveLength(2);
  expect(Math.max(...reads)).toBeLessThanOrEqual(256 * 1024);
});

test('an index of another format is refused instead of read as empty', async () => {
  const directory = temporaryDirectory();
  const files = openFiles();
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(1072), Buffer.alloc(5000, 'no index')]) {
    const path = join(directory, `${bytes.length}.idx`);
    writeFileSync(path, bytes);
    const find = async () =>
      (await PackIndex.open(files, path, 1000, new LruCache(1e6))).find('1'.repeat(40));
    await expect(find()).rejects.toMatchObject({ code: 'corrupt_pack' });
  }
});

async function openIndex(entries: Parameters<typeof encodePackIndex>[0], packBytes = 10_000) {
  const path = join(temporaryDirectory(), 'pack-test.idx');
  writeFileSync(path, encodePackIndex(entries, new Uint8Array(20)));
  const reads: number[] = [];
  const files = openFiles(reads);
  return { index: await PackIndex.open(files, path, packBytes, new LruCache(2 ** 24)), reads };
}

function openFiles(reads: number[] = []): OpenFiles {
  const files = new OpenFiles(
    {
      ...nodeFileSystem,
      open: async (path, flags) => {
        const file = await nodeFileSystem.open(path, flags);
        const read: typeof file.read = (buffer, offset, length, position) => {
          reads.push(length);
          return file.read(buffer, offset, length, position);
        };
        return { ...file, read };
      },
    },
    8,
  );
  onTestFinished(() => files.close());
  return files;
}
