import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { deflate, deflateAside } from './deflate.ts';

it('gives the same bytes in another thread, for any size', async () => {
  const mixed = Buffer.concat(
    Array.from({ length: 40_000 }, (_, line) => {
      const digest = createHash('sha1').update(`${line}`).digest();
      return Buffer.concat([Buffer.from(`100644 Page ${line % 100}.md\0`), digest]);
    }),
  );
  for (const length of [0, 1, 4096, 12_287, 12_288, 70_000, mixed.length]) {
    const content = mixed.subarray(0, length);
    for (const level of [1, 6])
      expect(Buffer.compare(await deflateAside(content, level), deflate(content, level))).toBe(0);
  }
});
