import { PRICES } from '@pagetree/infra/prices';
import { publishedSets } from '../studies/throughput/record.ts';

/** What decides what the studies cost. */
export interface Plan {
  /** The files to be read, one of each size on each store. */
  sizesMib: readonly number[];
  /** Whether reads are scheduled, one an hour for each service and store. */
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
  /** What is scheduled for a day; 0 where nothing is. */
  scheduledDay: number;
  /** The throughput study once, with its 5 repetitions. */
  throughput: number;
}

/** What is assumed where nobody knows before: on the careful side, after the slowest that was published. */
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

const PROBE_GB = 10;
const THROUGHPUT_GB = 1_769 / 1024;
const TASK = { processors: 8, gb: 32 } as const;
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
    scheduledDay: month ? 24 * reads : 0,
    throughput: throughputCost(),
  };
}

/** @param sizeMib of the file that a read meets on average. */
function readsCost(sizeMib: number): number {
  const { efs, s3, fargate, publicAddressHour } = PRICES;
  const seconds = sizeMib / ASSUMED.readMibPerSecond;
  const invocation = functionCost(PROBE_GB, seconds + ASSUMED.functionStartSeconds);
  const taskHours = Math.max(60, seconds + ASSUMED.taskExtraSeconds) / 3600;
  const task = taskHours * (TASK.processors * fargate.cpuHour + TASK.gb * fargate.gbHour + publicAddressHour);
  const stores = sizeMib * GB_A_MIB * efs.elasticReadGb + s3.get;
  // Both services read both stores, and each read leaves a record in S3.
  return 2 * invocation + 2 * task + 2 * stores + 4 * s3.put;
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
export function tellEstimate(plan: Plan): string {
  const { seeding, restingDay, reads, scheduledDay, throughput } = estimate(plan);
  const lines: [what: string, cost: number][] = [
    ['once, to make the files to read', seeding],
    ['a day of being there, nothing running', restingDay],
    ['four reads of the jitter study, one for each service and store', reads],
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
