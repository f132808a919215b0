import { parseJournal } from '../journal.ts';
import { brokenLines, nothingMeasured, opening } from '../report/opening.ts';
import { type Cell, table } from '../report/table.ts';
import type { Report } from '../report/write-report.ts';
import type { Summary } from '../statistics/summary.ts';
import { kinds, type Phase0Entry, phase0Entry, type System, systems } from './entry.ts';
import { criteriaOf, measureOf } from './measures.ts';
import { partsTable, targetsTable } from './parts.ts';
import { drawCalls, drawColdStarts, kindNames } from './plots.ts';
import { published, publishedCounts } from './published.ts';

const title = 'Phase 0: git on a shared file system, through Lambda';

const RUNTIME =
  'Medians of the function time in milliseconds. The empty function is a Node function that returns at once, in the same run: no Node function can take less.';

/** The report of a file of results. */
export async function reportPhase0(
  text: string,
  file: string,
  command: string,
  standIns: readonly string[],
): Promise<Report> {
  const { head, entries, broken } = parseJournal(text, phase0Entry);
  const [first] = entries;
  if (first === undefined) {
    return { title, markdown: nothingMeasured(title, file) + brokenLines(file, broken), plots: {} };
  }
  const ended = entries.at(-1)?.time ?? first.time;
  const measured = systems.filter((system) => entries.some((entry) => entry.system === system));
  const parts = [
    opening({ title, command, began: head?.began ?? first.time, ended, machine: head?.machine, standIns }),
    '## Exit criteria',
    criteriaTable(entries),
    '## Every measure',
    'In milliseconds. `function` is the time of the function itself, the start included where there was one; `wall` is what the caller waited. The published run is that of dulwich on AWS: another machine and a real network, so that its milliseconds cannot be compared with those of a lab.',
    measureTable(entries, measured),
    '![Each call by kind and system, on a logarithmic axis of milliseconds](plot:calls)',
    ...(measured.includes('dulwich') ? ['## Beside dulwich', ratios(entries)] : []),
    ...(measured.includes('empty')
      ? ['## What the runtime itself costs', RUNTIME, targetsTable(entries)]
      : []),
    '## What a warm read is made of',
    partsTable(entries, 'read'),
    '## What a cold start is made of',
    partsTable(entries, 'cold'),
    '![The parts of each cold start as a bar](plot:cold-starts)',
    describeErrors(entries, measured),
  ];
  return {
    title,
    markdown: `${parts.filter((part) => part !== '').join('\n\n')}\n${brokenLines(file, broken)}`,
    plots: { calls: await drawCalls(entries), 'cold-starts': await drawColdStarts(entries) },
  };
}

function criteriaTable(entries: readonly Phase0Entry[]): string {
  const publishedFound = [
    'p95 3,524 ms, mean 3,407 ms',
    'p95 282 ms, mean 272 ms',
    'not published',
    `${publishedCounts.reads} answered`,
    `${publishedCounts.writes} landed`,
  ];
  const rows = criteriaOf(entries, 'ours').map(({ name, limit, passed, found }, index) => {
    const verdict = passed === null ? 'not measured' : passed ? 'PASS' : 'FAIL';
    return [name, limit, `**${verdict}**`, found, publishedFound[index] ?? null];
  });
  return table(['criterion', 'limit', 'ours', 'found', 'published (dulwich)'], rows);
}

function measureTable(entries: readonly Phase0Entry[], measured: readonly System[]): string {
  const rows: Cell[][] = [];
  for (const kind of kinds) {
    for (const time of ['function', 'wall'] as const) {
      for (const system of measured) {
        const { [time]: summary, calls } = measureOf(entries, system, kind);
        // The empty function neither writes nor reads at the same time as others.
        if (system === 'empty' && calls === 0) continue;
        rows.push([kindNames[kind], time, system, ...cellsOf(summary)]);
      }
      const bar: Partial<Summary> | null = published[kind][time];
      if (bar !== null) rows.push([kindNames[kind], time, 'published', ...cellsOf(bar)]);
    }
    if (kind !== 'write') continue;
    for (const system of measured.filter((each) => each !== 'empty')) {
      const { commit } = measureOf(entries, system, kind);
      rows.push(['of it, the commit', 'function', system, ...cellsOf(commit)]);
    }
  }
  return table(['measure', 'time', 'of', 'number', 'mean', 'median', 'p95', 'min', 'max'], rows);
}

function cellsOf(summary: Partial<Summary> | null): Cell[] {
  const { count, mean, median, p95, min, max } = summary ?? {};
  return [count, mean, median, p95, min, max].map((value) => value ?? null);
}

/** dulwich's time over ours, by the median: above 1 ours is faster. */
function ratios(entries: readonly Phase0Entry[]): string {
  const rows = kinds.map((kind) => {
    const [ours, theirs] = [measureOf(entries, 'ours', kind), measureOf(entries, 'dulwich', kind)];
    const ratio = (time: 'function' | 'wall') =>
      ours[time] && theirs[time] ? theirs[time].median / ours[time].median : null;
    const counts =
      kind === 'writes'
        ? `${ours.landed} of ${ours.calls} / ${theirs.landed} of ${theirs.calls} landed`
        : `${ours.calls - ours.errors.length} of ${ours.calls} / ${theirs.calls - theirs.errors.length} of ${theirs.calls}`;
    return [kindNames[kind], ratio('function'), ratio('wall'), counts];
  });
  return [
    "dulwich's median over ours, in the same lab and in the same way: init, add and commit by its porcelain, in AWS's runtime for Python. Above 1 ours is faster.",
    table(['measure', 'function', 'wall', 'succeeded, ours / dulwich'], rows),
  ].join('\n\n');
}

/**
 * The messages of failed simultaneous calls, one of each kind. The kind is the part before the first colon.
 */
function describeErrors(entries: readonly Phase0Entry[], measured: readonly System[]): string {
  const lines = measured.flatMap((system) => {
    const errors = entries.filter((entry) => entry.system === system).flatMap((entry) => entry.errors);
    const kindsOfError = Map.groupBy(errors, (error) => error.split(':', 1)[0]);
    return [...kindsOfError.values()].map(
      (same) =>
        `- ${system}, ${same.length === 1 ? 'once' : `${same.length} times, such as`}: ${same[0]?.replaceAll('\n', ' ').slice(0, 200)}`,
    );
  });
  return lines.length === 0 ? '' : `## Calls that failed\n\n${lines.join('\n')}`;
}
