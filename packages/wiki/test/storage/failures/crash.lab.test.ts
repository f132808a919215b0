import { expect, test } from 'vitest';
import { crashAtEachCall, crashTheCreation } from './crash-points.ts';
import { MERGE, SITUATIONS, SOME_SITUATIONS } from './situations.ts';
import { everySituation } from './situations-config.ts';

test.for(everySituation ? SITUATIONS : SOME_SITUATIONS)(
  '$name survives a crash before, in and after each call',
  async (situation, { annotate }) => {
    const { points, states } = await crashAtEachCall(situation, 'all');
    expect(points).toBeGreaterThan(50);
    await annotate(`${points} crash points, ${states} states`);
  },
);

test('the making of a repository survives a crash before, in and after each call', async ({ annotate }) => {
  const { points, states } = await crashTheCreation('all');
  expect(points).toBeGreaterThan(50);
  await annotate(`${points} crash points, ${states} states`);
});

test('a write that merges packs survives a crash at each call that changes anything', async ({
  annotate,
}) => {
  const { points, states } = await crashAtEachCall(MERGE, 'changing');
  expect(points).toBeGreaterThan(50);
  await annotate(`${points} crash points, ${states} states`);
});
