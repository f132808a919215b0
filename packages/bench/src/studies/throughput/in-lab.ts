import { chown, mkdir } from 'node:fs/promises';
import { nfsDirectory, nfsPlaces } from '../../../../../labs/lambda-lab/nfs-places.ts';
import type { Place } from '../../../../../labs/lambda-lab/runtime-process.ts';
import type { Bundle } from '../bundles.ts';
import { invoke } from '../invoke.ts';
import { type LabJob, labJob, measureInLab } from '../lab.ts';
import { type LabFunction, startLabFunction } from '../lab-function.ts';
import { collectThroughput } from './collect.ts';
import { type ThroughputPlan, throughputEntry } from './entry.ts';
import { type Mode, throughputRecord } from './record.ts';
import type { ThroughputTarget } from './target.ts';

/** Runs inside nfs-lab, beside its server. */
export interface ThroughputInLab extends LabJob<ThroughputPlan> {
  readonly function: Bundle;
}

/** The server's path of the directory that the clients mount. */
const SERVED = '/run/srv/wikis';
/** The owner of the files, as by an access point. */
const OWNER = 1000;

const job = labJob<ThroughputInLab>();
await measureInLab(job, throughputEntry, async (journal, surroundings) => {
  surroundings.progress('Starting the lab.');
  const target = await openLab();
  await collectThroughput(job.rounds, job.plan, target, journal, surroundings);
  await target.close();
});

async function openLab(): Promise<ThroughputTarget> {
  const places = nfsPlaces();
  const functions: Record<Mode, LabFunction> = {
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
      for (const { close } of Object.values(functions)) await close();
    },
  };
}

/** A function with a directory and an NFS client of its own. */
async function startFunction(mode: Mode, places: () => Promise<Place>): Promise<LabFunction> {
  await mkdir(`${SERVED}/${mode}`);
  await chown(`${SERVED}/${mode}`, OWNER, OWNER);
  return startLabFunction({
    code: job.function.directory,
    places,
    concurrency: 1,
    memoryMib: 1024,
    timeoutMs: 900_000,
    variables: { THROUGHPUT_DIRECTORY: `${nfsDirectory}/${mode}` },
  });
}
