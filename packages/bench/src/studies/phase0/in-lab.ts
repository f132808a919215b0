import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LambdaLab, LambdaLabOptions } from '../../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../../labs/lambda-lab/nfs-places.ts';
import { functionDirectory } from '../../../../wiki-lambda/build.ts';
import { type LabJob, labJob, measureInLab } from '../lab.ts';
import { type LabFunction, startLabFunction } from '../lab-function.ts';
import { collectPhase0 } from './collect.ts';
import { type Phase0Plan, phase0Entry } from './entry.ts';
import { emptyCalls, openDulwichCalls } from './plain-functions.ts';
import type { Phase0Target } from './target.ts';
import { phasesIn } from './trace-phases.ts';
import { wikiCalls } from './wiki-calls.ts';
import { callsOfFunction } from './wiki-function.ts';

/** Runs inside nfs-lab, beside its server. */
export interface Phase0InLab extends LabJob<Phase0Plan> {
  /** Python, and where dulwich and AWS's runtime client for Python are installed. */
  readonly python: string;
  readonly pythonPath: string;
  /** The directory of the empty function. */
  readonly empty: string;
}

const job = labJob<Phase0InLab>();
const places = nfsPlaces();
const systems = [
  { name: 'ours', open: openOurs },
  { name: 'dulwich', open: openDulwich },
  { name: 'empty', open: openEmpty, kinds: ['cold', 'read'] },
] as const;
await measureInLab(job, phase0Entry, async (journal, surroundings) => {
  await collectPhase0(job.rounds, job.plan, systems, journal, surroundings);
});

async function openOurs(): Promise<Phase0Target> {
  const { lab, client, close } = await startFunction({
    code: functionDirectory,
    variables: { PAGETREE_DIR: nfsDirectory, PAGETREE_WIKI: 'main' },
  });
  const { prepare, ...calls } = wikiCalls(
    callsOfFunction(client, lab.functionArn, { call: async (id) => phasesIn(lab.traceDocuments, id) }),
  );
  await prepare();
  return { ...calls, forceCold: () => forceCold(lab), close };
}

async function openDulwich(): Promise<Phase0Target> {
  const { lab, client, close } = await startFunction({
    code: fileURLToPath(new URL('./dulwich-function', import.meta.url)),
    runtime: [job.python, '-m', 'awslambdaric', 'index.handler'],
    variables: {
      DULWICH_DIRECTORY: `${nfsDirectory}/dulwich`,
      PYTHONPATH: job.pythonPath,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  return { ...(await openDulwichCalls(client, lab.functionArn)), forceCold: () => forceCold(lab), close };
}

async function openEmpty(): Promise<Phase0Target> {
  const { lab, client, close } = await startFunction({ code: job.empty });
  return { ...emptyCalls(client, lab.functionArn), forceCold: () => forceCold(lab), close };
}

function startFunction(
  options: Pick<LambdaLabOptions, 'code' | 'runtime' | 'variables'>,
): Promise<LabFunction> {
  return startLabFunction({ ...options, places, concurrency: 5, timeoutMs: 60_000 });
}

/** A new environment has a new mount, with nothing in its cache: here one kernel serves them all, and forgets. */
async function forceCold(lab: LambdaLab): Promise<void> {
  await lab.recycle();
  await writeFile('/proc/sys/vm/drop_caches', '3');
}
