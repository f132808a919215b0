import { expect, test, vi } from 'vitest';
import { crashAnOrdeal, crashTheCreation } from './crash-points.ts';
import { ORDEALS } from './ordeals.ts';

// Many short steps, each with a native git of its own: long on a machine that does other things too.
vi.setConfig({ testTimeout: 1_800_000 });

test.for(ORDEALS)(
  '$name survives a crash at each call that changes anything',
  async (ordeal, { annotate }) => {
    const { points, states } = await crashAnOrdeal(ordeal, 'changing');
    expect(points).toBeGreaterThan(10);
    await annotate(`${points} crash points, ${states} states`);
  },
);

test('the making of a repository survives a crash at each call that changes anything', async ({
  annotate,
}) => {
  const { points, states } = await crashTheCreation('changing');
  expect(points).toBeGreaterThan(10);
  await annotate(`${points} crash points, ${states} states`);
});
