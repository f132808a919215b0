import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Snippet {
  path: string;
  code: string;
}

const IMPORTS = 'lint/style/noRestrictedImports';

/** What each wall must refuse, with the rule that refuses it. */
const refused: (Snippet & { because: string; rule: string })[] = [
  ...imports('packages/wiki/src/contract/operations/a.ts', 'the contract rests on zod alone', [
    '../../core/session.ts',
    '../../git/objects.ts',
    '../../storage/storage.ts',
    '../../index/scan-index.ts',
    '../../open-wiki.ts',
    '@pagetree/wiki',
    'node:crypto',
    'yaml',
  ]),
  ...imports('packages/wiki/src/core/operations/a.ts', 'the core imports the contract alone', [
    '../../git/objects.ts',
    '../../storage/storage.ts',
    '../../index/scan-index.ts',
    '../../open-wiki.ts',
    '@pagetree/wiki',
    'isomorphic-git',
    '@modelcontextprotocol/sdk/types.js',
    '@aws-sdk/client-lambda',
    'node:fs',
    'node:fs/promises',
    'node:process',
  ]),
  ...imports('packages/wiki/src/storage/a.ts', 'the storage imports nothing else of ours', [
    '../contract/errors.ts',
    '../core/ports.ts',
    '../git/objects.ts',
    '../index/scan-index.ts',
    '../open-wiki.ts',
    '@pagetree/wiki/contract',
    'isomorphic-git',
  ]),
  ...imports('packages/wiki/src/git/a.ts', "git imports the storage and the core's ports", [
    '../contract/dispatch.ts',
    '../core/session.ts',
    '../core/text/links.ts',
    '../index/scan-index.ts',
    '../open-wiki.ts',
    'node:fs/promises',
  ]),
  ...imports('packages/wiki/src/index/a.ts', "the index imports the core's ports", [
    '../contract/dispatch.ts',
    '../core/session.ts',
    '../git/objects.ts',
    '../storage/storage.ts',
    '../open-wiki.ts',
    'isomorphic-git',
  ]),
  ...imports('packages/wiki/src/a.ts', 'the wiki knows no MCP, no AWS and no process', [
    '@modelcontextprotocol/sdk/types.js',
    '@aws-sdk/client-lambda',
    'node:process',
  ]),
  ...imports('packages/mcp-server/src/tools/a.ts', 'an app imports the wiki by its exports', [
    '../../../wiki/src/core/session.ts',
    '@pagetree/wiki/src/core/session.ts',
    '@pagetree/wiki-lambda',
  ]),
  ...imports('packages/wiki-lambda/src/a.ts', 'an app imports the wiki by its exports', [
    '../../wiki/src/core/session.ts',
    '@pagetree/mcp-server',
    '@modelcontextprotocol/sdk/types.js',
  ]),
  ...imports('packages/bench/src/a.ts', 'a benchmark imports the wiki and the prices by what is exported', [
    '../../wiki/src/core/session.ts',
    '@pagetree/infra',
    '@modelcontextprotocol/sdk/types.js',
  ]),
  ...imports('packages/infra/src/a.ts', 'the infrastructure knows built files alone', [
    '../../wiki-lambda/src/handler.ts',
    '@pagetree/wiki-lambda',
    '@pagetree/wiki',
  ]),
  ...['packages/wiki/src/core/b.ts', 'packages/wiki/src/storage/b.ts'].map((path) => ({
    path,
    code: 'export const id = process.pid;',
    because: 'the wiki asks no process',
    rule: 'lint/style/noRestrictedGlobals',
  })),
  {
    path: 'packages/wiki/src/core/d.ts',
    code: "export type { Storage } from '../storage/storage.ts';",
    because: 'a type is an import too',
    rule: IMPORTS,
  },
  {
    path: 'packages/wiki/src/core/c.ts',
    code: "export const load = () => import('isomorphic-git');",
    because: 'a lazy import is an import',
    rule: IMPORTS,
  },
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

/** What the walls must let through. */
const allowed: Snippet[] = [
  ...imports('packages/wiki/src/contract/operations/y.ts', '', ['zod', '../errors.ts', './reading.ts']),
  ...imports('packages/wiki/src/core/operations/y.ts', '', [
    '../../contract/errors.ts',
    '../ports.ts',
    'yaml',
  ]),
  ...imports('packages/wiki/src/storage/y.ts', '', ['./storage.ts', 'node:fs/promises']),
  ...imports('packages/wiki/src/git/y.ts', '', [
    '../storage/storage.ts',
    '../core/index-port.ts',
    '../core/ports.ts',
    '../contract/errors.ts',
    'isomorphic-git',
  ]),
  ...imports('packages/wiki/src/index/y.ts', '', [
    '../core/index-port.ts',
    '../core/ports.ts',
    '../core/page-path.ts',
    '../core/text/links.ts',
    '../contract/ids.ts',
    'node:sqlite',
  ]),
  ...imports('packages/wiki/src/y.ts', '', ['./core/wiki.ts', './storage/storage.ts', './git/objects.ts']),
  ...imports('packages/mcp-server/src/y.ts', '', [
    '@pagetree/wiki',
    '@pagetree/wiki/contract',
    '@modelcontextprotocol/sdk/types.js',
  ]),
  ...imports('packages/wiki-lambda/src/y.ts', '', ['@pagetree/wiki', '@pagetree/wiki/contract']),
  { path: 'packages/mcp-server/src/config.ts', code: 'export const home = process.env.HOME;' },
  {
    path: 'packages/bench/src/k.ts',
    code: "import { PRICES } from '@pagetree/infra/prices';\n\nexport const b = PRICES;",
  },
  { path: 'packages/bench/vitest.config.ts', code: 'export default {};' },
];

let directory: string;
let found: { rule: string; path: string }[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pagetree-walls-'));
  await copyFile(fileURLToPath(new URL('./biome.json', import.meta.url)), join(directory, 'biome.json'));
  for (const { path, code } of [...refused, ...allowed]) await write(join(directory, path), code);
  found = await lint(directory);
});

afterAll(() => rm(directory, { recursive: true }));

test.each(refused)('$path is refused, as $because: $code', ({ path, rule }) => {
  expect(
    found.filter((diagnostic) => diagnostic.path === path).map((diagnostic) => diagnostic.rule),
  ).toContain(rule);
});

test.each(allowed)('$path is allowed: $code', ({ path }) => {
  expect(found.filter((diagnostic) => diagnostic.path === path)).toEqual([]);
});

/** One snippet for each module, so that each is seen to be refused by itself. */
function imports(path: string, because: string, modules: readonly string[]) {
  return modules.map((module, index) => ({
    path: path.replace(/\.ts$/, `-${index}.ts`),
    code: `import { a } from '${module}';\n\nexport const b = a;`,
    because,
    rule: IMPORTS,
  }));
}

async function write(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${code}\n`);
}

async function lint(cwd: string): Promise<{ rule: string; path: string }[]> {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const options = [biome, 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json'];
  // Biome ends with 1, as it must here; its findings are on the standard output all the same.
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd }).catch((failed) => failed);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  return diagnostics.map(({ category, location }) => ({ rule: category, path: location.path }));
}
