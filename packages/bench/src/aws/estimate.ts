import { PRICES } from '@pagetree/infra/prices';
import { type Burst, publishedPlan } from '../studies/jitter/entry.ts';
import { publishedSets } from '../studies/throughput/record.ts';
import { PROBE_MIB, TASK_GIB, TASK_VCPU } from './stack/sizes.ts';

/** The choices that decide the cost of the studies. */
export interface Plan {
  /** The files to be read, one of each size on each store. */
  sizesMib: readonly number[];
  /** True if reads are scheduled, one an hour for each service and store. */
  month: boolean;
}

/** In USD, without any free allowance. */
export interface Estimate {
  /** Once: making the files. */
  seeding: number;
  /** A day of being there, nothing running: the files on EFS and S3. */
  restingDay: number;
  /** Four reads, one for each service and store. */
  reads: number;
  /** The tasks of one burst, each with its read from EFS. */
  burst: number;
  /** The cost of a day's scheduled reads; 0 if none are scheduled. */
  scheduledDay: number;
  /** The throughput study once, with its 5 repetitions. */
  throughput: number;
}

/** Assumptions about unknown quantities: on the careful side, after the slowest published result. */
const ASSUMED = {
  /** 500 MiB in 15.8 s. */
  readMibPerSecond: 32,
  writeMibPerSecond: 32,
  /** Starting a function, billed as its time is. */
  functionStartSeconds: 2,
  /** From the pull of the image to the first byte, and from the last to the end. */
  taskExtraSeconds: 60,
  repetitions: 5,
} as const;

const PROBE_GB = PROBE_MIB / 1024;
const THROUGHPUT_GB = 1_769 / 1024;
const TASK = { processors: TASK_VCPU, gb: TASK_GIB } as const;
const DAYS_A_MONTH = 365 / 12;
const GB_A_MIB = 2 ** 20 / 1e9;

export function estimate({ sizesMib, month }: Plan): Estimate {
  const { efs, s3 } = PRICES;
  const storedMib = sum(sizesMib);
  const storedGb = storedMib * GB_A_MIB;
  const reads = readsCost(storedMib / sizesMib.length);
  const seedSeconds =
    2 * (storedMib / ASSUMED.writeMibPerSecond + sizesMib.length * ASSUMED.functionStartSeconds);
  return {
    seeding: storedGb * efs.elasticWriteGb + sizesMib.length * s3.put + functionCost(PROBE_GB, seedSeconds),
    restingDay: (storedGb * (efs.storage.regional + s3.storage)) / DAYS_A_MONTH,
    reads,
    burst: burstCost(publishedPlan.bursts),
    scheduledDay: month ? 24 * reads : 0,
    throughput: throughputCost(),
  };
}

/** @param sizeMib of the file that a read meets on average. */
function readsCost(sizeMib: number): number {
  const { efs, s3 } = PRICES;
  const invocation = functionCost(
    PROBE_GB,
    sizeMib / ASSUMED.readMibPerSecond + ASSUMED.functionStartSeconds,
  );
  const stores = sizeMib * GB_A_MIB * efs.elasticReadGb + s3.get;
  // Both services read both stores, and each read leaves a record in S3.
  return 2 * invocation + 2 * taskCost(sizeMib) + 2 * stores + 4 * s3.put;
}

function burstCost({ tasks, size_mib: sizeMib }: Burst): number {
  return tasks * (taskCost(sizeMib) + sizeMib * GB_A_MIB * PRICES.efs.elasticReadGb + PRICES.s3.put);
}

function taskCost(sizeMib: number): number {
  const { fargate, publicAddressHour } = PRICES;
  const seconds = sizeMib / ASSUMED.readMibPerSecond + ASSUMED.taskExtraSeconds;
  const hours = Math.max(60, seconds) / 3600;
  return hours * (TASK.processors * fargate.cpuHour + TASK.gb * fargate.gbHour + publicAddressHour);
}

function throughputCost(): number {
  const bytes = ASSUMED.repetitions * sum(publishedSets.map((set) => set.bytes * set.files));
  const calls = ASSUMED.repetitions * publishedSets.length;
  const seconds = bytes / 2 ** 20 / ASSUMED.writeMibPerSecond + calls * ASSUMED.functionStartSeconds;
  // Bursting is paid for by what is stored, and the files are removed at once.
  return (bytes / 1e9) * PRICES.efs.elasticWriteGb + 2 * functionCost(THROUGHPUT_GB, seconds);
}

function functionCost(gb: number, seconds: number): number {
  return gb * seconds * PRICES.lambda.gbSecond + PRICES.lambda.request;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** For people, before anything is made. */
export function describeEstimate(plan: Plan): string {
  const { seeding, restingDay, reads, burst, scheduledDay, throughput } = estimate(plan);
  const lines: [what: string, cost: number][] = [
    ['once, to make the files to read', seeding],
    ['a day of being there, nothing running', restingDay],
    ['four reads of the jitter study, one for each service and store', reads],
    [
      `a burst of ${publishedPlan.bursts.tasks} tasks, one after every ${publishedPlan.bursts.everyRounds} rounds of the jitter study`,
      burst,
    ],
    ['the throughput study once', throughput],
  ];
  if (plan.month) {
    lines.push(['a day of scheduled reads, 96 of them', scheduledDay]);
    lines.push(['thirty days of them, all included', seeding + 30 * (restingDay + scheduledDay)]);
  }
  return [
    `What it costs in USD (prices of ${PRICES.date} for ${PRICES.region}; other regions up to a third more; no tax, no free allowance):`,
    ...lines.map(([what, cost]) => `  ${cost.toFixed(cost < 0.1 ? 4 : 2).padStart(8)}  ${what}`),
    `A day of this choice: ${(restingDay + scheduledDay).toFixed(2)} USD.`,
  ].join('\n');
}
