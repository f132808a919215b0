import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJournal } from '../journal.ts';
import { runStudy } from '../study.ts';
import { testOptions } from '../testing.ts';
import { jitterEntry } from './entry.ts';
import { jitter } from './study.ts';

// A cold start on the lab is that of a guest, which takes many seconds.
test.each([
  ['local', 2],
  ['lab', 1],
] as const)('on %s both services read from both stores, cold', async (target, rounds) => {
  const { signal } = new AbortController();
  const options = testOptions(target, rounds);
  const report = await runStudy(jitter, options, { sizes_mib: [1, 4] }, { signal, progress: () => {} });

  const { entries } = parseJournal(
    readFileSync(join(options.out, `jitter-${target}.ndjson`), 'utf8'),
    jitterEntry,
  );
  expect(entries.map(({ service, store }) => `${service} from ${store}`)).toEqual([
    ...Array.from({ length: rounds }).flatMap(() => [
      'lambda from efs',
      'fargate from efs',
      'lambda from s3',
      'fargate from s3',
    ]),
  ]);
  expect(entries.every(({ cold }) => cold)).toBe(true);
  expect(new Set(entries.map(({ instance }) => instance)).size).toBe(entries.length);
  expect(readFileSync(report, 'utf8')).toContain(
    `${4 * rounds} reads, each of one file to its end, all from cold starts`,
  );
});
