import { beforeAll, expect, test } from 'vitest';
import { type Finding, IMPORTS, imports, lint, type Refused, type Snippet } from './lint-snippets.ts';

/** Imports that a wall must refuse. */
const refused: Refused[] = [
  ...imports('packages/wiki/src/contract/operations/a.ts', 'the contract rests on zod alone', [
    '../../core/session.ts',
    '../../formats/oid.ts',
    '../../git/objects.ts',
    '../../local-files/allowed-files.ts',
    '../../scheduling/yielding.ts',
    '../../storage/storage.ts',
    '../../search/scan-index.ts',
    '../../open-wiki.ts',
    '@pagetree/wiki',
    'node:crypto',
    'yaml',
  ]),
  ...imports('packages/wiki/src/core/operations/a.ts', 'the core imports the contract alone', [
    '../../formats/oid.ts',
    '../../git/objects.ts',
    '../../local-files/allowed-files.ts',
    '../../storage/storage.ts',
    '../../search/scan-index.ts',
    '../../open-wiki.ts',
    '@pagetree/wiki',
    'isomorphic-git',
    '@modelcontextprotocol/server',
    '@aws-sdk/client-lambda',
    'node:fs',
    'node:fs/promises',
    'node:process',
  ]),
  ...imports('packages/wiki/src/core/operations/reading/a.ts', 'the core imports the contract alone', [
    '../../../git/objects.ts',
    '../../../storage/storage.ts',
    '../../../search/scan-index.ts',
    '../../../open-wiki.ts',
  ]),
  ...imports('packages/wiki/src/formats/a.ts', 'a format imports nothing from elsewhere and does no I/O', [
    '../contract/errors.ts',
    '../git/objects.ts',
    '../storage/storage.ts',
    'isomorphic-git',
    'node:fs',
    'node:timers/promises',
    'node:path',
  ]),
  ...imports('packages/wiki/src/formats/packs/a.ts', 'a format imports nothing from elsewhere', [
    '../../contract/errors.ts',
    '../../open-wiki.ts',
    'node:fs',
  ]),
  ...imports('packages/wiki/src/scheduling/a.ts', 'scheduling imports no other folder', ['../core/wiki.ts']),
  ...imports('packages/wiki/src/storage/a.ts', 'the storage imports nothing else of ours', [
    '../contract/errors.ts',
    '../core/ports.ts',
    '../git/objects.ts',
    '../local-files/allowed-files.ts',
    '../search/scan-index.ts',
    '../open-wiki.ts',
    '@pagetree/wiki/contract',
    'isomorphic-git',
  ]),
  ...imports('packages/wiki/src/git/a.ts', "git imports the storage and the core's ports", [
    '../contract/dispatch.ts',
    '../core/session.ts',
    '../core/text/links.ts',
    '../local-files/allowed-files.ts',
    '../search/scan-index.ts',
    '../open-wiki.ts',
    'node:fs/promises',
  ]),
  ...imports('packages/access/src/a.ts', 'rights rest on the contract and zod alone', [
    '@pagetree/wiki',
    '@pagetree/wiki/content-hash',
    '@pagetree/backends/open-backend',
    '../../wiki/src/core/session.ts',
    '@aws-sdk/client-lambda',
    'node:process',
    'node:fs',
  ]),
  ...imports('packages/mirror/src/a.ts', 'the mirror knows a Wiki and no storage', [
    '@pagetree/wiki',
    '@pagetree/wiki/local-files',
    '@pagetree/backends/open-backend',
    '../../wiki/src/core/session.ts',
    '@modelcontextprotocol/server',
    'node:process',
  ]),
  ...imports('packages/sync/src/a.ts', 'the sync knows a Wiki and no storage', [
    '@pagetree/wiki',
    '@pagetree/wiki/local-files',
    '../../wiki/src/core/session.ts',
    'node:fs/promises',
  ]),
  ...imports('packages/outbound/src/a.ts', 'calls that others ask for know no Wiki', [
    '@pagetree/wiki/contract',
    '../../sync/src/transport/remote.ts',
    'zod',
  ]),
  ...imports('packages/sync-lambda/src/a.ts', 'the function that syncs asks the function of the wiki', [
    '@pagetree/wiki',
    '@pagetree/backends/open-backend',
    '../../sync/src/syncing.ts',
    '@modelcontextprotocol/server',
  ]),
  ...imports('packages/wiki/src/git/received/a.ts', 'git enters the storage at the top of its folder', [
    '../../storage/commits/chain.ts',
    '../../storage/objects/packed/pack-file.ts',
    '../../storage/packs/land-pack.ts',
  ]),
  ...imports('packages/wiki/src/search/a.ts', "the search imports the core's ports", [
    '../contract/dispatch.ts',
    '../core/session.ts',
    '../formats/oid.ts',
    '../git/objects.ts',
    '../local-files/allowed-files.ts',
    '../storage/storage.ts',
    '../open-wiki.ts',
    'isomorphic-git',
  ]),
  ...imports(
    'packages/wiki/src/search/words/a.ts',
    "the search imports the core's ports, from its folders too",
    ['../../core/session.ts', '../../git/objects.ts', '../../storage/storage.ts'],
  ),
  ...imports('packages/wiki/src/local-files/a.ts', 'files of this machine know no packs and no index', [
    '../formats/oid.ts',
    '../search/scan-index.ts',
    '../storage/storage.ts',
    '../storage/packs/land-pack.ts',
    '../open-wiki.ts',
    '@pagetree/wiki/contract',
  ]),
  ...imports('packages/wiki/src/a.ts', 'the wiki knows no MCP, no AWS and no process', [
    '@modelcontextprotocol/server',
    '@aws-sdk/client-lambda',
    'node:process',
  ]),
  ...imports('packages/backends/src/a.ts', 'a backend knows no app', ['@pagetree/mcp-server']),
  ...imports('packages/mcp-server/src/tools/a.ts', 'an app imports the wiki by its exports', [
    '../../../wiki/src/core/session.ts',
    '@pagetree/wiki/src/core/session.ts',
    '@pagetree/wiki-lambda',
  ]),
  ...imports('packages/mcp-server/src/mcp/a.ts', 'MCP knows a wiki, not where it is', [
    '@pagetree/backends/open-backend',
    '../cli/config.ts',
    '../local-files/local-files.ts',
    '@pagetree/wiki-lambda',
  ]),
  ...imports('packages/wiki-lambda/src/a.ts', 'an app imports the wiki by its exports', [
    '../../wiki/src/core/session.ts',
    '@pagetree/mcp-server',
    '@modelcontextprotocol/server',
  ]),
  ...imports('packages/web/src/site/views/a.ts', 'the pages ask a Wiki, wherever it is', [
    '@pagetree/backends/open-backend',
    '@pagetree/wiki',
    '../../cli/serve.ts',
    'node:fs/promises',
    '@pagetree/mcp-server',
  ]),
  ...imports('packages/web/src/render/a.ts', 'the renderer knows no Wiki, no request and no file', [
    '@pagetree/wiki/contract',
    '../site/site.ts',
    '../cli/serve.ts',
    'hono',
    'hono/html',
    'node:fs/promises',
    'node:process',
  ]),
  ...imports('packages/web/src/client/a.ts', 'the script of the pages runs in the browser', [
    '../site/addresses.ts',
    '@pagetree/wiki/contract',
    'node:crypto',
    'hono',
  ]),
  ...imports('packages/web/src/cli/a.ts', 'the command knows no storage', [
    '@pagetree/wiki',
    '@modelcontextprotocol/server',
  ]),
  ...imports('packages/bench/src/a.ts', 'a benchmark imports the wiki and the prices by what is exported', [
    '../../wiki/src/core/session.ts',
    '@pagetree/infra',
    '@modelcontextprotocol/server',
  ]),
  ...imports('packages/infra/src/a.ts', 'the infrastructure knows built files alone', [
    '../../wiki-lambda/src/handler.ts',
    '@pagetree/wiki-lambda',
    '@pagetree/wiki',
    '@pagetree/access/limit-to-rights',
  ]),
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
];

