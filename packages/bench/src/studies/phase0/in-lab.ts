import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LambdaLab, LambdaLabOptions } from '../../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../../labs/lambda-lab/nfs-places.ts';
import { functionDirectory } from '../../../../wiki-lambda/build.ts';
import { invoke } from '../invoke.ts';
import { openJournal } from '../journal.ts';
import { measureInLab } from '../lab.ts';
import { type LabFunction, startLabFunction } from '../lab-function.ts';
import { collectPhase0 } from './collect.ts';
import { type Phase0Plan, phase0Entry } from './entry.ts';
import type { Phase0Call, Phase0Target } from './target.ts';
import { wikiCalls } from './wiki-calls.ts';
import { callsOfFunction } from './wiki-function.ts';

/** Runs inside nfs-lab, beside its server, and measures what the file of results lacks. Its argument is this as JSON. */
export interface Phase0InLab {
  readonly file: string;
  readonly head: Parameters<typeof openJournal>[2];
  readonly rounds: number;
  readonly plan: Phase0Plan;
  /** Python, and where dulwich and AWS's runtime client for Python are installed. */
  readonly python: string;
  readonly pythonPath: string;
}

const job: Phase0InLab = JSON.parse(process.argv[2] ?? '');
const places = nfsPlaces();
const systems = [
  { name: 'ours', open: openOurs },
  { name: 'dulwich', open: openDulwich },
] as const;
await measureInLab(async (surroundings) => {
  const journal = openJournal(job.file, phase0Entry, job.head);
  await collectPhase0(job.rounds, job.plan, systems, journal, surroundings);
});

async function openOurs(): Promise<Phase0Target> {
  const { lab, client, close } = await startFunction({
    code: functionDirectory,
    variables: { PAGETREE_DIR: nfsDirectory, PAGETREE_WIKI: 'main' },
  });
  const { prepare, ...calls } = wikiCalls(callsOfFunction(client, lab.functionArn));
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
  const call = async (event: object) => {
    const { answer, duration_ms, init_ms, wall_ms } = await invoke(client, lab.functionArn, event);
    const cold = init_ms === null ? null : { 'start and import': init_ms, 'first call': duration_ms };
    const timing: Phase0Call = { function_ms: duration_ms + (init_ms ?? 0), wall_ms, cold };
    return { answer, timing };
  };
  await call({ do: 'prepare' });
  return {
    read: async () => (await call({ do: 'read' })).timing,
    initAndCommit: async (name) => {
      const { answer, timing } = await call({ do: 'init_and_commit', name });
      return { ...timing, commit_ms: (answer as { commit_ms: number }).commit_ms };
    },
    commit: async (path) => (await call({ do: 'commit', path })).timing,
    landed: async (paths) => (await call({ do: 'landed', paths })).answer as string[],
    forceCold: () => forceCold(lab),
    close,
  };
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
