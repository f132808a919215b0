import { expect, test } from 'vitest';
import { measureInLab } from './measured-in-lab.ts';

test('a write waits for 8 round trips, one after another', async ({ signal }) => {
  const roundTripMs = 40;
  const cost = await measureInLab({ ours: { write: 20 } }, { signal, roundTripMs });
  expect(cost('write').median / roundTripMs).toBeLessThan(8.9);
});

test('a write has a quarter of the round trips of dulwich and takes a quarter of its time', async ({
  signal,
}) => {
  const cost = await measureInLab(
    { ours: { write: 40 }, dulwich: { write: 40 } },
    { signal, roundTripMs: 1 },
  );
  const [own, theirs] = [cost('write'), cost('write', 'dulwich')];
  expect(theirs.rpcsMean / own.rpcsMean).toBeGreaterThanOrEqual(4);
  expect(theirs.median / own.median).toBeGreaterThanOrEqual(4);
});
