import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callLimits } from './packages/wiki-lambda/src/call-limits.ts';

/** A sentence of a document, and the constant or property whose value its figure is, in units of so many. */
type Figure = [document: string, sentence: RegExp, source: string, constant: string, unit?: number];

const MARKDOWN = 'packages/wiki/src/core/text/markdown';
const NAMED_FILES = 'packages/wiki/src/core/moving/named-files.ts';
const LIMITS = 'packages/wiki/src/contract/limits.ts';
const RECEIVED = 'packages/wiki/src/git/received/bounds.ts';
const PARTS = 'packages/wiki/src/contract/uploads/content-reference.ts';
const GIT_SERVER = 'packages/web/src/git/git-server.ts';
const MIRRORED = 'packages/mirror/src/folder/folder-contents.ts';
const WORDS = 'packages/wiki/src/search/words';
const PAGE_TERMS = `${WORDS}/terms-of-page.ts`;
const LAMBDA = 'packages/wiki-lambda/src';
const DEADLINE = `${LAMBDA}/deadline.ts`;
const MIRROR = 'packages/mirror/src/run-mirror.ts';
const OAUTH_ROUTES = 'packages/web/src/oauth/oauth-routes.ts';
const FIGURES: Figure[] = [
  ['docs/links.md', /Links after the ([\d,]+)th of a page/, `${MARKDOWN}/markdown-links.ts`, 'MAX_LINKS'],
  ['docs/links.md', /holds for tags after the ([\d,]+)th/, `${MARKDOWN}/page-facts.ts`, 'MAX_TAGS'],
  ['docs/links.md', /more than (\d+) other pages have the name/, NAMED_FILES, 'MAX_PAGES_NAMING'],
  ['docs/links.md', /more than (\d+) such other files/, NAMED_FILES, 'MAX_FILES_READ'],
  ['docs/links.md', /more than (\d+) MB of them/, NAMED_FILES, 'MAX_BYTES_READ', 1e6],
  ['docs/links.md', /read more than (\d+) pages for this/, NAMED_FILES, 'MAX_PAGES_READ'],
  [
    'docs/links.md',
    /grow beyond ([\d,]+) characters/,
    'packages/wiki/src/core/text/frontmatter/frontmatter.ts',
    'MAX_YAML_CHARACTERS',
  ],
  ['docs/links.md', /behind the first ([\d,]+) bytes of a page/, LIMITS, 'pageBytes'],
  ['docs/import-export.md', /An import has at most (\d+) MB/, LIMITS, 'importBytes', 1e6],
  ['docs/import-export.md', /a history at most ([\d,]+) objects/, RECEIVED, 'objects'],
  ['docs/import-export.md', /and (\d+) MB once unpacked/, LIMITS, 'importHistoryBytes', 1e6],
  ['docs/import-export.md', /in parts of (\d+) MB/, PARTS, 'PART_BYTES', 1e6],
  ['docs/import-export.md', /newest commit, (\d+) MB at most/, LIMITS, 'exportBytes', 1e6],
  ['docs/import-export.md', /each file with ([\d.]+) MB/, PARTS, 'MAX_BYTES_IN_REQUEST', 1e6],
  ['docs/git.md', /No more than (\d+) MB in/, LIMITS, 'importBytes', 1e6],
  ['docs/git.md', /in ([\d,]+) objects at once/, RECEIVED, 'objects'],
  ['docs/git.md', /a push has at most (\d+) MB/, GIT_SERVER, 'MAX_REQUEST_BYTES', 1e6],
  [
    'docs/sync.md',
    /The remote has more than (\d+) MB/,
    'packages/sync/src/transport/remote.ts',
    'packBytes',
    1e6,
  ],
  ['docs/sync.md', /or ([\d,]+) objects that the wiki lacks/, RECEIVED, 'objects'],
  [
    'docs/sync.md',
    /has more than (\d+) MB that the remote/,
    'packages/sync/src/sync-round.ts',
    'MAX_PUSH_BYTES',
    1e6,
  ],
  [
    'docs/sync.md',
    /Or on AWS the wiki has more than (\d+) MB/,
    'packages/sync/src/sync-round.ts',
    'MAX_PUSH_BYTES',
    1e6,
  ],
  [
    'docs/sync.md',
    /for (\d+) minutes, `wiki_status`/,
    'packages/wiki/src/core/operations/remotes/stored-remote.ts',
    'MAX_LATE_MS',
    60_000,
  ],
  ['docs/mirror.md', /pages over (\d+) MB/, LIMITS, 'pageBytes', 1e6],
  ['docs/mirror.md', /others over (\d+) MB/, LIMITS, 'attachmentBytes', 1e6],
  ['docs/mirror.md', /every (\d+) s to/, MIRROR, 'FIRST_WALK_MS', 1e3],
  ['docs/mirror.md', /to (\d+) minutes: the more often/, MIRROR, 'MAX_WALK_MS', 60_000],
  ['docs/mirror.md', /at least every (\d+) s/, 'packages/mirror/src/folder/kept-links.ts', 'KEPT_MS', 1e3],
  ['docs/mirror.md', /(\d+) files or more are gone/, MIRRORED, 'MANY_GONE'],
  ['docs/mirror.md', /no other one has gone for (\d+) s/, MIRRORED, 'MANY_SETTLED_MS', 1e3],
  ['docs/mirror.md', /been the same for ([\d.]+) s is/, MIRRORED, 'SETTLED_MS', 1e3],
  ['docs/mirror.md', /once more (\d+) s later/, MIRRORED, 'OLD_MS', 1e3],
  ['docs/sync.md', /the last ([\d,]+) commits/, 'packages/sync/src/folder/fetch-folder.ts', 'MAX_COMMITS'],
  [
    'docs/sync.md',
    /with a repository of more than (\d+) MB/,
    'packages/sync/src/transport/remote.ts',
    'packBytes',
    1e6,
  ],
  [
    'docs/sync.md',
    /If the wiki has more than (\d+) MB/,
    'packages/sync/src/sync-round.ts',
    'MAX_PUSH_BYTES',
    1e6,
  ],
  [
    'docs/sync.md',
    /its news have more than (\d+) MB/,
    'packages/sync/src/transport/remote.ts',
    'packBytes',
    1e6,
  ],
  ['docs/sync.md', /repository of more than \d+ MB or ([\d,]+) objects/, RECEIVED, 'objects'],
  [
    'docs/team-server.md',
    /waits at most (\d+) seconds/,
    'packages/mcp-server/src/program.ts',
    'ADDRESS_TIMEOUT_MS',
    1e3,
  ],
  ['docs/team-server.md', /some ([\d,]+) bytes/, 'packages/web/src/login/sessions.ts', 'MAX_GROUP_BYTES'],
  [
    'docs/team-server.md',
    /at most (\d+) tokens and/,
    'packages/web/src/clients/personal-tokens.ts',
    'MAX_TOKENS',
  ],
  ['docs/team-server.md', /and (\d+) clients/, 'packages/web/src/oauth/gifts.ts', 'MAX_CLIENTS'],
  ['docs/team-server.md', /at most (\d+) an hour/, OAUTH_ROUTES, 'MAX_REGISTRATIONS_AN_HOUR'],
  ['docs/web-on-aws.md', /let (\d+) clients register/, OAUTH_ROUTES, 'MAX_REGISTRATIONS_AN_HOUR'],
  [
    'docs/deploy.md',
    /in up to (\d+) calls/,
    'packages/wiki/src/core/operations/maintenance/round.ts',
    'MAX_REPEATS',
  ],
  ['docs/static-site.md', /more than (\d+) bytes/, 'packages/web/src/cli/export/site-paths.ts', 'MAX_BYTES'],
  ['docs/architecture.md', /sends parts of (\d+) MB/, PARTS, 'PART_BYTES', 1e6],
  ['docs/deploy.md', /An import may have (\d+) MB/, LIMITS, 'importBytes', 1e6],
  ['docs/deploy.md', /have (\d+) MB once unpacked/, LIMITS, 'importHistoryBytes', 1e6],
  ['docs/deploy.md', /and an export (\d+) MB/, LIMITS, 'exportBytes', 1e6],
  ['docs/deploy.md', /function in parts of (\d+) MB/, PARTS, 'PART_BYTES', 1e6],
  ['docs/deploy.md', /has a limit then, of\s(\d+) MB/, LIMITS, 'exportBytes', 1e6],
  [
    'docs/deploy.md',
    /One file has at most ([\d.]+) MB/,
    'packages/wiki-lambda/src/call-limits.ts',
    'ATTACHMENT_BYTES',
    1e6,
  ],
  [
    'docs/browser.md',
    /in this browser, for (\d+) days/,
    'packages/web/src/client/editor/draft-keeper.ts',
    'MAX_AGE_MS',
    86_400_000,
  ],
  [
    'docs/static-site.md',
    /An SVG image of up to (\d+) kB/,
    'packages/web/src/cli/export/export-site.ts',
    'MAX_SVG',
    1e3,
  ],
  [
    'docs/web-on-aws.md',
    /who logged in during the last (\d+) days/,
    'packages/web/src/clients/known-people.ts',
    'KNOWN_MS',
    86_400_000,
  ],
  [
    'docs/web-on-aws.md',
    /one person may take ([\d,]+)\s+bytes/,
    'packages/access/src/grants/largest-grant.ts',
    'MAX_RIGHTS_BYTES',
  ],
  [
    'docs/web-on-aws.md',
    /than ([\d,]+) bytes together/,
    'packages/infra/src/configuration/web-settings.ts',
    'MAX_RULES_BYTES',
  ],
  ['CONTRIBUTING.md', /A page may have (\d+) MB/, LIMITS, 'pageBytes', 1e6],
  ['docs/adr/0003-index.md', /so many different words are found \(([\d,]+)\)/, PAGE_TERMS, 'MAX_DIFFERENT'],
  ['docs/adr/0003-index.md', /so many places of one word \(([\d,]+)\)/, PAGE_TERMS, 'MAX_REPEATS'],
  ['docs/adr/0003-index.md', /words of a query are (\d+) at most/, `${WORDS}/words-query.ts`, 'mostTerms'],
  ['docs/adr/0003-index.md', /search of over (\d+) seconds/, `${WORDS}/within-time.ts`, 'MAX_WORDS_MS', 1e3],
  ['docs/adr/0003-index.md', /RE2, up to (\d+) MB of text/, `${WORDS}/show-lines.ts`, 'mostBytes', 1e6],
  ['docs/adr/0004-lambda.md', /It waits (\d+) s at most/, `${LAMBDA}/main.ts`, 'OPEN_LIMIT_MS', 1e3],
  ['docs/adr/0004-lambda.md', /([\d.]+) s before the end it aborts/, DEADLINE, 'BEGIN_RESERVE_MS', 1e3],
  ['docs/adr/0004-lambda.md', /([\d.]+) s before the end it answers/, DEADLINE, 'ANSWER_RESERVE_MS', 1e3],
  ['docs/adr/0004-lambda.md', /has less than ([\d.]+) s these/, DEADLINE, 'BEGIN_RESERVE_MS', 1e3 / 3],
  [
    'docs/adr/0008-native-extras.md',
    /made of (\d+) MB of pack indexes/,
    'packages/wiki/src/storage/packs/merging/index-packs.ts',
    'MAX_BYTES',
    2 ** 20,
  ],
  [
    'docs/adr/0014-http-without-sessions.md',
    /(\d+) MB of them at once/,
    'packages/mcp-server/src/mcp/http/read-message.ts',
    'MAX_BYTES',
    2 ** 20 / 8,
  ],
  ['docs/adr/0021-git-over-http.md', /memory whole, up to (\d+) MB/, LIMITS, 'importBytes', 1e6],
  [
    'docs/adr/0021-git-over-http.md',
    /at most (\d+) MB of all pushes together/,
    'packages/web/src/git/git-server.ts',
    'MAX_PUSHES_BYTES',
    1e6,
  ],
  ['docs/adr/0023-bytes-in-parts.md', /history have up to (\d+) MB/, LIMITS, 'importBytes', 1e6],
  ['docs/adr/0023-bytes-in-parts.md', /which is ([\d.]+) MB of bytes/, PARTS, 'MAX_BYTES_IN_REQUEST', 1e6],
  ['docs/adr/0023-bytes-in-parts.md', /in parts of (\d+) MB/, PARTS, 'PART_BYTES', 1e6],
  [
    'docs/adr/0023-bytes-in-parts.md',
    /to a wiki have (\d+) GB together/,
    'packages/wiki/src/storage/uploads.ts',
    'MAX_HELD_BYTES',
    1e9,
  ],
  [
    'docs/adr/0023-bytes-in-parts.md',
    /has at most ([\d.]+) MB on AWS/,
    'packages/wiki-lambda/src/call-limits.ts',
    'ATTACHMENT_BYTES',
    1e6,
  ],
  [
    'docs/adr/0024-one-folder-of-a-remote.md',
    /Messages above ([\d,]+) characters/,
    'packages/sync/src/folder/describe-commits.ts',
    'MAX_CHARACTERS',
  ],
];

