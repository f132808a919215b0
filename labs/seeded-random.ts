import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { randomNumbers } from './wikis/wiki-text.ts';

const SEED = Number(process.env.PAGETREE_SEED ?? randomInt(2 ** 31));

/** Numbers from 0 up to 1 for what the running test chooses at random: see `testSeed`. */
export function testRandom(): () => number {
  return randomNumbers(testSeed());
}

/** A seed for what the running test chooses at random. If the test fails, it says how to choose the same again. */
export function testSeed(): number {
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? [])
      error.message += `\nPAGETREE_SEED=${SEED} chooses the same again.`;
  });
  return SEED;
}

/** Chooses an item at random for the running test. Throws if there is none. */
export function testPick(): <Item>(items: readonly Item[]) => Item {
  const random = testRandom();
  return (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
}
