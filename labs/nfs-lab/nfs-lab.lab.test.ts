import { expect, test } from 'vitest';
import { runInNfsLab, runProgramInNfsLab } from './run-in-lab.ts';

test('an operation costs exactly the RPCs that the README names, each time', async ({ signal }) => {
  const prices = await runProgramInNfsLab(new URL('./prices.ts', import.meta.url), [], { signal });
  expect(prices).toEqual({
    'mkdir + write a loose object': [5, 5],
    'temporary file + fsync + rename': [4, 4],
    'temporary file + fsync + link + unlink': [5, 5],
    'lock: exclusive create + close + unlink': [4, 4],
    symlink: [1, 1],
    'read a small file': [2, 2],
  });
});

test('five clients share one disk and each has a cache of its own', async ({ signal }) => {
  const write =
    'for i in 1 2 3 4 5; do in-client $i sh -c "hostname > /mnt/efs/$i"; done; cat /run/srv/wikis/*';
  const look = 'in-client 1 cat /mnt/efs/late || echo missed; in-client 2 touch /mnt/efs/late';
  const lookAgain =
    'in-client 1 cat /mnt/efs/late || echo missed; in-client 3 cat /mnt/efs/late && echo seen';
  const script = [write, look, lookAgain].join('\n');
  const { stdout } = await runInNfsLab(['bash', '-c', script], { clients: 5, signal });
  const clients = [1, 2, 3, 4, 5].map((client) => `client-${client}`);
  expect(stdout.split('\n')).toEqual([...clients, 'missed', 'missed', 'seen', '']);
});

test('a failed command is an error with its exit status and output', async ({ signal }) => {
  const command = ['bash', '-c', 'echo the reason >&2; exit 7'];
  await expect(runInNfsLab(command, { signal })).rejects.toThrow(/ended with 7.*\nthe reason\n/);
});

test('a lab that cannot start says why', async ({ signal }) => {
  await expect(runInNfsLab(['true'], { diskMib: 900_000_000, signal })).rejects.toThrow(
    /could not run.*\n.*the guest's memory is 900000768 MiB, and neither \/dev\/shm nor \S+ has as much free/,
  );
});
