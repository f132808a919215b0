import { parseJournal } from '../journal.ts';
import { brokenLines, nothingMeasured, opening } from '../report/opening.ts';
import { type Cell, formatNumber, table } from '../report/table.ts';
import type { Report } from '../report/write-report.ts';
import { confidenceBand, summaryOf } from '../statistics/summary.ts';
import {
  burstsOf,
  bySize,
  type Group,
  groupsOf,
  LARGE_MIB,
  LEVEL,
  levelsOffAt,
  modesOf,
  ratioOfMeans,
  slowdowns,
} from './analysis.ts';
import { burstTable, describeSystems } from './bursts.ts';
import { drawBySize, drawOverTime, drawServices, nameOf } from './plots.ts';
import { jitterRecord, services } from './record.ts';

const title = 'Jitter: network reads from cold starts';

/** The report of a file of results, or of any log of the probe's lines. */
export async function reportJitter(
  text: string,
  file: string,
  command: string,
  standIns: readonly string[],
): Promise<Report> {
  const { head, entries, broken } = parseJournal(text, jitterRecord);
  const records = entries.toSorted((a, b) => a.time.localeCompare(b.time));
  const [first, last] = [records[0], records.at(-1)];
  if (first === undefined || last === undefined) {
    return { title, markdown: nothingMeasured(title, file) + brokenLines(file, broken), plots: {} };
  }
  const groups = groupsOf(records);
  const bursts = burstsOf(records);
  const warm = records.filter(({ cold }) => !cold).length;
  const parts = [
    opening({ title, command, began: first.time, ended: last.time, machine: head?.machine, standIns }),
    `${formatNumber(records.length)} reads, each of one file to its end${warm === 0 ? ', all from cold starts' : `; ${formatNumber(warm)} were not from a cold start`}. Throughput is the size over the time from opening the file, or asking for the object, to its last byte.`,
    describeSystems(records),
    '## Throughput',
    throughputTable(groups),
    "The band is the 95 % confidence interval of the mean by Student's t; a size with fewer than three reads has none.",
    ratios(groups),
    '![Throughput by file size, a panel for each service and store: each read, the mean of each size, and its 95 % confidence band](plot:by-size)',
    '## Lambda against Fargate',
    '![Mean throughput by file size, Lambda and Fargate in one panel for each store, with 95 % confidence bands](plot:services)',
    '## Over time',
    '![Throughput of each read in the order of time, a panel for each store](plot:over-time)',
    '## Slowdown',
    'The baseline is the fastest read of the same size by the same service from the same store; a size that was read once has none. Published: 9.47 times in the mean in Fargate, up to 13.8.',
    slowdownTable(groups),
    ...(bursts.length > 0
      ? [
          '## Bursts of tasks',
          'So many tasks of Fargate were started at once, and each read a file of the same size from EFS. Published: tasks that were started together showed the jitter that the study is about; their number is not known here.',
          burstTable(bursts, groups),
        ]
      : []),
    '## By size',
    'Published: 500 MiB took between 1.1 and 15.8 s.',
    sizeTable(groups),
    levels(groups),
    '## Two modes?',
    `Hartigan's dip test (its p by simulation) on the throughput of files from ${LARGE_MIB} MiB on; where p is below 0.05 the values are parted in two by least squares (k-means in one dimension). Published: EFS has two modes.`,
    modesTable(groups),
  ];
  return {
    title,
    markdown: `${parts.filter((part) => part !== '').join('\n\n')}\n${brokenLines(file, broken)}`,
    plots: {
      'by-size': await drawBySize(groups),
      services: await drawServices(groups),
      'over-time': await drawOverTime(groups),
    },
  };
}

function throughputTable(groups: readonly Group[]): string {
  const rows = groups.map((group): Cell[] => {
    const values = group.records.map((record) => record.mib_per_s);
    const { count, mean, median, p95, min, max } = summaryOf(values) ?? {};
    const band = confidenceBand(values);
    const interval = band && `${formatNumber(band.low)} to ${formatNumber(band.high)}`;
    return [
      nameOf(group),
      ...[count, mean].map((value) => value ?? null),
      interval,
      ...[median, p95, min, max].map((value) => value ?? null),
    ];
  });
  return table(['MiB/s', 'reads', 'mean', '95 % band', 'median', 'p95', 'min', 'max'], rows);
}

function ratios(groups: readonly Group[]): string {
  const lines = services.flatMap((service) => {
    const ratio = ratioOfMeans(groups, service);
    return ratio === null ? [] : [`${formatNumber(ratio)} in ${service === 'lambda' ? 'Lambda' : 'Fargate'}`];
  });
  return lines.length === 0
    ? ''
    : `Mean throughput from EFS over that from S3: ${lines.join(', ')} (published: 3).`;
}

function slowdownTable(groups: readonly Group[]): string {
  const rows = groups.map((group): Cell[] => {
    const { count = 0, mean = null, median = null, max = null } = slowdowns(group) ?? {};
    return [nameOf(group), count, mean, median, max];
  });
  return table(['times the baseline', 'reads', 'mean', 'median', 'max'], rows);
}

function sizeTable(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) =>
    bySize(group).map(({ size_mib, records, mean, band }): Cell[] => {
      const seconds = records.map((record) => record.duration_ms / 1000);
      const interval = band && `${formatNumber(band.low)} to ${formatNumber(band.high)}`;
      return [
        nameOf(group),
        size_mib,
        records.length,
        mean,
        interval,
        Math.min(...seconds),
        Math.max(...seconds),
      ];
    }),
  );
  return table(['', 'size (MiB)', 'reads', 'mean (MiB/s)', '95 % band', 'fastest (s)', 'slowest (s)'], rows);
}

function levels(groups: readonly Group[]): string {
  const lines = groups
    .filter((group) => group.store === 's3')
    .map((group) => {
      const at = levelsOffAt(group);
      return at === null
        ? `${nameOf(group)} does not level off`
        : `${nameOf(group)} levels off at ${formatNumber(at)} MiB`;
    });
  return lines.length === 0
    ? ''
    : `${lines.join('; ')} (published: about 300 MiB): from there on every size has at least ${LEVEL * 100} % of the highest mean.`;
}

function modesTable(groups: readonly Group[]): string {
  const rows = groups.map((group): Cell[] => {
    const { test, count, modes } = modesOf(group);
    if (test === null) return [nameOf(group), count, null, null, 'too few reads to say'];
    const found = modes.map(
      ({ mean, share }) => `${formatNumber(mean)} MiB/s (${formatNumber(share * 100)} %)`,
    );
    const p = test.p === 0 ? '< 0.0005' : formatNumber(test.p);
    return [
      nameOf(group),
      count,
      test.dip,
      p,
      found.length === 0 ? 'one mode is not ruled out' : `two: ${found.join(' and ')}`,
    ];
  });
  return table(['', 'reads', 'dip', 'p', 'modes'], rows);
}
