import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('lets others go first again and again while work takes long', async () => {
  const turns = new Turns();
  let turnsOfOthers = 0;
  for (let step = 1; step <= 5; step += 1) {
    setImmediate(() => {
      turnsOfOthers += 1;
    });
    const began = performance.now();
    while (performance.now() - began < 2);
    await turns.breathe();
    expect(turnsOfOthers).toBe(step);
  }
});
