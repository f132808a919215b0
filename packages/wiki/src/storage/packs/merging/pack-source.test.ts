import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GitObject } from '../../../formats/oid.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { readPackSource, writtenPackSource } from './pack-source.ts';

const object: fc.Arbitrary<GitObject> = fc.record({
  type: fc.constantFrom('commit', 'tree', 'blob', 'tag'),
  content: fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(text.repeat(100))),
  ),
});

it('gives the same objects of a pack from memory as from its files', () => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 12 }), fc.boolean(), (objects, haste) => {
      const pack = encodePack(objects, { haste });
      const read = readPackSource('read', pack.packBytes, pack.indexBytes);
      const written = writtenPackSource('written', pack);
      const plain = (sources: typeof read) =>
        sources.map(({ content, compressed, ...rest }) => ({
          ...rest,
          content: [...content],
          compressed: [...compressed],
        }));
      expect(plain(written)).toEqual(plain(read));
    }),
  );
});

it('refuses a new pack if its bytes changed in memory since', () => {
  const objects: GitObject[] = ['one', 'two'].map((text) => ({ type: 'blob', content: Buffer.from(text) }));
  const pack = encodePack(objects);
  for (const bytes of [pack.packBytes.subarray(12, -20), ...objects.map(({ content }) => content)]) {
    for (let at = 0; at < bytes.length; at += 1) {
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      expect(() => writtenPackSource('written', pack)).toThrow('damaged');
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    }
  }
  expect(writtenPackSource('written', pack)).toHaveLength(2);
});

it('refuses a pack whose index gives a sound object the id of another', () => {
  const { packBytes } = encodePack([{ type: 'blob', content: Buffer.from('content') }]);
  const entry = { oid: 'a'.repeat(40), offset: 12, crc32: crc32(packBytes.subarray(12, -20)) };
  const indexBytes = encodePackIndex([entry], packBytes.subarray(-20));
  expect(() => readPackSource('forged', packBytes, indexBytes)).toThrow(`object ${entry.oid} is damaged`);
});
