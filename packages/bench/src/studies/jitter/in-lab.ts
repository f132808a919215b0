import { mkdir, writeFile } from 'node:fs/promises';
import { nfsDirectory, nfsPlaces } from '../../../../../labs/lambda-lab/nfs-places.ts';
import { s3Credentials, startS3Server } from '../../../../../labs/s3-server.ts';
import type { Bundle } from '../bundles.ts';
import { invoke } from '../invoke.ts';
import { type LabJob, labJob, measureInLab } from '../lab.ts';
import { startLabFunction } from '../lab-function.ts';
import { collectJitter } from './collect.ts';
import { type JitterPlan, jitterEntry } from './entry.ts';
import { linkFiles, makeFiles } from './files.ts';
import { probeVariables, runProbe } from './probe-process.ts';
import { type JitterRequest, jitterRecord } from './record.ts';
import type { JitterTarget } from './target.ts';

/** Runs inside nfs-lab, beside its server. */
export interface JitterInLab extends LabJob<JitterPlan> {
  readonly probe: Bundle;
  readonly s3Server: string;
}

/** The server as its clients reach it, over the same link as NFS: with the same round-trip time. */
const SERVER = '10.9.0.1';
const S3_PORT = 7070;
const BUCKET = 'files';
/** The directory that is served over NFS, and beside it on the same disk the one that is served as S3. */
const SERVED = '/run/srv/wikis';
const BUCKETS = '/run/srv/buckets';
/** The client of the Lambda lab's only slot is the first; the others are those of tasks. */
const FIRST_TASK_CLIENT = 2;

const job = labJob<JitterInLab>();
await measureInLab(job, jitterEntry, async (journal, surroundings) => {
  surroundings.progress('Starting the lab.');
  const target = await openLab();
  await collectJitter(job.rounds, job.plan, target, journal, surroundings);
  await target.close();
});

async function openLab(): Promise<JitterTarget> {
  await makeFiles(SERVED, job.plan.sizes_mib);
  await mkdir(`${BUCKETS}/${BUCKET}`, { recursive: true });
  await linkFiles(SERVED, `${BUCKETS}/${BUCKET}`, job.plan.sizes_mib);
  const s3 = await startS3Server(job.s3Server, BUCKETS, SERVER, S3_PORT);
  const places = { directory: nfsDirectory, bucket: BUCKET, s3Endpoint: `http://${SERVER}:${S3_PORT}` };
  const variables = probeVariables(places, s3Credentials);
  const { lab, client, close } = await startLabFunction({
    code: job.probe.directory,
    places: nfsPlaces(),
    concurrency: 1,
    memoryMib: 10_240,
    timeoutMs: 300_000,
    variables,
  });
  const inFunction = async (request: JitterRequest) =>
    jitterRecord.parse((await invoke(client, lab.functionArn, request)).answer);
  const free = Array.from({ length: job.plan.bursts.tasks }, (_, index) => String(FIRST_TASK_CLIENT + index));
  const inTask = async (request: JitterRequest) => {
    const client = free.shift() ?? '';
    try {
      return await runProbe(['in-client', client], job.probe.file, variables, request);
    } finally {
      free.unshift(client);
    }
  };
  return {
    read: async (service, request) => {
      await lab.recycle();
      // A new mount has nothing in its cache; one kernel serves both sides here, and forgets for both.
      await writeFile('/proc/sys/vm/drop_caches', '3');
      if (service === 'lambda') return inFunction(request);
      return inTask(request);
    },
    close: async () => {
      await close();
      await s3.stop();
    },
  };
}
