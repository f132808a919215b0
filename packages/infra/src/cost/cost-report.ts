import { type Configuration, parseConfiguration } from '../configuration/configuration.ts';
import { type Cost, type Load, monthlyCost, OPERATION, PAGE_VIEW, total } from './cost.ts';
import { PRICES } from './prices.ts';

const LOADS: Readonly<Record<string, Load>> = {
  'at rest': { reads: 0, writes: 0, storedGb: 0.1 },
  'one person': { reads: 6_000, writes: 600, storedGb: 0.1 },
  'a team': { reads: 100_000, writes: 10_000, storedGb: 0.5 },
  'a company of agents': { reads: 3_000_000, writes: 300_000, storedGb: 5 },
};

const DAYS_A_MONTH = 365 / 12;

/** 100 MB at rest. */
const NOTHING: Load = { reads: 0, writes: 0, storedGb: 0.1 };

/** People alone, and 100 MB. */
const VIEWS: Readonly<Record<string, Load>> = {
  'at rest': NOTHING,
  '1,000 page views a day': { ...NOTHING, pageViews: 1_000 * DAYS_A_MONTH },
};

/** The services that bill the wiki's stack, and those that bill the pages. */
const SERVICES = ['lambda', 'efs', 'backup', 'cloudWatch', 'xray'] as const;
const SERVICES_OF_PAGES = [
  'dynamoDb',
  'cloudFront',
  'transfer',
  'cloudTrail',
  'systemsManager',
  'cognito',
] as const;

const PARTS: Readonly<Record<keyof Cost, string>> = {
  requests: 'Lambda, requests and time',
  ready: 'Lambda, environments kept ready',
  storage: 'EFS, storage',
  throughput: 'EFS, reading and writing',
  backups: 'Backups',
  logs: 'Logs',
  traces: 'Traces',
  watching: 'Alarms, dashboard, metrics',
  pages: 'Sessions, rules, and what travels to browsers',
  records: 'Records of calls',
  secrets: 'Secrets',
};

/** Pages with the defaults. */
const SOME_WEB = { issuer: 'https://issuer.example', clientId: 'pagetree', access: { rules: [] } };

/** The section on cost in docs/deploy.md; a test verifies that the document has this text. */
export function costReport(): string {
  const ready = parseConfiguration({});
  const onDemand = parseConfiguration({ function: { provisionedConcurrency: { environments: 0 } } });
  const synced = parseConfiguration({ sync: true });
  const heading = ['USD a month', ...Object.keys(LOADS)];
  return [
    `Prices of ${PRICES.date}, ${PRICES.region}, from ${linksTo(SERVICES)}. That of <${PRICES.sources.secretsManager}> was written down from memory in November 2026: compare it.`,
    '',
    ...Object.entries(LOADS).map(([name, load]) => `- *${name}*: ${describe(load)}`),
    '',
    assumptions(),
    '',
    'With the free allowances that every account has each month:',
    '',
    ...table(heading, [
      ['**no environment kept ready**', ...totals(onDemand, LOADS, true)],
      ['**one environment kept ready** (the default)', ...totals(ready, LOADS, true)],
      ...parts(ready, LOADS, '  of which '),
      ['**the default, with the sync of one wiki**', ...totals(synced, LOADS, true)],
    ]),
    '',
    'Where the account uses its free allowances up elsewhere:',
    '',
    ...table(heading, [
      ['**no environment kept ready**', ...totals(onDemand, LOADS, false)],
      ['**one environment kept ready** (the default)', ...totals(ready, LOADS, false)],
      ['**the default, with the sync of one wiki**', ...totals(synced, LOADS, false)],
    ]),
  ].join('\n');
}

/** The section on cost in docs/web-on-aws.md. */
export function webCostReport(): string {
  const none = { function: { provisionedConcurrency: { environments: 0 } } };
  const without = parseConfiguration(none);
  const pages = parseConfiguration({ ...none, web: SOME_WEB });
  const ready = parseConfiguration({
    ...none,
    web: { ...SOME_WEB, provisionedConcurrency: { environments: 1 } },
  });
  const heading = ['USD a month', ...Object.keys(VIEWS)];
  const rows = (free: boolean) => [
    ['**without the pages**', money(total(monthlyCost(without, NOTHING, free))), ''],
    ['**with the pages**', ...totals(pages, VIEWS, free)],
  ];
  return [
    `Prices of ${PRICES.date} as in [deploy.md](deploy.md#what-it-costs), and of <${PRICES.sources.s3}>. Those of ${linksTo(SERVICES_OF_PAGES)} were written down from memory in November 2026: compare them.`,
    '',
    viewAssumptions(),
    '',
    'No environment is kept ready for agents, and the account has its free allowances:',
    '',
    ...table(heading, [
      ...rows(true),
      ...parts(pages, VIEWS, '  of which '),
      ['**with one environment of each function kept ready**', ...totals(ready, VIEWS, true)],
    ]),
    '',
    'Where the account uses its free allowances up elsewhere:',
    '',
    ...table(heading, rows(false)),
  ].join('\n');
}

