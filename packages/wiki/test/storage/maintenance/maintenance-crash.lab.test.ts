import { expect, test } from 'vitest';
import { crashAnOrdeal, cutThePowerOfAnOrdeal } from '../ordeals/crash-points.ts';
import { EVERYTHING } from '../ordeals/losses.ts';
import { maintenanceOf } from './maintenance-ordeal.ts';

const BOTH = [maintenanceOf('local'), maintenanceOf('shared')];

test.for(BOTH)('$name survives a crash before, in and after each call', async (ordeal, { annotate }) => {
  const { points, states } = await crashAnOrdeal(ordeal, 'all');
  expect(points).toBeGreaterThan(200);
  await annotate(`${points} crash points, ${states} states`);
});

// NFS keeps what it has answered: there is no such power cut.
test.for(BOTH.slice(0, 1))(
  '$name survives a power cut at each call that changes anything',
  async (ordeal, { annotate }) => {
    const { points: cuts, states } = await cutThePowerOfAnOrdeal(ordeal, 'changing', [EVERYTHING]);
    // How much of what the others write it meets varies.
    expect(cuts).toBeGreaterThan(20);
    await annotate(`${cuts} power cuts, ${states} states`);
  },
);
