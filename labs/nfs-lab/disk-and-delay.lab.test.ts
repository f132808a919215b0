import { expect, test } from 'vitest';
import { runInNfsLab, runProgramInNfsLab } from './run-in-lab.ts';

test('the round-trip time is added to each round trip', async ({ signal }) => {
  const program = new URL('./round-trip.ts', import.meta.url);
  const milliseconds = await runProgramInNfsLab(program, [], { roundTripMs: 50, signal });
  expect(milliseconds).toBeGreaterThanOrEqual(50);
});

test('the disk holds a file of 1,000 MiB when it is asked for', async ({ signal }) => {
  const write = ['in-client', '1', 'dd', 'if=/dev/zero', 'of=/mnt/efs/large', 'bs=1M', 'count=1000'];
  const { stdout } = await runInNfsLab(
    ['bash', '-c', `${write.join(' ')} && stat -c %s /run/srv/wikis/large`],
    { diskMib: 1500, signal },
  );
  expect(stdout).toBe(`${1000 * 1024 * 1024}\n`);
});
