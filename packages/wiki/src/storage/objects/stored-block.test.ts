import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_STORED_BYTES, storedBlock } from './stored-block.ts';

test('zlib reads what was stored, of any content and length', () => {
  const lengths = fc.constantFrom(0, 1, 3799, 3800, 3801, 7601, MOST_STORED_BYTES);
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.tuple(lengths, fc.nat(255)).map(([length, byte]) => new Uint8Array(length).fill(byte)),
  );
  fc.assert(
    fc.property(contents, (content) => {
      expect(inflateSync(storedBlock(content)).equals(content)).toBe(true);
    }),
  );
});
