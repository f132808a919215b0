import { table } from '../markdown-table.ts';
import type { Timing } from './measure.ts';

export interface IndexReport {
  pages: number;
  /** Time of the fixed piece of work in `calibrate`. */
  calibration_ms: number;
  engines: Record<'ours' | 'git' | 'ripgrep' | 'fts5', Record<string, Timing>>;
  catch_up: { after_commit: Timing; without: Timing };
  /** The first query of a process that finds no snapshot, and of one that finds one. */
  build: ColdStart;
  cold: ColdStart;
  snapshot_bytes: number;
}

export interface ColdStart {
  import_ms: number;
  open_ms: number;
  /** Building the index, or loading the snapshot. */
  index_ms: number;
  query_ms: number;
  first_query_ms: number;
  progress_told: number;
  /** Times of reads of a page until then, each from when it was due. */
  reads_meanwhile: Timing & { p99_ms: number };
  peak_rss_mb: number;
  closing_ms: number;
}

/** As Markdown. */
export function reportOf({
  pages,
  calibration_ms,
  engines,
  catch_up,
  build,
  cold,
  snapshot_bytes,
}: IndexReport): string {
  const { ours, git, ripgrep, fts5 } = engines;
  const rows = Object.entries(ours).map(([operation, mine]) => {
    const cells = [mine, git[operation], ripgrep[operation], fts5[operation]].map(cell);
    const rival = ripgrep[operation] ?? git[operation];
    const times =
      rival === undefined
        ? ''
        : `${(rival.median_ms / mine.median_ms).toFixed(1)} (p95 ${(rival.p95_ms / mine.p95_ms).toFixed(1)})`;
    return [operation, ...cells, times];
  });
  return `${pages} pages and commits; calibration ${calibration_ms} ms. Median / p95 in ms.

${table(['operation', 'ours', 'native git', 'ripgrep', 'FTS5', 'times faster than ripgrep or git'], rows)}

- First query after a commit: ${cell(catch_up.after_commit)} ms; the same with nothing to catch up: ${cell(catch_up.without)} ms.
- First query of a process without a snapshot: ${describe(build)}
- With a snapshot: ${describe(cold)}
- Snapshot: ${(snapshot_bytes / 1e6).toFixed(1)} MB.
`;
}

function cell(timing: Timing | undefined): string {
  return timing === undefined ? '' : `${timing.median_ms} / ${timing.p95_ms}`;
}

function describe(start: ColdStart): string {
  const { first_query_ms, open_ms, index_ms, query_ms, import_ms, peak_rss_mb, progress_told } = start;
  const { median_ms, p95_ms, p99_ms } = start.reads_meanwhile;
  return (
    `${first_query_ms} ms, of which opening the wiki ${open_ms}, the index ${index_ms}, the query ${query_ms} ` +
    `(import before it ${import_ms} ms; peak memory ${peak_rss_mb} MB with the heap of a function of 512 MB; progress reported ${progress_told} times). Reads of a page meanwhile: median ${median_ms}, p95 ${p95_ms}, p99 ${p99_ms} ms.`
  );
}
