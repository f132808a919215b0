import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { installPythonPackages } from '../../../../../labs/requirements.ts';
import { buildFunction } from '../../../../wiki-lambda/build.ts';
import { DULWICH } from '../../storage/prepare.ts';
import { bundleOf } from '../bundles.ts';
import { openJournal } from '../journal.ts';
import { runStudyInLab } from '../lab.ts';
import type { Job, Study } from '../study.ts';
import type { Surroundings } from '../surroundings.ts';
import { collectPhase0, type Phase0System } from './collect.ts';
import { type Phase0Plan, phase0Entry, publishedPlan } from './entry.ts';
import type { Phase0InLab } from './in-lab.ts';
import { openLocalPhase0 } from './local.ts';
import { reportPhase0 } from './report.ts';

/** `pnpm bench phase0`: git on a shared file system, through Lambda. */
export const phase0: Study<Phase0Plan> = {
  name: 'phase0',
  rounds: 1,
  plan: publishedPlan,
  collect: {
    local: (job, surroundings) => collectHere(job, () => openLocalPhase0(tmpdir()), surroundings),
    lab: collectInLab,
    aws: collectOnAws,
  },
  standIns: {
    local: [
      'For Lambda this process; for the network nothing, so that wall time is the time of the function.',
      'For EFS a folder on the local disk.',
      'For a cold start the wiki is closed and opened anew, in a process that runs already.',
    ],
    lab: [
      "For Lambda the Lambda lab: AWS's runtime clients for Node and Python, a process for each execution environment.",
      'For EFS the NFS lab: NFSv4.1 of Linux with a RAM disk behind it; a mount for each environment, at an added round-trip time.',
      'For a change of an environment variable all environments are ended, and all caches of the machine are dropped.',
      'For the one call of a cold start, in which the published function made a repository, committed, read and read the log, four calls of ours, one an operation; dulwich does it in one.',
      'Beside ours and dulwich an empty function for Node, to show what the runtime itself takes.',
      'For the network to AWS a connection within one machine.',
    ],
    aws: [],
  },
  report: reportPhase0,
};

async function collectHere(
  job: Job<Phase0Plan>,
  open: Phase0System['open'],
  surroundings: Surroundings,
  beside: readonly Phase0System[] = [],
): Promise<void> {
  const journal = openJournal(job.file, phase0Entry, headOf(job));
  await collectPhase0(
    job.options.rounds,
    job.plan,
    [{ name: 'ours', open }, ...beside],
    journal,
    surroundings,
  );
}

/** Earlier results have cold starts that only read a page: they do not go into one file with these. */
function headOf({ head }: Pick<Job<Phase0Plan>, 'head'>): Job<Phase0Plan>['head'] {
  return { ...head, parameters: { ...head.parameters, cold_work: 'init, commit, read, log' } };
}

/** Loaded when it is asked for: nothing else here needs AWS. */
async function collectOnAws(job: Job<Phase0Plan>, surroundings: Surroundings): Promise<void> {
  const { region, stack } = job.options.aws;
  const { openAws } = await import('../../aws/aws.ts');
  const { openAwsPhase0 } = await import('../../aws/targets/phase0.ts');
  const { systemsBeside } = await import('../../aws/targets/phase0-beside.ts');
  const open = () => openAws({ region });
  const beside = await systemsBeside(open);
  if (beside.length === 0)
    surroundings.progress(
      'dulwich is not measured: its function is in the stack that `pnpm bench deploy` makes.',
    );
  await collectHere(job, async () => openAwsPhase0(await open(), stack), surroundings, beside);
}

async function collectInLab({ options, plan, file, head }: Job<Phase0Plan>, surroundings: Surroundings) {
  surroundings.progress('Preparing the lab: the function, dulwich, and AWS runtime clients.');
  await buildFunction();
  const pythonPath = await installPythonPackages([DULWICH, 'awslambdaric==4.2.2']);
  // The program on the path may be a script that chooses among several Pythons, which is not part of a cold
  // start.
  const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']);
  const job: Phase0InLab = {
    file,
    head: headOf({ head }),
    rounds: options.rounds,
    plan,
    python: stdout.trim(),
    pythonPath,
    empty: (await bundleOf('empty', new URL('./empty-main.ts', import.meta.url))).directory,
  };
  const { roundTripMs } = options;
  await runStudyInLab(
    new URL('./in-lab.ts', import.meta.url),
    job,
    { clients: 5, roundTripMs },
    surroundings,
  );
}
