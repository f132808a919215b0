import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GitObject } from '../storage.ts';
import { readPackSource, writtenPackSource } from './pack-source.ts';
import { encodePack } from './pack-writer.ts';

const object: fc.Arbitrary<GitObject> = fc.record({
  type: fc.constantFrom('commit', 'tree', 'blob', 'tag'),
  content: fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(text.repeat(100))),
  ),
});

it('gives of a pack that was just written what is read of its files', () => {
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

it('refuses a pack that was just written where anything of it changed in memory since', () => {
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
