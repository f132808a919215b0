import { globSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
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
  'packages/wiki/src/contract/': [
    'packages/wiki/src/contract/*.test.ts',
    'packages/wiki/test/contract/**/*.test.ts',
  ],
};

const USAGE = `usage: pnpm test:mutants PATH... [--tests GLOB]... [--force]

  PATH     a file, FILE:FIRST_LINE-LAST_LINE, or a folder: every file below it that is no test
  --tests  the suites to run, in place of those nearest to the files
  --force  tries every mutant again, not only those that a change may concern
`;

const parsed = parse();
if (parsed === null || parsed.help) {
  (parsed ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = parsed ? 0 : 2;
} else {
  const mutate = parsed.paths.flatMap(filesAt);
  chooseSuites(parsed.tests ?? new Set(mutate.flatMap(suitesOf)));
  // pnpm gives a package only what it depends on itself, so Stryker would not find its plugin.
  const plugins = [import.meta.resolve('@stryker-mutator/vitest-runner')];
  await new Stryker({ mutate, plugins, force: parsed.force }).runMutationTest();
}

function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        tests: { type: 'string', multiple: true },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return positionals.length === 0 && !values.help ? null : { ...values, paths: positionals };
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
