import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengthBytes } from '../../../test/git-input/bundles.ts';
import { applyDelta, DeltaError, deltaSizes } from './delta.ts';

test('a copy instruction without a size copies 64 KiB', () => {
  const base = Buffer.from(Array.from({ length: 0x10000 + 10 }, (_, at) => at % 251));
  // Copies from the offset 7, which is the one byte of it that is there.
  const copy = Buffer.from([0x81, 7]);
  const delta = Buffer.concat([lengthBytes(base.length), lengthBytes(0x10000), copy]);
  expect(Buffer.from(applyDelta(base, delta)).equals(base.subarray(7, 7 + 0x10000))).toBe(true);
});

const base = fc.uint8Array({ minLength: 1, maxLength: 600, size: 'max' });
/** Mostly within the base; a few reach beyond it, insert less than they say, or are no instruction. */
const instruction = fc.oneof(
  { weight: 6, arbitrary: fc.record({ copy: fc.nat(250), size: fc.integer({ min: 1, max: 120 }) }) },
  { weight: 6, arbitrary: fc.record({ insert: fc.uint8Array({ minLength: 1, maxLength: 127 }) }) },
  { weight: 1, arbitrary: fc.record({ copy: fc.nat(70_000), size: fc.nat(70_000) }) },
  { weight: 1, arbitrary: fc.record({ bytes: fc.uint8Array({ maxLength: 5 }) }) },
);

test('a delta makes the text that it encodes, and an impossible one is refused', () => {
  const outcomes = { made: 0, refused: 0 };
  fc.assert(
    fc.property(
      base,
      fc.array(instruction, { maxLength: 8 }),
      fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1, 300),
      fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
      (bytes, instructions, wrongResult, wrongBase) => {
        const written = Buffer.concat(instructions.map(spelled));
        const expected = madeOf(bytes, written);
        const length = Math.max(0, (expected?.length ?? 20) + wrongResult);
        const delta = Buffer.concat([lengthBytes(bytes.length + wrongBase), lengthBytes(length), written]);
        expect(deltaSizes(delta)).toEqual({ base: bytes.length + wrongBase, result: length });
        const isSound = expected?.length === length && wrongBase === 0;
        expect(outcomeOf(bytes, delta)).toEqual(isSound ? expected : DeltaError);
        outcomes[isSound ? 'made' : 'refused'] += 1;
      },
    ),
    { numRuns: 400 },
  );
  expect(outcomes.made).toBeGreaterThan(50);
  expect(outcomes.refused).toBeGreaterThan(50);
});

test('a delta that is cut anywhere is refused', () => {
  const from = Buffer.from('Lines of the base, as long as they are.');
  const delta = Buffer.concat([
    lengthBytes(from.length),
    lengthBytes(15),
    spelled({ copy: 3, size: 10 }),
    spelled({ insert: Buffer.from('words') }),
  ]);
  expect(outcomeOf(from, delta)).toEqual(Buffer.from('es of the words'));
  for (let length = 0; length < delta.length; length += 1)
    expect(outcomeOf(from, delta.subarray(0, length)), `${length} bytes`).toBe(DeltaError);
});

test('a few bytes that declare gigabytes take no memory for them', () => {
  const delta = Buffer.concat([lengthBytes(1), lengthBytes(2 ** 31 + 1), spelled({ copy: 0, size: 1 })]);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => applyDelta(Buffer.from('x'), delta)).toThrow('the delta makes an object that is too large');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  const sizes = { base: 2 ** 40 + 5, result: 2 ** 52 + 3 };
  expect(deltaSizes(Buffer.concat([lengthBytes(sizes.base), lengthBytes(sizes.result)]))).toEqual(sizes);
});

test('each reason why a delta cannot be applied has its own words', () => {
  const from = Buffer.from('base');
  for (const [reason, baseLength, length, ...instructions] of [
    ['the delta is for another base', 5, 1, 1, 0],
    ['the delta gives too few bytes', 4, 2, 1, 0],
    ['the delta gives too many bytes', 4, 1, 2, 0, 0],
    ['the delta copies from beyond its base', 4, 4, 0x91, 1, 4],
    ['the delta holds an unknown instruction', 4, 1, 0],
    ['the delta ends too early', 4, 2, 2, 0],
    ['the delta ends too early', 4, 2, 0x91, 1],
  ] as const) {
    expect(() => applyDelta(from, Buffer.from([baseLength, length, ...instructions]))).toThrow(reason);
  }
});

type Instruction = { copy: number; size: number } | { insert: Uint8Array } | { bytes: Uint8Array };

function spelled(instruction: Instruction): Buffer {
  if ('bytes' in instruction) return Buffer.from(instruction.bytes);
  if ('insert' in instruction) return Buffer.from([instruction.insert.length, ...instruction.insert]);
  const { copy, size } = instruction;
  const parts = [copy & 0xff, (copy >> 8) & 0xff, (copy >> 16) & 0xff, 0, size & 0xff, size >> 8, size >> 16];
  const mask = parts.reduce((bits, part, at) => (part === 0 ? bits : bits | (1 << at)), 0x80);
  return Buffer.from([mask, ...parts.filter((part) => part !== 0)]);
}

/** The second reader of instructions, written from gitformat-pack(5): null if one is impossible. */
function madeOf(from: Uint8Array, instructions: Buffer): Buffer | null {
  const parts: Uint8Array[] = [];
  let rest = [...instructions];
  while (rest.length > 0) {
    const [opcode = 0, ...after] = rest;
    if (opcode === 0) return null;
    const bits = Array.from({ length: 7 }, (_, at) => opcode >= 128 && (opcode >> at) % 2 === 1);
    const taken = opcode < 128 ? opcode : bits.filter(Boolean).length;
    if (after.length < taken) return null;
    if (opcode < 128) parts.push(Buffer.from(after.slice(0, taken)));
    else {
      const digits = bits.map((bit) => (bit ? (after.shift() ?? 0) : 0));
      const [offset, size] = [digits.slice(0, 4), digits.slice(4)].map((each) =>
        each.reduceRight((value, digit) => value * 256 + digit, 0),
      ) as [number, number];
      const end = offset + (size === 0 ? 65_536 : size);
      if (end > from.length) return null;
      parts.push(from.subarray(offset, end));
    }
    rest = opcode < 128 ? after.slice(taken) : after;
  }
  return Buffer.concat(parts);
}

function outcomeOf(from: Uint8Array, delta: Uint8Array): unknown {
  try {
    return Buffer.from(applyDelta(from, delta));
  } catch (error) {
    return (error as Error).constructor;
  }
}
