import { expect, test } from 'vitest';
import { crashAtEachCall, cutPowerAtEachCall } from '../failures/crash-points.ts';
import { EVERYTHING } from '../failures/losses.ts';
import { maintenanceOf } from './maintenance-situation.ts';

const BOTH = [maintenanceOf('local'), maintenanceOf('shared')];

test.for(BOTH)('$name survives a crash before, in and after each call', async (situation, { annotate }) => {
  const { points, states } = await crashAtEachCall(situation, 'all');
  expect(points).toBeGreaterThan(200);
  await annotate(`${points} crash points, ${states} states`);
});

// NFS keeps what it has answered: there is no such power cut.
test.for(BOTH.slice(0, 1))(
  '$name survives a power cut at each call that changes anything',
  async (situation, { annotate }) => {
    const { points: cuts, states } = await cutPowerAtEachCall(situation, 'changing', [EVERYTHING]);
    // How much of what the others write it meets varies.
    expect(cuts).toBeGreaterThan(20);
    await annotate(`${cuts} power cuts, ${states} states`);
  },
);
