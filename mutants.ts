import { execFileSync } from 'node:child_process';
import { globSync, rmSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { changedLines } from './changed-lines.ts';
import { chooseSuites } from './vitest.mutants.config.ts';

/**
 * `pnpm test:mutants PATH...`: changes one thing after another in these files, and runs the suites nearest to them each
 * time. A change that no test notices is printed.
 */

/** The suites that must notice a change below a folder. A folder that is not listed has the tests below it alone. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  'packages/wiki/src/core/scope/': [
    'packages/wiki/src/core/scope/*.test.ts',
    'packages/wiki/test/operations/scope/*.test.ts',
    'packages/wiki/test/operations/scope/model/*.test.ts',
  ],
  'packages/wiki/src/core/text/links/': [
    'packages/wiki/src/core/text/links/*.test.ts',
    'packages/wiki/test/operations/links.test.ts',
  ],
  'packages/wiki/src/core/relinking/': [
    'packages/wiki/src/core/relinking/*.test.ts',
    'packages/wiki/test/operations/links.test.ts',
  ],
  'packages/wiki/src/contract/operations/': [
    'packages/wiki/src/contract/**/*.test.ts',
    'packages/wiki/test/contract/**/*.test.ts',
    'packages/wiki/test/operations/declared-errors.test.ts',
  ],
  'packages/wiki/src/contract/': [
    'packages/wiki/src/contract/*.test.ts',
    'packages/wiki/test/contract/**/*.test.ts',
  ],
};

const USAGE = `usage: pnpm test:mutants PATH... [--tests GLOB]... [--force]
       pnpm test:mutants --since COMMIT [--minutes N]

  PATH       a file, FILE:FIRST_LINE-LAST_LINE, or a folder: every file below it that is no test
  --since    the lines that were changed or added since this commit, one file after the other
  --minutes  ends after so many minutes (5 if not given), and names the files that it had no time for
  --tests    the suites to run, in place of those nearest to the files
  --force    tries every mutant again, not only those that a change may concern
`;

const parsed = parse();
if (parsed === null || parsed.help) {
  (parsed ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = parsed ? 0 : 2;
} else if (parsed.since !== undefined) {
  await tryChanges(parsed.since, parsed.minutes);
} else {
  await tryMutants(parsed.paths.flatMap(filesAt), parsed);
}

async function tryMutants(
  mutate: string[],
  { tests, force = false }: { tests?: string[] | undefined; force?: boolean } = {},
): Promise<void> {
  chooseSuites(tests ?? new Set(mutate.flatMap(suitesOf)));
  // pnpm gives a package only what it depends on itself, so Stryker would not find its plugin.
  const plugins = [import.meta.resolve('@stryker-mutator/vitest-runner')];
  await new Stryker({ mutate, plugins, force }).runMutationTest();
}

/** One file at a time, so that what was found is printed before the time is over. */
async function tryChanges(commit: string, minutes: number): Promise<void> {
  const diff = execFileSync('git', [
    'diff',
    '--unified=0',
    '--no-prefix',
    commit,
    '--',
    'packages/*/src/**.ts',
  ]);
  const changed = changedLines(diff.toString()).filter(([file]) => !/\.(test|lab)\.ts$/.test(file));
  const left = new Set(changed.map(([file]) => file));
  const timer = setTimeout(() => {
    process.stdout.write(`\n${minutes} minutes are over. Not tried to the end:\n${[...left].join('\n')}\n`);
    rmSync('.stryker-tmp', { recursive: true, force: true });
    process.exit(1);
  }, minutes * 60_000);
  for (const [file, ranges] of changed) {
    await tryMutants(ranges.map((range) => `${file}:${range}`));
    left.delete(file);
  }
  clearTimeout(timer);
}

function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        tests: { type: 'string', multiple: true },
        since: { type: 'string' },
        minutes: { type: 'string', default: '5' },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const minutes = Number(values.minutes);
    const asksForOne = positionals.length > 0 !== (values.since !== undefined);
    if (!values.help && (!asksForOne || !(minutes > 0))) return null;
    return { ...values, minutes, paths: positionals };
  } catch {
    return null;
  }
}

function filesAt(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [path];
  return globSync(`${path}/**/*.ts`).filter((file) => !file.endsWith('.test.ts'));
}

function suitesOf(file: string): readonly string[] {
  const folder = Object.keys(SUITES).find((each) => file.startsWith(each));
  if (folder !== undefined) return SUITES[folder] ?? [];
  return [`${file.slice(0, file.lastIndexOf('/'))}/**/*.test.ts`];
}
