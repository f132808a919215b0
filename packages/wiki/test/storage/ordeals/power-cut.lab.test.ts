import { expect, test } from 'vitest';
import { cutThePowerOfAnOrdeal } from './crash-points.ts';
import { EVERY_OTHER_CHANGE, EVERYTHING, SOME_CHANGES, THE_BYTES } from './losses.ts';
import { ORDEALS } from './ordeals.ts';

const LOCAL = ORDEALS.filter(({ placement }) => placement === 'local');
const LOSSES = [EVERYTHING, THE_BYTES, ...EVERY_OTHER_CHANGE, ...SOME_CHANGES];

test.for(LOCAL)('$name survives a power cut before, in and after each call', async (ordeal, { annotate }) => {
  const cuts = await cutThePowerOfAnOrdeal(ordeal, 'all', LOSSES);
  expect(cuts).toBeGreaterThan(100);
  await annotate(`${cuts} power cuts`);
});
