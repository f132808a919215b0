import { expect, test } from 'vitest';
import { callLimits } from './call-limits.ts';

test.each([
  [256, 19_573_419, 11_744_051],
  [512, 100_000_000, 65_431_142],
  [1_769, 100_000_000, 100_000_000],
  [128, 4_500_000, 4_500_000],
])('an environment of %i MiB takes so much in one call', (memoryMib, uploadBytes, unpackedBytes) => {
  expect(callLimits(memoryMib)).toEqual({ attachmentBytes: 4_500_000, uploadBytes, unpackedBytes });
});
