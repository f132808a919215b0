import { expect, test } from 'vitest';
import { runProgramInNfsLab } from '../../../../../labs/nfs-lab/run-in-lab.ts';

test('200 pages in one commit cost the round trips of one write', async ({ signal }) => {
  const program = new URL('./batch-client.ts', import.meta.url);
  const costs = (await runProgramInNfsLab(program, [], { clients: 1, signal })) as {
    batch: number;
    single: number;
  };
  process.stderr.write(`200 pages: ${costs.batch} RPCs in one commit, ${costs.single} one by one\n`);
  expect(costs.batch).toBeLessThanOrEqual(40);
  expect(costs.single).toBeGreaterThan(costs.batch * 20);
});
