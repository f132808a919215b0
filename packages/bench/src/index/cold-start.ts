import { setTimeout } from 'node:timers/promises';
import { percentile, timingOf } from './measure.ts';

const started = performance.now();
const { call, openBenchmarked } = await import('./wiki-engine.ts');
const imported = performance.now();

/** Runs as a process of its own and prints the cost of its first query as JSON. */
const [directory = '', workDirectory = '', query = '', path = ''] = process.argv.slice(2);
const readEveryMs = 20;
const opened = await openBenchmarked(directory, workDirectory);
const open = performance.now();
let progress = 0;
const countProgress = () => {
  progress += 1;
};
const search = () =>
  opened.wiki.search_pages(
    { query, mode: 'words', context_lines: 0, limit: 10 },
    { ...call, progress: countProgress },
  );
await readPage();
const begun = performance.now();
const latencies: number[] = [];
let isReady = false;
const reading = readMeanwhile();
await search();
isReady = true;
const first = performance.now();
await search();
const second = performance.now();
const peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024);
await reading;
// Closing waits for the snapshot, which is not part of any query.
await opened.close();
process.stdout.write(
  JSON.stringify({
    import_ms: Math.round(imported - started),
    open_ms: Math.round(open - imported),
    index_ms: Math.round(first - begun - (second - first)),
    query_ms: Math.round(second - first),
    first_query_ms: Math.round(open - imported + first - begun),
    progress_told: progress,
    peak_rss_mb,
    reads_meanwhile: { ...timingOf(latencies), p99_ms: percentile(latencies, 0.99) },
    closing_ms: Math.round(performance.now() - second),
  }),
);

/** Times reads of a page until the first query is answered, each from when it was due. */
async function readMeanwhile(): Promise<void> {
  for (let due = performance.now(); !isReady; due = Math.max(due + readEveryMs, performance.now())) {
    await setTimeout(Math.max(0, due - performance.now()));
    await readPage();
    latencies.push(performance.now() - due);
  }
}

function readPage(): Promise<unknown> {
  return opened.wiki.read_page({ path, mode: 'content', start_line: 1, start_char: 0 }, call);
}
