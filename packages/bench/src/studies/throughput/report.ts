import { mean } from 'simple-statistics';
import { parseJournal } from '../journal.ts';
import { brokenLines, nothingMeasured, opening } from '../report/opening.ts';
import { type Cell, table } from '../report/table.ts';
import type { Report } from '../report/write-report.ts';
import { confidenceBand, summaryOf } from '../statistics/summary.ts';
import { type ThroughputEntry, throughputEntry } from './entry.ts';
import { drawMeans, drawRepetitions } from './plots.ts';
import { type Mode, modes, publishedSets } from './record.ts';

const title = 'Throughput modes: Elastic against Bursting';

/** The published run: ten files together, in milliseconds. */
const published: Readonly<Record<string, { elastic: number; bursting: number; difference: number }>> = {
  '1 KB': { elastic: 95.2, bursting: 100.6, difference: -5.37 },
  '1 MB': { elastic: 366.2, bursting: 369.8, difference: -0.97 },
  '100 MB': { elastic: 12_161, bursting: 17_081, difference: -28.8 },
};

/** The report of a file of results. */
export async function reportThroughput(
  text: string,
  file: string,
  command: string,
  standIns: readonly string[],
): Promise<Report> {
  const { head, entries, broken } = parseJournal(text, throughputEntry);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) {
    return { title, markdown: nothingMeasured(title, file) + brokenLines(file, broken), plots: {} };
  }
  const { files } = first;
  const parts = [
    opening({
      title,
      command,
      began: head?.began ?? first.time,
      ended: last.time,
      machine: head?.machine,
      standIns,
    }),
    `Two identical functions, each on a file system of its own, write ${files} files of each size, one after another. The time is that of ${files} files together, in open, write and close alone.`,
    '## Averages',
    averages(entries),
    'Difference: how much less (−) or more (+) time Elastic takes than Bursting, in percent of Bursting. Published: that of the run on AWS.',
    '![Mean time of each size, Elastic beside Bursting, with 95 % confidence intervals](plot:means)',
    '## Every repetition',
    repetitions(entries),
    '![Time of each repetition by size and mode](plot:repetitions)',
  ];
  return {
    title,
    markdown: `${parts.join('\n\n')}\n${brokenLines(file, broken)}`,
    plots: { means: await drawMeans(entries), repetitions: await drawRepetitions(entries) },
  };
}

/** In percent of Bursting; null if one of the two is missing. */
function differenceOf(entries: readonly ThroughputEntry[], set: string): number | null {
  const [elastic, bursting] = modes.map((mode) => timesOf(entries, set, mode));
  if (!elastic?.length || !bursting?.length) return null;
  return (mean(elastic) / mean(bursting) - 1) * 100;
}

function averages(entries: readonly ThroughputEntry[]): string {
  const rows = setsOf(entries).map((set): Cell[] => {
    const reported = published[set];
    const cells = modes.flatMap((mode) => {
      const times = timesOf(entries, set, mode);
      const band = confidenceBand(times);
      return [summaryOf(times)?.mean ?? null, band && (band.high - band.low) / 2];
    });
    return [
      set,
      ...cells,
      percent(differenceOf(entries, set)),
      reported?.elastic ?? null,
      reported?.bursting ?? null,
      percent(reported?.difference ?? null),
    ];
  });
  return table(
    [
      'files of',
      'Elastic (ms)',
      '±',
      'Bursting (ms)',
      '±',
      'difference',
      'published: Elastic (ms)',
      'Bursting (ms)',
      'difference',
    ],
    rows,
  );
}

function percent(value: number | null): string | null {
  return value === null ? null : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)} %`;
}

function repetitions(entries: readonly ThroughputEntry[]): string {
  const rows = setsOf(entries).flatMap((set) =>
    modes.map((mode): Cell[] => {
      const { count, mean: average, median, p95, min, max } = summaryOf(timesOf(entries, set, mode)) ?? {};
      const bytes = entries.find((entry) => entry.set === set);
      const pace = bytes && average && (bytes.bytes * bytes.files) / 2 ** 20 / (average / 1000);
      return [set, mode, ...[count, average, median, p95, min, max, pace].map((value) => value ?? null)];
    }),
  );
  return table(['files of', 'mode', 'number', 'mean (ms)', 'median', 'p95', 'min', 'max', 'MiB/s'], rows);
}

function timesOf(entries: readonly ThroughputEntry[], set: string, mode: Mode): number[] {
  return entries
    .filter((entry) => entry.set === set && entry.mode === mode)
    .map((entry) => entry.duration_ms);
}

/** The published sizes first, in their order. */
function setsOf(entries: readonly ThroughputEntry[]): string[] {
  const known = publishedSets.map(({ name }) => name);
  const found = new Set(entries.map(({ set }) => set));
  return [...known.filter((name) => found.has(name)), ...[...found].filter((name) => !known.includes(name))];
}
