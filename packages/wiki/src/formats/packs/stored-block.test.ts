import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contentOfStoredBlock,
  MAX_STORED_BYTES,
  STORED_BLOCK_OVERHEAD,
  storedBlock,
} from './stored-block.ts';

test('zlib reads stored blocks of any content and length', () => {
  const lengths = fc.constantFrom(0, 1, 3799, 3800, 3801, 7601, MAX_STORED_BYTES);
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.tuple(lengths, fc.nat(255)).map(([length, byte]) => new Uint8Array(length).fill(byte)),
  );
  fc.assert(
    fc.property(contents, (content) => {
      const block = storedBlock(content);
      expect(inflateSync(block).equals(content)).toBe(true);
      expect(block.length).toBe(content.length + STORED_BLOCK_OVERHEAD);
      expect(contentOfStoredBlock(Buffer.concat([block, block]), content.length)).toEqual(content);
    }),
  );
});

test('a damaged, cut, longer or compressed block is left to zlib', () => {
  const content = Buffer.from('tree 0123456789\n');
  const block = storedBlock(content);
  for (let at = 0; at < block.length; at += 1) {
    const damaged = new Uint8Array(block);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(contentOfStoredBlock(damaged, content.length), `byte ${at}`).toBeNull();
    expect(contentOfStoredBlock(block.subarray(0, at), content.length), `cut at ${at}`).toBeNull();
  }
  expect(contentOfStoredBlock(block, content.length - 1)).toBeNull();
  expect(contentOfStoredBlock(deflateSync(content), content.length)).toBeNull();
  expect(contentOfStoredBlock(deflateSync(content, { level: 0 }), content.length)).toEqual(
    new Uint8Array(content),
  );
});
