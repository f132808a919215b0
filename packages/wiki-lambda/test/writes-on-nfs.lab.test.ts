import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { installRuntimeClient } from '../../../labs/lambda-lab/runtime-client.ts';
import { runInNfsLab } from '../../../labs/nfs-lab/run-in-lab.ts';
import { sampled } from '../../../labs/sample.ts';
import { buildFunction } from '../build.ts';

/** Both are made here, as there is no network in the lab. */
beforeAll(() => Promise.all([buildFunction(), installRuntimeClient()]));

/** Appends to one page at once, and writes among faults. */
const [APPENDS, WRITES] = sampled([50, 60], [10, 32]);

/** Runs one of the programs beside the server, with so many NFS clients. */
async function runBesideServer(
  program: string,
  words: readonly number[],
  clients: number,
  signal: AbortSignal,
) {
  const file = fileURLToPath(new URL(`./in-nfs-lab/${program}`, import.meta.url));
  const { stdout } = await runInNfsLab(['node', file, ...words.map(String)], {
    clients,
    roundTripMs: 1,
    signal,
  });
  return JSON.parse(stdout);
}

test(`five environments on five NFS clients write 15 of 15 at once, and ${APPENDS} of ${APPENDS} lines to one page`, async ({
  signal,
}) => {
  const result = await runBesideServer('concurrent-writes.ts', [5, 3, 5, APPENDS], 5, signal);
  expect(result.refused.join('\n')).toBe('');
  expect(result).toMatchObject({ environments: 5, acknowledged: 15, appended: APPENDS, fsck: '' });
  const written = result.pages.filter((page: string) => page.startsWith('Round '));
  expect(written).toHaveLength(15);
  const lines = Array.from({ length: APPENDS }, (_, i) => `line-${i}`);
  expect(result.logLines.toSorted()).toEqual(lines.toSorted());
  // With 5 environments for more calls most are throttled at first; none of them is lost by it.
  expect(result.failures.throttled).toBeGreaterThan(0);
});

test(`of ${WRITES} writes whose environments are killed and frozen each is made exactly once, and none holds up others`, async ({
  signal,
}) => {
  const result = await runBesideServer('fault-test.ts', [WRITES, 4, 20261121], 10, signal);
  expect(result.answers).toHaveLength(WRITES);
  expect(result.fsck).toBe('');
  for (const [page, lines] of Object.entries<string[]>(result.lines)) {
    const expected = result.answers.filter((answer: { page: string }) => answer.page === page);
    expect(lines.toSorted()).toEqual(expected.map((answer: { line: string }) => answer.line).toSorted());
  }
  const commits = new Set(result.answers.map((answer: { commit: string }) => answer.commit));
  expect(commits.size).toBe(WRITES);
  for (const kind of ['kill: crash', 'kill: timeout', 'kill: memory', 'freeze', 'lose-reply']) {
    expect(result.faults[kind]).toBeGreaterThan(0);
  }
  // Freezes during which others wrote: without them the test would show nothing of who holds up whom.
  expect(result.outlived).toBeGreaterThan(0);
});
