import { createCipheriv } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deflate, deflateAside, deflateInParts, mostBytes, mostBytesOfOthers, shrinks } from './deflate.ts';
import {
  inflate,
  inflateAside,
  inflateBeginning,
  inflateStart,
  inflateThrough,
  inflateWhole,
} from './inflate.ts';

const NOISE = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(700_000));
const TEXT = Buffer.alloc(700_000, 'A line of a page, and of many others.\n');
const SIZES = [0, 1, 50, 4_096, 4_097, 12_287, 12_288, 2 ** 18 - 1, 2 ** 18, 700_000];
const contents = SIZES.flatMap((size) => [NOISE.subarray(0, size), TEXT.subarray(0, size)]);

test('every way to inflate gives back what every way to deflate made, and its length', async () => {
  for (const content of contents) {
    const parts: Uint8Array[] = [];
    await deflateInParts(content, 6, (part) => parts.push(part));
    for (const bytes of [
      deflate(content),
      await deflateAside(content),
      Buffer.concat(parts),
      deflateSync(content),
    ]) {
      expect(bytes.length).toBeLessThanOrEqual(mostBytes(content.length));
      expect(inflateSync(bytes).equals(content)).toBe(true);
      const more = Buffer.concat([bytes, Buffer.from('the next entry')]);
      for (const found of [inflate(more, content.length), await inflateAside(more, content.length)]) {
        if (typeof found === 'string') throw new Error(found);
        expect(found.compressedLength).toBe(bytes.length);
        expect(Buffer.from(found.content).equals(content)).toBe(true);
      }
      const taken: Uint8Array[] = [];
      expect(await inflateThrough(more, content.length, (part) => taken.push(Buffer.from(part)))).toBe(
        bytes.length,
      );
      expect(Buffer.concat(taken).equals(content)).toBe(true);
    }
  }
});

test('cut bytes, damaged bytes and bytes of another size are each refused as what they are', async () => {
  for (const content of [TEXT.subarray(0, 300), TEXT.subarray(0, 300_000), NOISE.subarray(0, 300_000)]) {
    const bytes = deflateSync(content);
    const all = async (given: Uint8Array, size: number) => {
      const through = await inflateThrough(given, size, () => undefined);
      return [inflate(given, size), await inflateAside(given, size), through];
    };
    for (const length of [0, 1, 2, 10, Math.floor(bytes.length / 2), bytes.length - 1])
      expect(await all(bytes.subarray(0, length), content.length), `${length} bytes`).toEqual(
        Array(3).fill('truncated'),
      );
    for (const size of [
      0,
      1,
      content.length - 65,
      content.length - 1,
      content.length + 1,
      content.length + 1000,
    ])
      expect(await all(bytes, size), `size ${size}`).toEqual(Array(3).fill('damaged compression'));
    for (const at of [0, 1, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x20;
      expect(await all(damaged, content.length), `byte ${at}`).toEqual(Array(3).fill('damaged compression'));
    }
    // A stream that needs a dictionary, which git never uses.
    const withDictionary = deflateSync(content, { dictionary: TEXT.subarray(0, 100) });
    expect(await all(withDictionary, content.length)).toEqual(Array(3).fill('damaged compression'));
  }
});

test('content of unknown size is given whole up to a bound, and its beginning always', async () => {
  const bytes = deflateSync(TEXT);
  expect(inflateWhole(bytes, TEXT.length)?.equals(TEXT)).toBe(true);
  expect(inflateWhole(bytes, TEXT.length - 1)).toBeNull();
  expect(inflateWhole(bytes.subarray(0, -1), TEXT.length)).toBeNull();
  expect(inflateWhole(Buffer.from('no such thing'), 100)).toBeNull();
  const cut = bytes.subarray(0, 200);
  const start = inflateStart(cut);
  if (typeof start === 'string') throw new Error(start);
  expect(start.length).toBeGreaterThan(100);
  expect(start.equals(TEXT.subarray(0, start.length))).toBe(true);
  expect(inflateStart(Buffer.from('no such thing'))).toBe('damaged compression');
  for (const most of [1, 40, 64, 1000]) {
    const beginning = await inflateBeginning(bytes, most);
    expect(Buffer.from(beginning as Uint8Array)).toEqual(TEXT.subarray(0, most));
  }
  expect(await inflateBeginning(deflateSync(Buffer.alloc(0)), 40)).toEqual(new Uint8Array(0));
  expect(await inflateBeginning(Buffer.from('no such thing'), 40)).toBe('damaged compression');
});

test('content that does not shrink is stored as it is, with room for other compressors', () => {
  expect([shrinks(TEXT), shrinks(NOISE), shrinks(NOISE.subarray(0, 2 ** 18 - 1))]).toEqual([
    true,
    false,
    true,
  ]);
  // The middle decides.
  const picture = Buffer.concat([
    TEXT.subarray(0, 100_000),
    NOISE.subarray(0, 300_000),
    TEXT.subarray(0, 100_000),
  ]);
  expect(shrinks(picture)).toBe(false);
  const page = Buffer.concat([
    NOISE.subarray(0, 100_000),
    TEXT.subarray(0, 300_000),
    NOISE.subarray(0, 100_000),
  ]);
  expect(shrinks(page)).toBe(true);
  expect([0, 1, 1000, 1001].map(mostBytes)).toEqual([64, 66, 1065, 1067]);
  expect(mostBytesOfOthers(1000)).toBe(3130);
});

test('large content is taken in parts, each of them small, and the level is the one that is asked for', async () => {
  const sizes: number[] = [];
  await deflateInParts(NOISE, 1, (part) => sizes.push(part.length));
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 17);
  const pieces: number[] = [];
  await inflateThrough(deflateSync(TEXT), TEXT.length, (part) => pieces.push(part.length));
  expect(Math.max(...pieces)).toBeLessThanOrEqual(2 ** 17);
  const words = Buffer.from(Array.from({ length: 9_000 }, (_, at) => `word ${(at * 7919) % 1009}`).join(' '));
  for (const content of [words.subarray(0, 3_000), words.subarray(0, 12_000), words]) {
    const length = async (level: number) => {
      let bytes = 0;
      await deflateInParts(content, level, (part) => {
        bytes += part.length;
      });
      return [deflate(content, level).length, (await deflateAside(content, level)).length, bytes];
    };
    const [stored, best] = [await length(0), await length(9)];
    for (const way of [0, 1, 2]) {
      expect(stored[way]).toBeGreaterThan(content.length);
      expect(best[way]).toBeLessThan(content.length);
    }
  }
});
