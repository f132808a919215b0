import { beforeAll, expect, test } from 'vitest';
import { type Finding, lint, type Refused, type Snippet } from './lint-snippets.ts';

/** Code that a rule other than a wall must refuse. */
const refused: Refused[] = [
  ...['packages/wiki/src/core/b.ts', 'packages/wiki/src/storage/b.ts'].map((path) => ({
    path,
    code: 'export const id = process.pid;',
    because: 'the wiki asks no process',
    rule: 'lint/style/noRestrictedGlobals',
  })),
  {
    path: 'packages/mcp-server/src/b.ts',
    code: 'export const home = process.env.HOME;',
    because: 'only configuration reads the environment',
    rule: 'lint/style/noProcessEnv',
  },
  {
    path: 'packages/mcp-server/src/c.ts',
    code: "console.error('no');",
    because: 'standard output belongs to JSON-RPC',
    rule: 'lint/suspicious/noConsole',
  },
  {
    path: 'packages/bench/src/b.ts',
    code: 'export const page: any = 1;',
    because: 'any hides mistakes',
    rule: 'lint/suspicious/noExplicitAny',
  },
  {
    path: 'packages/bench/src/c.ts',
    code: 'export default 1;',
    because: 'an export has one name',
    rule: 'lint/style/noDefaultExport',
  },
  {
    path: 'packages/bench/src/d.ts',
    code: "export * from './b.ts';",
    because: 'only a package has a barrel',
    rule: 'lint/performance/noReExportAll',
  },
  {
    path: 'packages/bench/src/e.ts',
    code: 'const write = async () => {};\nwrite();',
    because: 'a failure must reach someone',
    rule: 'lint/nursery/noFloatingPromises',
  },
  {
    path: 'packages/bench/src/f.ts',
    code: "import { g } from './g.ts';\nexport const f = () => g();",
    because: 'two files in a cycle are one',
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    path: 'packages/bench/src/g.ts',
    code: "import { f } from './f.ts';\nexport const g = () => f();",
    because: 'two files in a cycle are one',
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    path: 'packages/bench/src/h.ts',
    code: 'export const line = 1;\n'.repeat(301),
    because: 'a file has 300 lines at most',
    rule: 'lint/style/noExcessiveLinesPerFile',
  },
  {
    path: 'packages/bench/src/tangled.ts',
    code: `export function tangled(n: number) {${' if (n) { for (;;) {'.repeat(4)}${'}'.repeat(8)} }`,
    because: 'a function that is hard to follow is several',
    rule: 'lint/complexity/noExcessiveCognitiveComplexity',
  },
  {
    path: 'packages/bench/src/i.test.ts',
    code: "import { test } from 'vitest';\ntest.only('this alone', () => {});",
    because: 'the other tests count too',
    rule: 'lint/suspicious/noFocusedTests',
  },
  {
    path: 'packages/bench/src/j.test.ts',
    code: "import { test } from 'vitest';\ntest.skip('never', () => {});",
    because: 'a test that never runs is none',
    rule: 'lint/suspicious/noSkippedTests',
  },
];

/** Code that the same rules must let through. */
const allowed: Snippet[] = [
  { path: 'packages/mcp-server/src/config.ts', code: 'export const home = process.env.HOME;' },
  { path: 'packages/bench/vitest.config.ts', code: 'export default {};' },
];

let found: Finding[];

beforeAll(async () => {
  found = await lint([...refused, ...allowed]);
});

test.each(refused)('$path is refused, as $because: $code', ({ path, rule }) => {
  expect(
    found.filter((diagnostic) => diagnostic.path === path).map((diagnostic) => diagnostic.rule),
  ).toContain(rule);
});

test.each(allowed)('$path is allowed: $code', ({ path }) => {
  expect(found.filter((diagnostic) => diagnostic.path === path)).toEqual([]);
});