const LEAST_MEMORY: [document: string, sentence: RegExp] = [
  'docs/import-export.md',
  /at most (\d+) MB there once unpacked, unless `function.memoryMib` is more than (\d+)\./,
];

/** Documents with measurements, or with notes of runs. */
const MEASURED = ['docs/benchmarks.md', 'docs/comparison.md', 'docs/labs.md', 'docs/mutants.md'];

/** Figures that no constant of the code has: of AWS, of a measurement, of the loads for which a month is priced. */
const FROM_ELSEWHERE: Record<string, string[]> = {
  'README.md': ['31.0 kB', '31.3 kB', '100,000 pages'],
  'docs/architecture.md': ['6 MB'],
  'docs/deploy.md': [
    ...['35 days', '24 hours', '35 days', '100 MB', '100 MB', '500 MB', '5 GB'],
    ...['20 ms', '120 ms', '1.2 kB'],
  ],
  'docs/team-server.md': ['4,000 bytes'],
  'docs/tool-descriptions-trial.md': ['30 calls', '24,000 bytes'],
  'docs/web-on-aws.md': ['6 MB', '200 ms', '120 ms', '60 kB'],
};

test('each figure of the documents is that of the code, or known to come from elsewhere', () => {
  const documents = ['README.md', ...globSync('docs/*.md').sort()].filter((path) => !MEASURED.includes(path));
  const found = documents.map((path) => [path, figuresOfNoSentence(path)] as const);
  expect(Object.fromEntries(found.filter(([, figures]) => figures.length > 0))).toEqual(FROM_ELSEWHERE);
});

