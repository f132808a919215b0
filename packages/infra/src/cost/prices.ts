/**
 * AWS's prices in USD before tax: one table for the wiki's stack and for the studies. No program fetches
 * these: a person copies them from the pages in `sources` and sets `date`. Prices of other regions differ by
 * up to a third.
 */
export const PRICES = {
  date: '2026-06-13',
  region: 'US East (Ohio) and US East (N. Virginia)',
  sources: {
    lambda: 'https://aws.amazon.com/lambda/pricing/',
    efs: 'https://aws.amazon.com/efs/pricing/',
    backup: 'https://aws.amazon.com/backup/pricing/',
    cloudWatch: 'https://aws.amazon.com/cloudwatch/pricing/',
    xray: 'https://aws.amazon.com/xray/pricing/',
    fargate: 'https://aws.amazon.com/fargate/pricing/',
    s3: 'https://aws.amazon.com/s3/pricing/',
    vpc: 'https://aws.amazon.com/vpc/pricing/',
    dynamoDb: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    cloudFront: 'https://aws.amazon.com/cloudfront/pricing/',
    transfer: 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
    cloudTrail: 'https://aws.amazon.com/cloudtrail/pricing/',
    systemsManager: 'https://aws.amazon.com/systems-manager/pricing/',
    cognito: 'https://aws.amazon.com/cognito/pricing/',
    secretsManager: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  lambda: {
    request: 0.2e-6,
    /** A GB-second on arm64, the first 7.5 billion of a month. */
    gbSecond: 0.0000133334,
    /** A GB-second in an environment that is kept ready. */
    readyGbSecond: 0.0000077778,
    /** A GB-second of keeping an environment ready, busy or not. */
    provisionedGbSecond: 0.0000033334,
  },
  efs: {
    /** A GB for a month. */
    storage: { 'one-zone': 0.16, regional: 0.3 },
    elasticReadGb: 0.03,
    elasticWriteGb: 0.06,
    /** A MiB/s for a month. */
    provisionedMib: 6,
  },
  /** A GB of backups for a month. */
  backupGb: 0.05,
  cloudWatch: { logIngestedGb: 0.5, logStoredGb: 0.03, alarm: 0.1, dashboard: 3, customMetric: 0.3 },
  xray: { trace: 5e-6 },
  /** Linux on arm64, an hour; a task is billed for a minute at least, from the pull of its image on. */
  fargate: { cpuHour: 0.03238, gbHour: 0.00356 },
  /** `storage`: a GB for a month. Between S3 and a network in its region transfer is free. */
  s3: { storage: 0.023, put: 5e-6, get: 4e-7 },
  /**
   * Those of the pages were written down from memory in November 2026, without a look at the pages in `sources`. Standard
   * parameters of Systems Manager are free, and so are 10,000 people a month in Cognito.
   */
  /** A consistent read of up to 4 kB, on demand. */
  dynamoDb: { read: 0.125e-6 },
  /** To North America and Europe, with HTTPS. */
  cloudFront: { gb: 0.085, request: 1e-6 },
  /** A GB from a region to the internet. */
  transferGb: 0.09,
  cloudTrail: { dataEvent: 1e-6 },
  /** A secret for a month; also from memory. 10,000 calls cost 0.05, and few are made. */
  secret: 0.4,
  /** A public IPv4 address for an hour. */
  publicAddressHour: 0.005,
  /**
   * The monthly free allowance of every account, for ever. Lambda's does not cover environments that are kept
   * ready.
   */
  free: {
    lambdaRequests: 1e6,
    lambdaGbSeconds: 400_000,
    logGb: 5,
    alarms: 10,
    dashboards: 3,
    customMetrics: 10,
    traces: 100_000,
    transferGb: 100,
    cloudFrontGb: 1_000,
    cloudFrontRequests: 10e6,
  },
} as const;
