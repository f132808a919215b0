/**
 * What AWS asks, in USD, before tax. No program fetches these: a person copies them from the pages named in
 * `sources` and sets `date`. Prices of other regions differ by up to a third.
 */
export const PRICES = {
  date: '2026-06-13',
  region: 'US East (Ohio) and US East (N. Virginia)',
  sources: [
    'https://aws.amazon.com/lambda/pricing/',
    'https://aws.amazon.com/efs/pricing/',
    'https://aws.amazon.com/backup/pricing/',
    'https://aws.amazon.com/cloudwatch/pricing/',
    'https://aws.amazon.com/xray/pricing/',
  ],
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
  /** What every account has free each month, for ever. Environments that are kept ready have no part in Lambda's. */
  free: {
    lambdaRequests: 1e6,
    lambdaGbSeconds: 400_000,
    logGb: 5,
    alarms: 10,
    dashboards: 3,
    customMetrics: 10,
    traces: 100_000,
  },
} as const;
