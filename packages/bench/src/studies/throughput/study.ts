import { tmpdir } from 'node:os';
import { bundle } from '../bundles.ts';
import { collectHere } from '../collect-here.ts';
import { runStudyInLab } from '../lab.ts';
import type { Job, Study, StudyOptions } from '../study.ts';
import type { Surroundings } from '../surroundings.ts';
import { collectThroughput } from './collect.ts';
import { publishedPlan, type ThroughputPlan, throughputEntry } from './entry.ts';
import type { ThroughputInLab } from './in-lab.ts';
import { openLocalThroughput } from './local.ts';
import { reportThroughput } from './report.ts';
import type { ThroughputTarget } from './target.ts';
import { newFileSystem } from './token-bucket.ts';

const { credits_mib, baseline_mib_per_s, burst_mib_per_s } = newFileSystem;
const model = `The difference of the modes is a model, not EFS. Bursting: a token bucket with the numbers of AWS's documentation for a new file system, BurstCreditBalance ${(credits_mib / 2 ** 20).toFixed(1)} TiB, baseline ${baseline_mib_per_s} MiB/s, burst ${burst_mib_per_s} MiB/s; a file is written when the file system has it and the bucket allows it, whichever is later. Elastic: no limit but what stands for the file system has.`;

/** `pnpm bench throughput`: Elastic against Bursting. */
export const throughput: Study<ThroughputPlan> = {
  name: 'throughput',
  rounds: 1,
  plan: publishedPlan,
  collect: {
    local: (job, surroundings) => collect(job, () => openLocalThroughput(tmpdir()), surroundings),
    lab: collectInLab,
    aws: (job, surroundings) => collect(job, () => openOnAws(job.options.aws), surroundings),
  },
  standIns: {
    local: [
      'For the functions this process; for their file systems two folders on the local disk, where closing a file does not wait for the disk.',
      model,
    ],
    lab: [
      "For the functions two of the Lambda lab, of one bundle, in AWS's runtime client for Node.",
      'For their file systems two directories of one NFS lab (NFSv4.1 of Linux with a RAM disk behind it, at an added round-trip time), each reached by an NFS client of its own.',
      model,
    ],
    aws: [],
  },
  report: reportThroughput,
};

function collect(
  job: Job<ThroughputPlan>,
  open: () => Promise<ThroughputTarget>,
  surroundings: Surroundings,
) {
  return collectHere(job, throughputEntry, collectThroughput, open, surroundings);
}

/** Loaded when it is asked for: nothing else here needs AWS. */
async function openOnAws({ region }: StudyOptions['aws']): Promise<ThroughputTarget> {
  const { openAws } = await import('../../aws/aws.ts');
  const { openAwsThroughput } = await import('../../aws/targets/throughput.ts');
  return openAwsThroughput(await openAws({ region }));
}

/** The space that the kernel and the disk's journal need besides the files. */
const SPARE_MIB = 300;

async function collectInLab({ options, plan, file, head }: Job<ThroughputPlan>, surroundings: Surroundings) {
  surroundings.progress('Preparing the lab: the function.');
  const job: ThroughputInLab = {
    file,
    head,
    rounds: options.rounds,
    plan,
    function: await bundle('throughput'),
  };
  // One set is there at a time. The guest's memory grows with its disk, and must hold the clients' copy of the set too:
  // a kernel that is its own NFS client stalls for minutes when it has no memory left for what it writes to itself.
  const largest = Math.max(...plan.sets.map(({ bytes, files }) => bytes * files));
  const diskMib = Math.ceil((largest / 2 ** 20) * 2.5) + SPARE_MIB;
  const { roundTripMs } = options;
  await runStudyInLab(
    new URL('./in-lab.ts', import.meta.url),
    job,
    { clients: 2, roundTripMs, diskMib },
    surroundings,
  );
}