/** Imports that the walls must let through. */
const allowed: Snippet[] = [
  ...imports('packages/wiki/src/contract/operations/y.ts', '', ['zod', '../errors.ts', './reading.ts']),
  ...imports('packages/wiki/src/core/operations/y.ts', '', [
    '../../contract/errors.ts',
    '../ports.ts',
    'yaml',
  ]),
  ...imports('packages/wiki/src/formats/y.ts', '', ['./oid.ts', 'node:crypto', 'node:zlib']),
  ...imports('packages/wiki/src/formats/packs/y.ts', '', ['./pack.ts', '../oid.ts', 'node:zlib']),
  ...imports('packages/wiki/src/storage/y.ts', '', ['./storage.ts', '../formats/oid.ts', 'node:fs/promises']),
  ...imports('packages/wiki/src/git/y.ts', '', [
    '../formats/oid.ts',
    '../storage/storage.ts',
    '../storage/files/file-system.ts',
    '../core/index-port.ts',
    '../core/ports.ts',
    '../contract/errors.ts',
    'isomorphic-git',
  ]),
  ...imports('packages/wiki/src/search/y.ts', '', [
    '../core/index-port.ts',
    '../core/ports.ts',
    '../core/paths/page-path.ts',
    '../core/text/links.ts',
    '../contract/ids.ts',
    'node:sqlite',
  ]),
  ...imports('packages/wiki/src/local-files/y.ts', '', [
    '../contract/errors.ts',
    '../core/paths/hostile-path.ts',
    '../git/received/bounds.ts',
    '../storage/files/file-system.ts',
    'node:fs',
  ]),
  ...imports('packages/wiki/src/y.ts', '', ['./core/wiki.ts', './storage/storage.ts', './git/objects.ts']),
  ...imports('packages/backends/src/y.ts', '', ['@pagetree/wiki/contract', '@aws-sdk/client-lambda']),
  ...imports('packages/mcp-server/src/y.ts', '', [
    '@pagetree/backends/open-backend',
    '@pagetree/wiki',
    '@pagetree/wiki/contract',
    '@modelcontextprotocol/server',
  ]),
  ...imports('packages/outbound/src/y.ts', '', ['./reaching.ts', 'node:https']),
  ...imports('packages/sync-lambda/src/y.ts', '', ['@pagetree/sync/sync-round', '@aws-sdk/client-lambda']),
  ...imports('packages/wiki-lambda/src/y.ts', '', [
    '@pagetree/access/read-grant',
    '@pagetree/wiki',
    '@pagetree/wiki/contract',
  ]),
  ...imports('packages/web/src/render/y.ts', '', [
    '@pagetree/wiki/page-text',
    'hast',
    './a.ts',
    'node:crypto',
  ]),
  ...imports('packages/web/src/client/y.ts', '', ['./previews.ts', 'minisearch']),
  ...imports('packages/web/src/site/views/y.ts', '', [
    '@pagetree/wiki/content-hash',
    '@pagetree/wiki/contract',
    '../view-tools.ts',
    'hono',
  ]),
  ...imports('packages/sync/src/y.ts', '', ['@pagetree/wiki/pkt-line', 'node:child_process']),
  ...imports('packages/web/src/cli/y.ts', '', [
    '@pagetree/backends/config',
    '@pagetree/mcp-server/endpoint',
    '../site/site.ts',
  ]),
  ...imports('packages/infra/src/y.ts', '', [
    '@pagetree/access/parse-access',
    '@pagetree/access/largest-grant',
    'aws-cdk-lib',
  ]),
  ...imports('packages/bench/src/y.ts', '', ['@pagetree/infra/prices', '@pagetree/backends/openai-embedder']),
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
