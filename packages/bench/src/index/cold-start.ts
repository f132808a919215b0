const started = performance.now();
const { call, openBenchmarked } = await import('./wiki-engine.ts');
const imported = performance.now();

/** A process of its own: what its first query takes, and of what; told as JSON. */
const [directory = '', workDirectory = '', query = ''] = process.argv.slice(2);
const opened = await openBenchmarked(directory, workDirectory);
const open = performance.now();
let progress = 0;
const tell = () => {
  progress += 1;
};
const search = () =>
  opened.wiki.search_pages(
    { query, mode: 'words', context_lines: 0, limit: 10 },
    { ...call, progress: tell },
  );
await search();
const first = performance.now();
await search();
const second = performance.now();
const peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024);
// Closing waits for the snapshot, which is not part of any query.
await opened.close();
process.stdout.write(
  JSON.stringify({
    import_ms: Math.round(imported - started),
    open_ms: Math.round(open - imported),
    index_ms: Math.round(first - open - (second - first)),
    query_ms: Math.round(second - first),
    first_query_ms: Math.round(first - imported),
    progress_told: progress,
    peak_rss_mb,
    closing_ms: Math.round(performance.now() - second),
  }),
);
