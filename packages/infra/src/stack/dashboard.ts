import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { Construct } from 'constructs';
import type { Configuration } from '../configuration/configuration.ts';
import { readyGb, SECONDS_A_MONTH, SYNC } from '../cost/cost.ts';
import { PRICES } from '../cost/prices.ts';
import type { Alarms } from './alarms.ts';
import { fileMetric, maintenanceMetric, operationMetric } from './metrics.ts';
import type { SyncFunction } from './sync-function.ts';
import type { Web } from './web/web.ts';
import type { WikiFileSystem } from './wiki-file-system.ts';
import type { WikiFunction } from './wiki-function.ts';

const PERIOD = Duration.minutes(5);
const DAY = Duration.days(1);

export interface DashboardProps {
  configuration: Configuration;
  functions: Readonly<Record<'writer' | 'reader', WikiFunction>>;
  /** The pages; null if the stack has none. */
  web: Web | null;
  /** The function that syncs with git remotes; null if the stack has none. */
  sync: SyncFunction | null;
  files: WikiFileSystem;
  alarms: Alarms;
}

/** One page that answers three questions: is the wiki available, is it fast, what does it cost. */
export class Dashboard extends Construct {
  /** A link to it, or its name in a partition whose console has no known address. */
  readonly address: string;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { region, stackName } = Stack.of(this);
    // CloudWatch keeps the dashboards of all regions together: a second stack of this name would overwrite
    // this one.
    const dashboardName = `${stackName}-${region}`;
    const dashboard = new CloudWatchDashboard(this, 'Dashboard', { dashboardName });
    dashboard.addWidgets(title('Is it well?'));
    dashboard.addWidgets(...isItWell(props));
    dashboard.addWidgets(...isItMaintained(props));
    dashboard.addWidgets(title('Is it fast?'));
    dashboard.addWidgets(...isItFast(props));
    dashboard.addWidgets(title(`What does it cost? (Prices of ${PRICES.date}, without free allowances)`));
    dashboard.addWidgets(...whatDoesItCost(props));
    const host = consoleOf(region);
    this.address =
      host === null
        ? dashboardName
        : `https://${host}/cloudwatch/home?region=${region}#dashboards:name=${dashboardName}`;
  }
}

/** The address of CloudWatch's console in a region; null if it is not known for certain. */
function consoleOf(region: string): string | null {
  const console = CONSOLES[RegionInfo.get(region).partition ?? ''];
  return console === undefined ? null : `${region}.${console}`;
}

/** By partition of AWS. No source names the consoles of `aws-iso-e` and `aws-iso-f` with their regions. */
const CONSOLES: Readonly<Record<string, string>> = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
  'aws-eusc': 'console.amazonaws-eusc.eu',
  'aws-iso': 'console.c2shome.ic.gov',
  'aws-iso-b': 'console.sc2shome.sgov.gov',
};

function isItWell({ alarms, functions, web, sync, files }: DashboardProps) {
  const { writer, reader } = functions;
  const ofWeb = web === null ? {} : { people: web.people, pages: web.pages };
  const metrics = Object.entries({ writer, reader, ...ofWeb }).flatMap(([name, { live }]) => [
    live.metricErrors({ period: PERIOD, label: `${name}: errors` }),
    live.metricThrottles({ period: PERIOD, label: `${name}: throttles` }),
  ]);
  for (const [name, lambda] of Object.entries({ writer, ...(web && { people: web.people }) }))
    for (const effect of ['read', 'write'] as const)
      metrics.push(
        operationMetric(lambda, effect, 'faults', { period: PERIOD, label: `${name}: faults, ${effect}` }),
      );
  if (sync !== null) metrics.push(sync.lambda.metricErrors({ period: PERIOD, label: 'sync: errors' }));
  metrics.push(operationMetric(writer, 'write', 'busy', { period: PERIOD, label: 'writer: busy' }));
  return [
    new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.all, width: 8 }),
    graph('Calls that failed', metrics, 8),
    graph(
      'File system',
      [
        fileMetric(files, 'PercentIOLimit', {
          period: PERIOD,
          statistic: 'Maximum',
          label: '% of its operations',
        }),
        fileMetric(files, 'ClientConnections', {
          period: PERIOD,
          statistic: 'Sum',
          label: 'connections x minutes',
        }),
      ],
      8,
    ),
  ];
}

/**
 * At night, the number of remaining wikis falls to zero, and the debt does not grow from one night to the
 * next.
 */
