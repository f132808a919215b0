import { LEASE_RENEWAL } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { table } from '../markdown-table.ts';
import type { Results, StorageReport } from './results.ts';
import type { Summary } from './samples.ts';
import { type Operation, operations } from './workload.ts';

/** As Markdown: the tables, and below them what could not be measured. */
export function markdownOf({ pages, flat, absent, local, nfs }: StorageReport): string {
  const sections = [
    `${pages} pages${flat ? ' in one folder' : ''} and as many commits. Local disk, in ms: median / p95 / least, or the one sample where that took seconds, and how many times the median of ours it is; calibration: what a fixed piece of work took just before, the least and the most of the row.\n\n${timesByOperation(local)}`,
    `Writes on the local disk, in ms:\n\n${writes(local)}`,
    `Peak memory on the local disk in MB, of the process from its start on:\n\n${memory(local)}`,
  ];
  if (nfs !== null) {
    sections.push(
      `NFS: RPCs in the mean (most), how many times those of ours, and kB read in the mean:\n\n${roundTrips(nfs.counted)}`,
      `<details><summary>NFS: RPCs by kind, in the mean</summary>\n\n${kinds(nfs.counted)}\n\n</details>`,
      `NFS: peak memory in MB:\n\n${memory(nfs.counted)}`,
    );
    if (operationsOf(nfs.delayed, Object.keys(nfs.delayed)).length > 0) {
      sections.push(
        `NFS with 1 ms more for a round trip, in ms:\n\n${timesByOperation(nfs.delayed)}`,
        `Writes on NFS with 1 ms more for a round trip, in ms:\n\n${writes(nfs.delayed)}`,
      );
    }
  }
  const gaps = [
    ...absent,
    ...gapsOf(local, 'local'),
    ...gapsOf(nfs?.counted ?? {}, 'NFS'),
    ...gapsOf(nfs?.delayed ?? {}, 'NFS, +1 ms'),
  ];
  if (gaps.length > 0) sections.push(['Not measured:\n', ...gaps.map((gap) => `- ${gap}`)].join('\n'));
  return sections.join('\n\n');
}

function timesByOperation(results: Results): string {
  const names = readers(results);
  const rows = operationsOf(results, names).map((operation) => {
    const ours = measured(results, 'ours', operation);
    const summaries = names.map((name) => measured(results, name, operation));
    return [
      operation,
      ...summaries.map((summary) => (summary ? time(summary, ours) : '')),
      calibration(summaries.filter((summary) => summary !== null)),
    ];
  });
  return table(['operation', ...names, 'calibration'], rows);
}

function writes(results: Results): string {
  const ours = measured(results, 'ours', 'write');
  const rows = Object.keys(results).flatMap((name) => {
    const summary = measured(results, name, 'write');
    const synced = name === 'ours' || name.endsWith('_synced') ? 'yes' : 'no';
    if (summary === null) return [];
    const mean = `${short(summary.milliseconds.mean)}${ratio(summary.milliseconds.mean, ours?.milliseconds.mean)}`;
    return [[name, synced, time(summary, ours), mean, calibration([summary])]];
  });
  return table(['engine', 'synced', 'write', 'mean', 'calibration'], rows);
}

function memory(results: Results): string {
  const names = readers(results);
  const rows = operationsOf(results, names).map((operation) => {
    const cells = names.map((name) => measured(results, name, operation)?.peakRssMegabytes);
    return [operation, ...cells.map((megabytes) => megabytes?.toFixed(0) ?? '')];
  });
  return table(['operation', ...names], rows);
}

function roundTrips(results: Results): string {
  const names = Object.keys(results);
  const rows = operationsOf(results, names).map((operation) => {
    const ours = measured(results, 'ours', operation)?.mount;
    const cells = names.map((name) => {
      const { mount, stale = 0, failed = 0 } = measured(results, name, operation) ?? {};
      if (!mount) return '';
      const reported = `${mount.rpcsMean.toFixed(1)} (${mount.rpcsMost})`;
      const bytes = `${(mount.bytesReadMean / 1000).toFixed(0)} kB`;
      const misses = [stale > 0 ? `, ${stale} more stale` : '', failed > 0 ? `, ${failed} more failed` : ''];
      return `${reported}${ratio(mount.rpcsMean, ours?.rpcsMean)}, ${bytes}${misses.join('')}`;
    });
    return [operation, ...cells];
  });
  return table(['operation', ...names], rows);
}

function kinds(results: Results): string {
  const rows = operationsOf(results, Object.keys(results)).flatMap((operation) =>
    Object.keys(results).flatMap((name) => {
      const mount = measured(results, name, operation)?.mount;
      return mount ? [[operation, name, kindsOf(mount.rpcsByKindMean)]] : [];
    }),
  );
  return table(['operation', 'engine', 'RPCs'], rows);
}

function kindsOf(rpcsByKind: Readonly<Record<string, number>>): string {
  const reported = Object.entries(rpcsByKind).filter(
    ([kind, mean]) => kind !== LEASE_RENEWAL && mean >= 0.05,
  );
  const most = reported.toSorted(([, one], [, other]) => other - one);
  return most.map(([kind, mean]) => `${kind} ${mean.toFixed(1)}`).join(', ');
}

/** A line for each reason that an engine gave, with the operations that it holds for. */
function gapsOf(results: Results, where: string): string[] {
  const reasons = Object.entries(results).flatMap(([name, engine]) =>
    Object.entries(engine).flatMap(([operation, result]) =>
      typeof result === 'string' ? [{ name, operation, reason: result }] : [],
    ),
  );
  const alike = Object.groupBy(reasons, ({ name, reason }) => `${name}\n${reason}`);
  return Object.values(alike).flatMap((same = []) => {
    const reported = same.map(({ operation }) => operation).join(', ');
    return same.slice(0, 1).map(({ name, reason }) => `${where}, ${name}, ${reported}: ${reason}`);
  });
}

/** The engines of which more is measured than another way to write. */
function readers(results: Results): string[] {
  return Object.keys(results).filter((name) => Object.keys(results[name] ?? {}).length > 1);
}

function operationsOf(results: Results, names: readonly string[]): Operation[] {
  return operations.filter((operation) => names.some((name) => measured(results, name, operation) !== null));
}

function measured(results: Results, name: string, operation: Operation): Summary | null {
  const result = results[name]?.[operation];
  return result === undefined || typeof result === 'string' ? null : result;
}

function time({ count, milliseconds }: Summary, ours: Summary | null): string {
  const { median, p95, least } = milliseconds;
  const times = count === 1 ? [median] : [median, p95, least];
  return `${times.map(short).join(' / ')}${ratio(median, ours?.milliseconds.median)}`;
}

/** Nothing beside ours itself. */
function ratio(value: number, ours: number | undefined): string {
  return ours === undefined || value === ours ? '' : ` ×${Number((value / ours).toPrecision(2))}`;
}

function calibration(summaries: readonly Summary[]): string {
  const times = summaries.map(({ calibrationMilliseconds }) => calibrationMilliseconds);
  const [least, most] = [Math.min(...times), Math.max(...times)].map(short);
  return least === most ? `${least}` : `${least} to ${most}`;
}

function short(milliseconds: number): number {
  return Number(milliseconds.toPrecision(3));
}
