import { expect, test, vi } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { crashAtEachCall, crashTheCreation } from './crash-points.ts';
import { SITUATIONS } from './situations.ts';

// Many short steps, each with a native git of its own: long on a machine that does other things too.
vi.setConfig({ testTimeout: 1_800_000 });

const FEWEST = sampled(10, 3);

test.for(SITUATIONS)(
  '$name survives a crash at each call that changes anything',
  async (situation, { annotate }) => {
    const { points, states } = await crashAtEachCall(situation, 'changing');
    expect(points).toBeGreaterThan(FEWEST);
    await annotate(`${points} crash points, ${states} states`);
  },
);

test('the making of a repository survives a crash at each call that changes anything', async ({
  annotate,
}) => {
  const { points, states } = await crashTheCreation('changing');
  expect(points).toBeGreaterThan(FEWEST);
  await annotate(`${points} crash points, ${states} states`);
});
