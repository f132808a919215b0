import { tmpdir } from 'node:os';
import { installS3Server } from '../../../../../labs/s3-server.ts';
import { bundle } from '../bundles.ts';
import { collectHere } from '../collect-here.ts';
import { runStudyInLab } from '../lab.ts';
import type { Job, Study, StudyOptions } from '../study.ts';
import type { Surroundings } from '../surroundings.ts';
import { collectJitter } from './collect.ts';
import { type JitterPlan, jitterEntry, publishedPlan } from './entry.ts';
import type { JitterInLab } from './in-lab.ts';
import { openLocalJitter } from './local.ts';
import { reportJitter } from './report.ts';
import type { JitterTarget } from './target.ts';

/** `pnpm bench jitter`: network reads from cold starts. */
export const jitter: Study<JitterPlan> = {
  name: 'jitter',
  rounds: 30,
  plan: publishedPlan,
  collect: {
    local(job, surroundings) {
      surroundings.progress('Making the files.');
      return collect(job, () => openLocalJitter(tmpdir(), job.plan.sizes_mib), surroundings);
    },
    lab: collectInLab,
    aws: (job, surroundings) => collect(job, () => openOnAws(job.options.aws), surroundings),
  },
  standIns: {
    local: [
      'For Lambda and for Fargate alike a new process of the probe on this machine.',
      "For EFS a folder on the local disk, most of it in this machine's memory.",
      'For S3 an HTTP server in this process, which answers with the files of that folder.',
    ],
    lab: [
      "For Lambda the Lambda lab, with AWS's runtime client for Node and a new execution environment for each read.",
      'For Fargate a process of the same bundle, by its hash, on an NFS client of its own; each task of a burst has its own client.',
      'For EFS the NFS lab: NFSv4.1 of Linux with a RAM disk behind it, at an added round-trip time.',
      'For S3 versitygw, an S3 server, on the same disk and at the same round-trip time, over HTTP without TLS.',
      'Before each read all caches of the machine are dropped. Clients and servers share one processor, so that throughput shows what this machine can copy, not what AWS can.',
    ],
    aws: [],
  },
  report: reportJitter,
};

function collect(job: Job<JitterPlan>, open: () => Promise<JitterTarget>, surroundings: Surroundings) {
  return collectHere(job, jitterEntry, collectJitter, open, surroundings);
}

/** Loaded when it is asked for: nothing else here needs AWS. */
async function openOnAws({ region }: StudyOptions['aws']): Promise<JitterTarget> {
  const { openAws } = await import('../../aws/aws.ts');
  const { openAwsJitter } = await import('../../aws/targets/jitter.ts');
  return openAwsJitter(await openAws({ region }));
}

/** The space that the kernel, the disk's journal and the probe's own processes need besides the files. */
const SPARE_MIB = 300;

async function collectInLab({ options, plan, file, head }: Job<JitterPlan>, surroundings: Surroundings) {
  surroundings.progress('Preparing the lab: the probe and the S3 server.');
  const job: JitterInLab = {
    file,
    head,
    rounds: options.rounds,
    plan,
    probe: await bundle('probe'),
    s3Server: await installS3Server(),
  };
  const diskMib = Math.ceil(plan.sizes_mib.reduce((sum, size) => sum + size, 0) * 1.02) + SPARE_MIB;
  const { roundTripMs } = options;
  await runStudyInLab(
    new URL('./in-lab.ts', import.meta.url),
    job,
    { clients: 1 + plan.bursts.tasks, roundTripMs, diskMib },
    surroundings,
  );
}
