import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BLOCK_BYTES, BlockTable } from './block-table.ts';

it('finds the longest run among the first eight places of a block, and the first of equal runs', () => {
  const piece = fc.constantFrom(
    'a'.repeat(16),
    'b'.repeat(16),
    'a'.repeat(15),
    'ab',
    'the same sixteen',
    '\0',
  );
  const text = fc.array(piece, { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));
  fc.assert(
    fc.property(text, text, (base, target) => {
      const findRun = new BlockTable(base).searchFor(target);
      for (let position = 0; position + BLOCK_BYTES <= target.length; position += 1)
        expect(findRun(position)).toEqual(expectedRun(base, target, position));
    }),
    { numRuns: 40 },
  );
});

it('finds each block of a large base in which none repeats', () => {
  const base = Buffer.alloc(2 ** 20);
  for (let at = 0; at < base.length; at += 4) base.writeUInt32LE(at, at);
  const findRun = new BlockTable(base).searchFor(base);
  const places = Array.from({ length: base.length / BLOCK_BYTES }, (_, block) => block * BLOCK_BYTES);
  const last = base.length - BLOCK_BYTES;
  for (const from of places.filter((place) => place % 4096 === 0 || place > last - 4096))
    expect(findRun(from)).toEqual({ from, length: base.length - from });
});

function expectedRun(base: Buffer, target: Buffer, position: number) {
  const block = target.subarray(position, position + BLOCK_BYTES);
  const places = Array.from({ length: Math.floor(base.length / BLOCK_BYTES) }, (_, at) => at * BLOCK_BYTES);
  const same = places.filter((place) => base.subarray(place, place + BLOCK_BYTES).equals(block)).slice(0, 8);
  const runs = same.map((from) => {
    let length = BLOCK_BYTES;
    while (from + length < base.length && base[from + length] === target[position + length]) length += 1;
    return { from, length };
  });
  return runs.reduce<(typeof runs)[number] | null>(
    (longest, run) => (longest && longest.length >= run.length ? longest : run),
    null,
  );
}
