import { expect, test } from 'vitest';
import { cutPowerAtEachCall } from './crash-points.ts';
import { EVERY_OTHER_CHANGE, EVERYTHING, SOME_CHANGES, THE_BYTES } from './losses.ts';
import { MERGE, SITUATIONS, SOME_SITUATIONS } from './situations.ts';
import { everySituation } from './situations-config.ts';

const LOCAL = (everySituation ? SITUATIONS : SOME_SITUATIONS).filter(
  ({ placement }) => placement === 'local',
);
const LOSSES = [EVERYTHING, THE_BYTES, ...EVERY_OTHER_CHANGE, ...SOME_CHANGES];

test.for(LOCAL)(
  '$name survives a power cut at each call that changes anything',
  async (situation, { annotate }) => {
    const { points: cuts, states } = await cutPowerAtEachCall(situation, 'changing', LOSSES);
    expect(cuts).toBeGreaterThan(100);
    await annotate(`${cuts} power cuts, ${states} states`);
  },
);

test('a write that merges packs survives a power cut at each such call', async ({ annotate }) => {
  const { points: cuts, states } = await cutPowerAtEachCall(MERGE, 'changing', [
    EVERYTHING,
    ...EVERY_OTHER_CHANGE,
  ]);
  expect(cuts).toBeGreaterThan(100);
  await annotate(`${cuts} power cuts, ${states} states`);
});
