import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJournal } from '../journal.ts';
import { runStudy } from '../study.ts';
import { testOptions } from '../testing.ts';
import { type JitterPlan, jitterEntry } from './entry.ts';
import { jitterTargets } from './lab-test-config.ts';
import { jitter } from './study.ts';

const plan: JitterPlan = { sizes_mib: [1, 4], bursts: { tasks: 3, size_mib: 4, everyRounds: 1 } };

test.each(jitterTargets)(
  'on %s both services read from both stores, cold, and tasks in bursts',
  async (target, rounds) => {
    const { signal } = new AbortController();
    const options = testOptions(target, rounds);
    const report = await runStudy(jitter, options, plan, { signal, progress: () => {} });

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
        ...Array.from({ length: plan.bursts.tasks }, () => 'fargate from efs'),
      ]),
    ]);
    const bursts = Map.groupBy(
      entries.filter(({ burst }) => burst !== undefined),
      ({ burst }) => burst?.id,
    );
    expect(
      [...bursts.values()].map((own) => own.map(({ burst, size_mib: size }) => [burst?.tasks, size])),
    ).toEqual(
      Array.from({ length: rounds }, () => [
        [3, 4],
        [3, 4],
        [3, 4],
      ]),
    );
    expect(entries.every(({ cold }) => cold)).toBe(true);
    expect(new Set(entries.map(({ instance }) => instance)).size).toBe(entries.length);
    expect(readFileSync(report, 'utf8')).toContain(
      `${(4 + 3) * rounds} reads, each of one file to its end, all from cold starts`,
    );
  },
);
