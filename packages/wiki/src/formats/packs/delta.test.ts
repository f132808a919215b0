import { expect, test } from 'vitest';
import { lengthBytes } from '../../../test/git-input/bundles.ts';
import { applyDelta } from './delta.ts';

test('a copy instruction without a size copies 64 KiB', () => {
  const base = Buffer.from(Array.from({ length: 0x10000 + 10 }, (_, at) => at % 251));
  // Copies from the offset 7, which is the one byte of it that is there.
  const copy = Buffer.from([0x81, 7]);
  const delta = Buffer.concat([lengthBytes(base.length), lengthBytes(0x10000), copy]);
  expect(Buffer.from(applyDelta(base, delta)).equals(base.subarray(7, 7 + 0x10000))).toBe(true);
});
