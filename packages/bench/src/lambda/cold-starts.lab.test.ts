import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installRuntimeClient } from '../../../../labs/lambda-lab/runtime-client.ts';
import { totalRpcs } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { buildFunction, functionDirectory } from '../../../wiki-lambda/build.ts';
import { sampleWiki } from '../storage/prepare.ts';
import type { ColdStart, Plan, PlannedStart } from './cold-starts.ts';

const PAGES = 1_000;

test('an environment opens its wiki before it is called, and the first read asks for little more', async ({
  signal,
}) => {
  // Here, as there is no network in the lab.
  await Promise.all([buildFunction(), installRuntimeClient()]);
  const starts = Array.from({ length: 3 }, (): PlannedStart => ({ roundTripMs: 0, way: 'parted' }));
  const wiki = await sampleWiki({ pages: PAGES, commits: PAGES });
  const plan: Plan = { wiki, pages: PAGES, code: functionDirectory, starts };
  const program = fileURLToPath(new URL('./cold-starts.ts', import.meta.url));
  const command = ['node', program, JSON.stringify(plan)];
  const { stdout } = await runInNfsLab(command, { clients: starts.length, signal });
  // The first start of all makes what the wiki keeps beside native git's own files.
  const [, ...measured]: ColdStart[] = JSON.parse(stdout);
  for (const { asked } of measured) {
    if (asked === null) throw new Error('The start was not counted.');
    expect(totalRpcs(asked.open)).toBeLessThanOrEqual(28);
    expect(totalRpcs(asked.read)).toBeLessThanOrEqual(6);
  }
});