const FIGURE =
  /(?<![\w.#-])\d[\d,.]*\s(?:[kMG]B|MiB|bytes|characters|days|hours|minutes|seconds|m?s|objects|commits|pages|files|links|tokens|clients|calls|an hour)\b/g;

function figuresOfNoSentence(path: string): string[] {
  const text = textOf(path);
  const sentences = [...FIGURES, LEAST_MEMORY].flatMap(([document, sentence]) =>
    document === path ? [sentence.exec(text)] : [],
  );
  const isOfASentence = (at: number) =>
    sentences.some((each) => each !== null && at >= each.index && at < each.index + each[0].length);
  return [...text.matchAll(FIGURE)].flatMap(({ index, 0: figure }) => (isOfASentence(index) ? [] : [figure]));
}

test.each(FIGURES)('%s says what the code does: %s', (document, sentence, source, constant, unit = 1) => {
  const [, said = ''] = sentence.exec(textOf(document)) ?? [];
  const [, value = ''] = new RegExp(`\\b${constant}(?: =|:) ([\\d_* ]+)[;,]`).exec(textOf(source)) ?? [];
  expect(value).not.toBe('');
  const product = value.split('*').reduce((factor, next) => factor * numberOf(next), 1);
  expect(numberOf(said)).toBe(product / unit);
});

test('docs/import-export.md says what fits an environment of the least memory once unpacked', () => {
  const [document, sentence] = LEAST_MEMORY;
  const [, megabytes, memoryMib] = sentence.exec(textOf(document)) ?? [];
  expect(Math.floor(callLimits(Number(memoryMib)).unpackedBytes / 1e6)).toBe(Number(megabytes));
});

function textOf(path: string): string {
  return readFileSync(join(import.meta.dirname, path), 'utf8');
}

function numberOf(text: string): number {
  return Number(text.replaceAll(/[,_]/g, ''));
}
