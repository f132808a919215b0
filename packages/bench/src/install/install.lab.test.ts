import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measureInstalls } from './bench-install.ts';

/** At a speed at which the network takes hardly any time: this holds bytes alone. */
const MEGABITS = 1_000;

test('a fresh clone and npx download no more than is aimed at until the first answer of a tool', async () => {
  const repository = fileURLToPath(new URL('../../../..', import.meta.url));
  const measured = await measureInstalls({ megabits: MEGABITS, runs: 1, repository });
  const held = measured.filter(({ aims }) => aims !== null);
  expect(held.map(({ name }) => name)).toEqual(['from a clone', 'by npx']);
  for (const { name, aims, megabytes } of held) {
    expect(megabytes[0], name).toBeGreaterThan(1);
    expect(megabytes[0], name).toBeLessThan(aims?.megabytes ?? 0);
  }
});
