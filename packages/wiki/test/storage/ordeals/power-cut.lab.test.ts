import { expect, test } from 'vitest';
import { cutThePowerOfAnOrdeal } from './crash-points.ts';
import { EVERY_OTHER_CHANGE, EVERYTHING, SOME_CHANGES, THE_BYTES } from './losses.ts';
import { MERGE, ORDEALS } from './ordeals.ts';

const LOCAL = ORDEALS.filter(({ placement }) => placement === 'local');
const LOSSES = [EVERYTHING, THE_BYTES, ...EVERY_OTHER_CHANGE, ...SOME_CHANGES];

test.for(LOCAL)(
  '$name survives a power cut at each call that changes anything',
  async (ordeal, { annotate }) => {
    const { points: cuts, states } = await cutThePowerOfAnOrdeal(ordeal, 'changing', LOSSES);
    expect(cuts).toBeGreaterThan(100);
    await annotate(`${cuts} power cuts, ${states} states`);
  },
);

test('a write that merges packs survives a power cut at each such call', async ({ annotate }) => {
  const { points: cuts, states } = await cutThePowerOfAnOrdeal(MERGE, 'changing', [
    EVERYTHING,
    ...EVERY_OTHER_CHANGE,
  ]);
  expect(cuts).toBeGreaterThan(100);
  await annotate(`${cuts} power cuts, ${states} states`);
});
