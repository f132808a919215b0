import { expect, test } from 'vitest';
import { measureInLab } from './measured-in-lab.ts';

test('a wiki of ten times the pages costs a warm client the same round trips', async ({ signal }) => {
  const counts = { write: 60, read_again: 40, read_other: 40 };
  const plan = { workingPages: 1000, warmUp: 200 };
  const small = { pages: 1000, commits: 1000 };
  const smallPlan = { ...plan, shape: small };
  const few = await measureInLab({ ours: counts }, { signal, plan: smallPlan });
  const many = await measureInLab({ ours: counts }, { signal, plan });
  for (const operation of ['write', 'read_again', 'read_other'] as const) {
    expect(Math.abs(many(operation).rpcsMean - few(operation).rpcsMean)).toBeLessThanOrEqual(0.5);
  }
});
