import { expect, test } from 'vitest';
import { measureGrowth } from './bench-growth.ts';

test('after 750 writes and ten nights the wiki is small and a new client reads quickly', async ({
  annotate,
}) => {
  const plan = { writes: 750, flat: false, writesPerNight: 75, pagesOfEachAge: 3 };
  const { growth, coldReads } = await measureGrowth(plan, true);
  const { nights, bytes, retired, gcBytes } = growth;
  await annotate(
    `${(bytes / gcBytes).toFixed(2)} times git gc, ${((bytes + retired.bytes) / gcBytes).toFixed(2)} times with ${retired.packs} packs that are kept for a day; first reads: ${coldReads.map(({ rpcs }) => rpcs).join(', ')} RPCs`,
  );
  expect(nights).toHaveLength(10);
  for (const { packsAfter } of nights) expect(packsAfter).toBeLessThanOrEqual(8);
  expect(bytes / gcBytes).toBeLessThanOrEqual(3);
  expect(coldReads).toHaveLength(12);
  for (const { rpcs, bytesRead } of coldReads) {
    expect(rpcs).toBeLessThanOrEqual(32);
    expect(bytesRead).toBeLessThanOrEqual(2_000_000);
  }
});
