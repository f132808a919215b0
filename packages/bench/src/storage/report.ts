import type { Measurement } from './local.ts';
import type { Costs } from './round-trips.ts';
import type { Summary } from './samples.ts';

export interface StorageReport {
  pages: number;
  /** Of the fixed piece of work in `calibrate`. */
  calibration_ms: number;
  /** On a local disk, by engine and operation. */
  engines: Record<string, Record<string, Measurement>>;
  /** On NFS, by added round-trip time. */
  nfs: { roundTripMs: number; engines: Record<string, Costs> }[];
}

/** As Markdown. */
export function reportOf({ pages, calibration_ms, engines, nfs }: StorageReport): string {
  const local = table(
    engines,
    ({ median_ms, p95_ms, peak_rss_mb }) => `${median_ms} / ${p95_ms} (${peak_rss_mb})`,
  );
  const mounts = nfs.map(
    (run) =>
      `On NFS, round trip +${run.roundTripMs} ms: RPCs mean / most, and median ms.\n\n${table(run.engines, cost)}`,
  );
  const told = `${pages} pages and commits; calibration ${calibration_ms} ms.`;
  return [`${told} Local disk: median / p95 in ms (peak memory in MB).`, local, ...mounts].join('\n\n');
}

function cost({ rpcsMean, rpcsMost, millisecondsMedian }: Summary): string {
  return `${rpcsMean.toFixed(1)} / ${rpcsMost}, ${millisecondsMedian.toFixed(1)} ms`;
}

/** A row for each operation, a column for each engine. */
function table<Value>(
  engines: Record<string, Record<string, Value>>,
  cell: (value: Value) => string,
): string {
  const names = Object.keys(engines);
  const operations = new Set(Object.values(engines).flatMap((results) => Object.keys(results)));
  const rows = [...operations].map((operation) => {
    const cells = names.map((name) => {
      const value = engines[name]?.[operation];
      return value === undefined ? '' : cell(value);
    });
    return `| ${operation} | ${cells.join(' | ')} |`;
  });
  return [`| operation | ${names.join(' | ')} |`, `| --- |${' --- |'.repeat(names.length)}`, ...rows].join(
    '\n',
  );
}
