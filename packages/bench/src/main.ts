/** `pnpm bench SUITE ...`: each suite is loaded only when it is asked for, and answers with its report. */
const suites: Record<string, () => Promise<(args: readonly string[]) => Promise<string>>> = {
  index: async () => (await import('./index/bench-index.ts')).benchIndex,
  storage: async () => (await import('./storage/bench-storage.ts')).benchStorage,
  'index-engines': async () => (await import('./index/compare-engines.ts')).benchEngines,
  lambda: async () => (await import('./lambda/bench-lambda.ts')).benchLambda,
  'search-quality': async () => (await import('./search-quality/search-quality.ts')).benchSearchQuality,
};

const [name = '', ...args] = process.argv.slice(2);
const load = suites[name];
if (load === undefined) {
  process.stderr.write(`Usage: pnpm bench ${Object.keys(suites).join('|')} [options]\n`);
  process.exitCode = 2;
} else {
  const run = await load();
  process.stdout.write(`${await run(args)}\n`);
}