/** The costs of a configuration, with and without the pages, for a terminal. */
export function costOf(configuration: Configuration): string {
  const { web, ...rest } = configuration;
  const pages = web === undefined ? parseConfiguration({ web: SOME_WEB }).web : web;
  const columns: [name: string, configuration: Configuration, load: Load][] = [
    ['without pages, at rest', rest, NOTHING],
    ...Object.entries(VIEWS).map(([name, load]): [string, Configuration, Load] => [
      `with pages, ${name}`,
      { ...rest, web: pages },
      load,
    ]),
  ];
  const costs = columns.map(([, each, load]) => monthlyCost(each, load, true));
  const rows = Object.entries(PARTS)
    .map(([part, name]) => [name, ...costs.map((cost) => money(cost[part as keyof Cost]))])
    .filter(([, ...amounts]) => amounts.some((amount) => amount !== money(0)));
  const lines = [
    ['', ...columns.map(([name]) => name)],
    ...rows,
    ['Together', ...costs.map((cost) => money(total(cost)))],
  ];
  const widths = columns.map(([name]) => name.length);
  return [
    `USD a month for ${configuration.stackName}, at prices of ${PRICES.date} in ${PRICES.region},`,
    `with 100 MB stored and the free allowances of an account. Nothing was deployed.${web === undefined ? ' The pages (web) are those of the defaults.' : ''}`,
    '',
    ...lines.map(([name = '', ...cells]) =>
      [name.padEnd(40), ...cells.map((cell, index) => cell.padStart(widths[index] ?? 0))]
        .join('  ')
        .trimEnd(),
    ),
    '',
  ].join('\n');
}

function linksTo(services: readonly (keyof typeof PRICES.sources)[]): string {
  return services.map((service) => `<${PRICES.sources[service]}>`).join(', ');
}

function totals(configuration: Configuration, loads: typeof LOADS, free: boolean): string[] {
  return Object.values(loads).map((load) => money(total(monthlyCost(configuration, load, free))));
}

/** A row for each part that costs something. */
function parts(configuration: Configuration, loads: typeof LOADS, before: string): string[][] {
  const costs = Object.values(loads).map((load) => monthlyCost(configuration, load, true));
  return Object.entries(PARTS)
    .filter(([part]) => costs.some((cost) => cost[part as keyof Cost] > 0))
    .map(([part, name]) => [before + name, ...costs.map((cost) => money(cost[part as keyof Cost]))]);
}

function assumptions(): string {
  const { read, write, fileRequestGb, logGb } = OPERATION;
  return (
    `A read is taken to run for ${read.seconds * 1000} ms and to ask the file system ${read.fileRequests} times, a write for ` +
    `${write.seconds * 1000} ms and ${write.fileRequests} times, each request counted as ${(fileRequestGb * 1e9) / 1024} KiB; ` +
    `an operation writes ${logGb * 1e6} kB of logs and one trace. Tax, and what a client pays for its model, are not in it.`
  );
}

function viewAssumptions(): string {
  const { requests, pagesSeconds, wikiSeconds, bytesGb } = PAGE_VIEW;
  return (
    `A page view counts as ${requests} requests, each with a read of the wiki, which together run the function of the pages for ` +
    `${pagesSeconds * 1000} ms and that of the wiki for ${wikiSeconds * 1000} ms, starts included, and send ${bytesGb * 1e6} kB.`
  );
}

function describe({ reads, writes, storedGb }: Load): string {
  const number = (value: number) => value.toLocaleString('en');
  const use =
    reads + writes === 0 ? 'nothing happens' : `${number(reads)} reads and ${number(writes)} writes`;
  return `${use}, ${storedGb < 1 ? `${storedGb * 1000} MB` : `${storedGb} GB`} stored`;
}

function table(heading: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), line(heading.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)];
}

function money(usd: number): string {
  return usd.toFixed(2);
}