function isItMaintained({ functions }: DashboardProps) {
  const lines = (names: readonly Parameters<typeof maintenanceMetric>[1][]) =>
    names.map((name) => maintenanceMetric(functions.writer, name, { period: PERIOD, label: name }));
  return [
    graph(
      'Nightly maintenance: wikis',
      lines(['wikis_done', 'wikis_left', 'failures', 'wikis_unfinished']),
      12,
    ),
    graph('Nightly maintenance: packs and bytes left to merge', lines(['debt_packs', 'debt_bytes']), 12),
  ];
}

function isItFast({ functions, web }: DashboardProps) {
  const { live } = functions.writer;
  const durations = ['p50', 'p95', 'p99'].map((statistic) =>
    live.metricDuration({ period: PERIOD, statistic, label: statistic }),
  );
  const others = Object.entries({
    reader: functions.reader,
    ...(web && { people: web.people, pages: web.pages }),
  }).map(([name, each]) =>
    each.live.metricDuration({ period: PERIOD, statistic: 'p95', label: `p95, ${name}` }),
  );
  const concurrency = (metricName: string, statistic: string, label: string) =>
    live.metric(metricName, { period: PERIOD, statistic, label });
  return [
    graph('Duration of a call (ms)', [...durations, ...others], 12),
    graph(
      'Environments',
      [
        concurrency('ConcurrentExecutions', 'Maximum', 'at work'),
        concurrency('ProvisionedConcurrentExecutions', 'Maximum', 'at work, kept ready'),
        concurrency('ProvisionedConcurrencySpilloverInvocations', 'Sum', 'calls that found none ready'),
      ],
      12,
    ),
  ];
}

/** Each line an amount of money a day, from the same prices as the table in the documentation. */
function whatDoesItCost({ configuration, functions, web, sync, files }: DashboardProps) {
  const { lambda, efs } = PRICES;
  const ofWeb = web === null ? [] : [web.people, web.pages];
  const all = [
    ...Object.values(functions).map(({ live }) => ({ live, settings: configuration.function })),
    ...ofWeb.map(({ live }) => ({ live, settings: configuration.web ?? configuration.function })),
    ...(sync === null ? [] : [{ live: sync.lambda, settings: SYNC }]),
  ];
  const calls = Object.fromEntries(
    all.flatMap(({ live }, index) => [
      [`calls${index}`, live.metricInvocations({ period: DAY })],
      [`time${index}`, live.metricDuration({ period: DAY, statistic: 'Sum' })],
    ]),
  );
  const requests = all.map(({ settings }, index) => {
    const perSecond =
      settings.provisionedConcurrency.environments > 0 ? lambda.readyGbSecond : lambda.gbSecond;
    const perMs = ((settings.memoryMib / 1024) * perSecond) / 1000;
    return `FILL(calls${index},0)*${decimal(lambda.request)}+FILL(time${index},0)*${decimal(perMs)}`;
  });
  const stored = fileMetric(files, 'StorageBytes', {
    period: DAY,
    dimensionsMap: { StorageClass: 'Total' },
    statistic: 'Average',
  });
  const read = fileMetric(files, 'DataReadIOBytes', { period: DAY, statistic: 'Sum' });
  const written = fileMetric(files, 'DataWriteIOBytes', { period: DAY, statistic: 'Sum' });
  const other = fileMetric(files, 'MetadataIOBytes', { period: DAY, statistic: 'Sum' });
  const storageADay =
    (efs.storage[configuration.fileSystem.availability] + PRICES.backupGb) * (86_400 / SECONDS_A_MONTH);
  const ready = readyGb(configuration) * 86_400 * lambda.provisionedGbSecond;
  const lines = [
    money('calls', requests.join('+'), calls),
    money('kept ready, without schedule', `TIME_SERIES(${decimal(ready)})`, {}),
    money('stored, with backups', `stored*${decimal(storageADay / 1e9)}`, { stored }),
  ];
  if (configuration.fileSystem.throughput.mode === 'elastic')
    lines.push(
      money(
        'read and written',
        `read*${decimal(efs.elasticReadGb / 1e9)}+(written+other)*${decimal(efs.elasticWriteGb / 1e9)}`,
        {
          read,
          written,
          other,
        },
      ),
    );
  return [
    new GraphWidget({ title: 'USD a day', left: lines, stacked: true, width: 24, height: 6, period: DAY }),
  ];
}

function money(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period: DAY });
}

/** CloudWatch takes no exponents. */
function decimal(value: number): string {
  return value.toFixed(15);
}

function graph(name: string, left: IMetric[], width: number): GraphWidget {
  return new GraphWidget({ title: name, left, width, height: 6 });
}

function title(markdown: string): TextWidget {
  return new TextWidget({ markdown: `## ${markdown}`, width: 24, height: 1 });
}
