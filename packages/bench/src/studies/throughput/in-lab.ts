import { chown, mkdir } from 'node:fs/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { startLambdaLab } from '../../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../../labs/lambda-lab/nfs-places.ts';
import type { Bundle } from '../bundles.ts';
import { invoke } from '../invoke.ts';
import { openJournal } from '../journal.ts';
import { surroundingsInLab } from '../lab.ts';
import { collectThroughput } from './collect.ts';
import { type ThroughputPlan, throughputEntry } from './entry.ts';
import { type Mode, throughputRecord } from './record.ts';
import type { ThroughputTarget } from './target.ts';

/** Runs inside nfs-lab, beside its server, and measures what the file of results lacks. Its argument is this as JSON. */
export interface ThroughputInLab {
  readonly file: string;
  readonly head: Parameters<typeof openJournal>[2];
  readonly rounds: number;
  readonly plan: ThroughputPlan;
  readonly function: Bundle;
}

/** What the server sees of what the clients mount. */
const SERVED = '/run/srv/wikis';
/** The owner of the files, as by an access point. */
const OWNER = 1000;

const job: ThroughputInLab = JSON.parse(process.argv[2] ?? '');
const surroundings = surroundingsInLab();
const journal = openJournal(job.file, throughputEntry, job.head);
const target = await openLab();
await collectThroughput(job.rounds, job.plan, target, journal, surroundings);
await target.close();

async function openLab(): Promise<ThroughputTarget> {
  const places = nfsPlaces();
  const functions: Record<Mode, Awaited<ReturnType<typeof startFunction>>> = {
    elastic: await startFunction('elastic', () => places(0)),
    bursting: await startFunction('bursting', () => places(1)),
  };
  return {
    modelled: true,
    write: async (mode, request) => {
      const { client, lab } = functions[mode];
      return throughputRecord.parse((await invoke(client, lab.functionArn, request)).answer);
    },
    close: async () => {
      for (const { client, lab } of Object.values(functions)) {
        client.destroy();
        await lab.stop();
      }
    },
  };
}

/** A function with a directory and an NFS client of its own. */
async function startFunction(mode: Mode, places: () => ReturnType<ReturnType<typeof nfsPlaces>>) {
  await mkdir(`${SERVED}/${mode}`);
  await chown(`${SERVED}/${mode}`, OWNER, OWNER);
  const lab = await startLambdaLab({
    code: job.function.directory,
    places,
    concurrency: 1,
    memoryMib: 1024,
    timeoutMs: 900_000,
    variables: { THROUGHPUT_DIRECTORY: `${nfsDirectory}/${mode}` },
  });
  const client = new LambdaClient({
    endpoint: lab.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 900_000 },
  });
  return { client, lab };
}
