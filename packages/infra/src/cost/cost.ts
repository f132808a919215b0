import type { Configuration } from '../configuration/configuration.ts';
import { PRICES } from './prices.ts';

/** The use of a wiki in a month. */
export interface Load {
  reads: number;
  writes: number;
  /** All wikis with their history. */
  storedGb: number;
}

/** USD a month, by cause. */
export interface Cost {
  requests: number;
  ready: number;
  storage: number;
  throughput: number;
  backups: number;
  logs: number;
  traces: number;
  watching: number;
}

export const SECONDS_A_MONTH = (365 / 12) * 86_400;

/**
 * One operation, rounded upwards: a read lets the function run for 20 ms and asks the file system 3 times, a write for
 * 120 ms and 16 times. A request of any size is counted as 32 KiB. Each writes 1.2 kB of logs and one trace.
 */
export const OPERATION = {
  read: { seconds: 0.02, fileRequests: 3 },
  write: { seconds: 0.12, fileRequests: 16 },
  fileRequestGb: 32_768 / 1e9,
  logGb: 1.2e-6,
} as const;

/** The numbers of separately billed resources in the stack. */
export const PIECES = { alarms: 16, dashboards: 1, customMetrics: 9, maintenanceMetrics: 7 };

/**
 * @param free True if the account's free allowances are available to the wiki alone. They cover little if an
 * organisation uses them up elsewhere.
 */
export function monthlyCost(configuration: Configuration, load: Load, free: boolean): Cost {
  const paid = (used: number, allowance: number) => Math.max(0, used - (free ? allowance : 0));
  const { availability, throughput } = configuration.fileSystem;
  const { lambda, efs, cloudWatch } = PRICES;
  const gb = configuration.function.memoryMib / 1024;
  const { environments } = configuration.function.provisionedConcurrency;
  const operations = load.reads + load.writes;
  const gbSeconds = gb * (load.reads * OPERATION.read.seconds + load.writes * OPERATION.write.seconds);
  const compute =
    environments > 0
      ? gbSeconds * lambda.readyGbSecond
      : paid(gbSeconds, PRICES.free.lambdaGbSeconds) * lambda.gbSecond;
  // A metric is billed by the hour in which it is reported; maintenance runs in three hours of a day.
  const customMetrics = (operations > 0 ? PIECES.customMetrics : 0) + (PIECES.maintenanceMetrics * 3) / 24;
  const logGb = operations * OPERATION.logGb;
  const logMonths = configuration.logRetentionDays / (365 / 12);
  return {
    requests: compute + paid(operations, environments > 0 ? 0 : PRICES.free.lambdaRequests) * lambda.request,
    ready: environments * gb * SECONDS_A_MONTH * lambda.provisionedGbSecond,
    storage: load.storedGb * efs.storage[availability],
    throughput: throughputCost(throughput, load),
    backups: load.storedGb * PRICES.backupGb,
    logs:
      paid(logGb, PRICES.free.logGb) * cloudWatch.logIngestedGb +
      paid(logGb * logMonths, Math.max(0, PRICES.free.logGb - logGb)) * cloudWatch.logStoredGb,
    traces: paid(operations, PRICES.free.traces) * PRICES.xray.trace,
    watching:
      paid(PIECES.alarms, PRICES.free.alarms) * cloudWatch.alarm +
      paid(PIECES.dashboards, PRICES.free.dashboards) * cloudWatch.dashboard +
      paid(customMetrics, PRICES.free.customMetrics) * cloudWatch.customMetric,
  };
}

function throughputCost(throughput: Configuration['fileSystem']['throughput'], load: Load): number {
  const { elasticReadGb, elasticWriteGb, provisionedMib } = PRICES.efs;
  switch (throughput.mode) {
    case 'bursting':
      return 0;
    case 'provisioned':
      return (throughput.mibPerSecond ?? 0) * provisionedMib;
    case 'elastic': {
      const gb = (operations: number, requests: number) => operations * requests * OPERATION.fileRequestGb;
      return (
        gb(load.reads, OPERATION.read.fileRequests) * elasticReadGb +
        gb(load.writes, OPERATION.write.fileRequests) * elasticWriteGb
      );
    }
  }
}

export function total(cost: Cost): number {
  return Object.values(cost).reduce((sum, part) => sum + part, 0);
}
