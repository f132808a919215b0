import { expect, test } from 'vitest';
import { crashAnOrdeal, crashTheCreation } from './crash-points.ts';
import { MERGE, ORDEALS } from './ordeals.ts';

test.for(ORDEALS)('$name survives a crash before, in and after each call', async (ordeal, { annotate }) => {
  const { points, states } = await crashAnOrdeal(ordeal, 'all');
  expect(points).toBeGreaterThan(50);
  await annotate(`${points} crash points, ${states} states`);
});

test('the making of a repository survives a crash before, in and after each call', async ({ annotate }) => {
  const { points, states } = await crashTheCreation('all');
  expect(points).toBeGreaterThan(50);
  await annotate(`${points} crash points, ${states} states`);
});

test('a write that merges packs survives a crash at each call that changes anything', async ({
  annotate,
}) => {
  const { points, states } = await crashAnOrdeal(MERGE, 'changing');
  expect(points).toBeGreaterThan(50);
  await annotate(`${points} crash points, ${states} states`);
});
