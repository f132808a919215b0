import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInNfsLab } from '../../../../../labs/nfs-lab/run-in-lab.ts';

interface Answer {
  pages: number;
  built: boolean;
}

test('an NFS client begins with a snapshot that another one wrote, and never uses a truncated one', async ({
  signal,
}) => {
  const program = fileURLToPath(new URL('./nfs-snapshots.ts', import.meta.url));
  const command = ['node', program, '300', '3'];
  const { answers, cutShort, last, names } = JSON.parse(
    (await runInNfsLab(command, { clients: 2, signal })).stdout,
  ) as { answers: Answer[]; cutShort: number; last: Answer; names: string[] };
  process.stderr.write(`${cutShort} of ${answers.length} snapshots were cut short\n`);
  const first = answers[0]?.pages ?? 0;
  expect(first).toBeGreaterThan(300);
  expect([...answers, last].map(({ pages }) => pages)).toEqual(
    Array.from({ length: answers.length + 1 }, (_, round) => first + round),
  );
  expect(cutShort).toBeGreaterThan(0);
  expect(answers.filter(({ built }) => built)).toHaveLength(cutShort);
  expect(last.built).toBe(false);
  expect(names.filter((name) => !name.startsWith('new-')).length).toBeGreaterThan(0);
});
