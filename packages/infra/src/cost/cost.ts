import type { Configuration } from '../configuration/configuration.ts';
import { PRICES } from './prices.ts';

/** The use of a wiki in a month. */
export interface Load {
  /** Calls of agents and programs. */
  reads: number;
  writes: number;
  /** Pages that people open in the browser. */
  pageViews?: number;
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
  /** Sessions, rules, and what travels to browsers. */
  pages: number;
  /** Which identity called. */
  records: number;
  /** A token for the remote of one wiki. */
  secrets: number;
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

/**
 * One page view, rounded upwards: two requests, such as the page and a preview, each with one call of the wiki. The
 * seconds are those of both, with starts for one view in ten.
 */
export const PAGE_VIEW = { requests: 2, pagesSeconds: 0.2, wikiSeconds: 0.12, bytesGb: 60e-6 } as const;

/**
 * The sync with git remotes, where one wiki has one and nothing changes: each minute one call of the wiki's function lists the
 * remotes, of however many wikis. Each five minutes a sync makes four more, and calls the remote: both are rounded upwards.
 */
export const SYNC = {
  memoryMib: 1024,
  provisionedConcurrency: { environments: 0 },
  roundsAMonth: 60 * 24 * (365 / 12),
  seconds: 0.4,
  reads: 2,
} as const;

/** Calls of the nightly maintenance in a month, which are recorded too. */
const MAINTENANCE_CALLS = 36 * (365 / 12);
/** A call as CloudTrail records it, and the files of a month: one each five minutes in which something is called. */
const RECORD = { gb: 1e-6, filesAMonth: 12 * 24 * (365 / 12) };

/** The numbers of separately billed resources in the stack, and of those that the pages add. */
export const PIECES = {
  alarms: 16,
  dashboards: 1,
  customMetrics: 9,
  maintenanceMetrics: 7,
  web: { alarms: 8, customMetrics: 6 },
  sync: { alarms: 2 },
};

/**
 * @param free True if the account's free allowances are available to the wiki alone. They cover little if an
 * organisation uses them up elsewhere.
 */
export function monthlyCost(configuration: Configuration, load: Load, free: boolean): Cost {
  const paid = (used: number, allowance: number) => Math.max(0, used - (free ? allowance : 0));
  const { availability, throughput } = configuration.fileSystem;
  const { web } = configuration;
  const { lambda, efs, cloudWatch } = PRICES;
  const { pageViews = 0 } = web === undefined ? {} : load;
  const viewRequests = pageViews * PAGE_VIEW.requests;
  const rounds = configuration.sync ? SYNC.roundsAMonth : 0;
  const ownReads = load.reads + rounds * SYNC.reads;
  const operations = ownReads + load.writes;
  const reads = ownReads + viewRequests;
  // A metric is billed by the hour in which it is reported; maintenance runs in three hours of a day.
  const customMetrics =
    (operations > 0 ? PIECES.customMetrics : 0) +
    (pageViews > 0 ? PIECES.web.customMetrics : 0) +
    (PIECES.maintenanceMetrics * 3) / 24;
  const alarms =
    PIECES.alarms +
    (web === undefined ? 0 : PIECES.web.alarms) +
    (configuration.sync ? PIECES.sync.alarms : 0);
  // Both functions of a page log.
  const logGb = (operations + 2 * viewRequests) * OPERATION.logGb;
  const logMonths = configuration.logRetentionDays / (365 / 12);
  return {
    requests: requestCost(configuration, { reads: ownReads, writes: load.writes, pageViews, rounds }, paid),
    ready: readyGb(configuration) * SECONDS_A_MONTH * lambda.provisionedGbSecond,
    storage: load.storedGb * efs.storage[availability],
    throughput: throughputCost(throughput, { reads, writes: load.writes }),
    backups: load.storedGb * PRICES.backupGb,
    logs:
      paid(logGb, PRICES.free.logGb) * cloudWatch.logIngestedGb +
      paid(logGb * logMonths, Math.max(0, PRICES.free.logGb - logGb)) * cloudWatch.logStoredGb,
    traces: paid(operations + viewRequests, PRICES.free.traces) * PRICES.xray.trace,
    watching:
      paid(alarms, PRICES.free.alarms) * cloudWatch.alarm +
      paid(PIECES.dashboards, PRICES.free.dashboards) * cloudWatch.dashboard +
      paid(customMetrics, PRICES.free.customMetrics) * cloudWatch.customMetric,
    pages: pagesCost(web, pageViews, paid),
    records: web === undefined ? 0 : recordsCost(operations + MAINTENANCE_CALLS, logMonths),
    secrets: configuration.sync ? PRICES.secret : 0,
  };
}

/** The memory that environments that are kept ready have together. */
export function readyGb({ function: lambda, web }: Configuration): number {
  const gb = (settings: Settings) =>
    (settings.memoryMib / 1024) * settings.provisionedConcurrency.environments;
  return gb(lambda) + (web === undefined ? 0 : 2 * gb(web));
}

export function total(cost: Cost): number {
  return Object.values(cost).reduce((sum, part) => sum + part, 0);
}

type Paid = (used: number, allowance: number) => number;
type Settings = Pick<Configuration['function'], 'memoryMib'> & {
  provisionedConcurrency: { environments: number };
};

/** The free allowance of Lambda does not cover environments that are kept ready. */
function requestCost(
  { function: lambda, web }: Configuration,
  { reads, writes, pageViews, rounds }: Required<Omit<Load, 'storedGb'>> & { rounds: number },
  paid: Paid,
): number {
  const { read, write } = OPERATION;
  const used = [
    { settings: lambda, calls: reads + writes, seconds: reads * read.seconds + writes * write.seconds },
    {
      settings: web ?? lambda,
      calls: 2 * pageViews * PAGE_VIEW.requests,
      seconds: pageViews * (PAGE_VIEW.pagesSeconds + PAGE_VIEW.wikiSeconds),
    },
    { settings: SYNC, calls: rounds, seconds: rounds * SYNC.seconds },
  ];
  const sum = (isReady: boolean) =>
    used
      .filter(({ settings }) => settings.provisionedConcurrency.environments > 0 === isReady)
      .reduce(
        (before, { settings, calls, seconds }) => ({
          calls: before.calls + calls,
          gbSeconds: before.gbSeconds + (settings.memoryMib / 1024) * seconds,
        }),
        { calls: 0, gbSeconds: 0 },
      );
  const [ready, onDemand] = [sum(true), sum(false)];
  return (
    ready.gbSeconds * PRICES.lambda.readyGbSecond +
    paid(onDemand.gbSeconds, PRICES.free.lambdaGbSeconds) * PRICES.lambda.gbSecond +
    (ready.calls + paid(onDemand.calls, PRICES.free.lambdaRequests)) * PRICES.lambda.request
  );
}

function pagesCost(web: Configuration['web'], pageViews: number, paid: Paid): number {
  const { dynamoDb, cloudFront, transferGb, free } = PRICES;
  const requests = pageViews * PAGE_VIEW.requests;
  const gb = pageViews * PAGE_VIEW.bytesGb;
  const travel =
    web?.domain === undefined
      ? paid(gb, free.transferGb) * transferGb
      : paid(gb, free.cloudFrontGb) * cloudFront.gb +
        paid(requests, free.cloudFrontRequests) * cloudFront.request;
  // A read for the session, and one for the rules.
  return travel + 2 * requests * dynamoDb.read;
}

function recordsCost(calls: number, months: number): number {
  const { cloudTrail, s3 } = PRICES;
  return (
    calls * cloudTrail.dataEvent +
    Math.min(calls, RECORD.filesAMonth) * s3.put +
    calls * months * RECORD.gb * s3.storage
  );
}

function throughputCost(
  throughput: Configuration['fileSystem']['throughput'],
  { reads, writes }: Pick<Load, 'reads' | 'writes'>,
): number {
  const { elasticReadGb, elasticWriteGb, provisionedMib } = PRICES.efs;
  switch (throughput.mode) {
    case 'bursting':
      return 0;
    case 'provisioned':
      return (throughput.mibPerSecond ?? 0) * provisionedMib;
    case 'elastic': {
      const gb = (operations: number, requests: number) => operations * requests * OPERATION.fileRequestGb;
      return (
        gb(reads, OPERATION.read.fileRequests) * elasticReadGb +
        gb(writes, OPERATION.write.fileRequests) * elasticWriteGb
      );
    }
  }
}
