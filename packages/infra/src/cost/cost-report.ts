import { type Configuration, parseConfiguration } from '../configuration/configuration.ts';
import { type Cost, type Load, monthlyCost, OPERATION, total } from './cost.ts';
import { PRICES } from './prices.ts';

const LOADS: Readonly<Record<string, Load>> = {
  'at rest': { reads: 0, writes: 0, storedGb: 0.1 },
  'one person': { reads: 6_000, writes: 600, storedGb: 0.1 },
  'a team': { reads: 100_000, writes: 10_000, storedGb: 0.5 },
  'a company of agents': { reads: 3_000_000, writes: 300_000, storedGb: 5 },
};

/** The services that bill the wiki's stack. */
const SERVICES = ['lambda', 'efs', 'backup', 'cloudWatch', 'xray'] as const;

const PARTS: Readonly<Record<keyof Cost, string>> = {
  requests: 'Lambda, requests and time',
  ready: 'Lambda, environments kept ready',
  storage: 'EFS, storage',
  throughput: 'EFS, reading and writing',
  backups: 'Backups',
  logs: 'Logs',
  traces: 'Traces',
  watching: 'Alarms, dashboard, metrics',
};

/** The section on cost in docs/deploy.md; a test verifies that the document has this text. */
export function costReport(): string {
  const ready = parseConfiguration({});
  const onDemand = parseConfiguration({ function: { provisionedConcurrency: { environments: 0 } } });
  const heading = ['USD a month', ...Object.keys(LOADS)];
  return [
    `Prices of ${PRICES.date}, ${PRICES.region}, from ${SERVICES.map((service) => `<${PRICES.sources[service]}>`).join(', ')}.`,
    '',
    ...Object.entries(LOADS).map(([name, load]) => `- *${name}*: ${describe(load)}`),
    '',
    assumptions(),
    '',
    'With the free allowances that every account has each month:',
    '',
    ...table(heading, [
      ['**no environment kept ready**', ...totals(onDemand, true)],
      ['**one environment kept ready** (the default)', ...totals(ready, true)],
      ...Object.entries(PARTS).map(([part, name]) => [
        `  of which ${name}`,
        ...Object.values(LOADS).map((load) => money(monthlyCost(ready, load, true)[part as keyof Cost])),
      ]),
    ]),
    '',
    'Where the account uses its free allowances up elsewhere:',
    '',
    ...table(heading, [
      ['**no environment kept ready**', ...totals(onDemand, false)],
      ['**one environment kept ready** (the default)', ...totals(ready, false)],
    ]),
  ].join('\n');
}

function totals(configuration: Configuration, free: boolean): string[] {
  return Object.values(LOADS).map((load) => money(total(monthlyCost(configuration, load, free))));
}

function assumptions(): string {
  const { read, write, fileRequestGb, logGb } = OPERATION;
  return (
    `A read is taken to run for ${read.seconds * 1000} ms and to ask the file system ${read.fileRequests} times, a write for ` +
    `${write.seconds * 1000} ms and ${write.fileRequests} times, each request counted as ${(fileRequestGb * 1e9) / 1024} KiB; ` +
    `an operation writes ${logGb * 1e6} kB of logs and one trace. Tax, and what a client pays for its model, are not in it.`
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
