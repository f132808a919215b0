import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWikiError } from '../../src/contract/errors.ts';
import { type OperationName, operationNames, operations } from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import { type Scope, scope as scopeShape } from '../../src/contract/scope.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { blobOid } from '../../src/core/draft.ts';
import { inProcess, looped } from './local-backends.ts';
import { type Backend, openTestWiki, type TestWiki } from './test-wiki.ts';

/** What a call that is limited to the first may know; the second is elsewhere, and every word of it is told apart. */
const here = {
  'notes/A.md':
    '---\naliases: [First]\n---\n# Plan\n\nOf [[notes/B]], [[Zebra]], [[secret/Zebra]], ![[zebra.png]].\n',
  'notes/B.md': 'Plain text of B, see [[First]] and [[Striped]].\n',
  'notes/Deep/C.md': '# Deep\n\n#tagged text\n',
  'notes/chart.png': 'not really an image',
  'wide/D.md': 'Text that [[A]] knows.\n',
};
const elsewhere = {
  'Home.md': 'Zebra lives in [[notes/A]].\n',
  'secret/Zebra.md': '---\naliases: [Striped]\n---\nThe zebra has a plan and text. [[notes/B]]\n',
  'secret/A.md': 'zebra text #tagged\n',
  'secret/zebra.png': 'stripes',
  'notesX/Zebra.md': 'zebra text\n',
  'notes.md': 'zebra text beside the folder\n',
};
const guess = blobOid(Buffer.from(elsewhere['secret/A.md']));
const narrow: Scope = { read: ['notes/'], write: ['notes/'] };
const wider: Scope = { read: ['notes/', 'wide/', 'notes/Deep/'], write: ['notes/Deep/'] };

const paths = [
  ...['notes/A', 'notes/B', 'notes/Deep/C', 'notes/New', 'notes/chart.png', 'wide/D'],
  ...['Home', 'secret/Zebra', 'secret/A', 'secret/zebra.png', 'notesX/Zebra', 'notes', 'secret/None', 'A'],
];
const path = fc.constantFrom(...paths);
const prefix = fc.constantFrom('', 'n', 'notes/', 'notes/D', 'secret/', 'w');
const version = fc.constantFrom(undefined, guess, blobOid(Buffer.from(here['notes/B.md'])));
/** Stands for the newest commit that the call may know of. */
const HEAD = 'head';
const dryRun = fc.constantFrom(undefined, true);
const bytes = Buffer.from('new').toString('base64');

const inputs: { [Name in OperationName]: Record<string, fc.Arbitrary<unknown>> } = {
  read_page: { path, at: fc.constantFrom(undefined, HEAD) },
  read_pages: { paths: fc.array(path, { minLength: 1, maxLength: 4 }) },
  list_pages: {
    prefix,
    sort: fc.constantFrom('path', 'title'),
    limit: fc.constantFrom(1, 50),
    tag: fc.constantFrom(undefined, 'tagged'),
  },
  search_pages: {
    query: fc.constantFrom('zebra', 'text', 'plan deep'),
    prefix,
    mode: fc.constantFrom('words', 'regex'),
  },
  write_page: { path, content: fc.constantFrom('# New\n', 'see [[secret/Zebra]]\n'), version },
  edit_page: {
    path,
    edits: fc.constant([{ old_string: 'text', new_string: 'words' }]),
    version,
    dry_run: dryRun,
  },
  append_to_page: { path, content: fc.constant('more'), version },
  edit_section: {
    path,
    heading: fc.constant('Deep'),
    operation: fc.constant('append'),
    content: fc.constant('x'),
  },
  update_frontmatter: { path, set: fc.constant({ a: 1 }), version },
  move_page: { path, new_path: path, dry_run: dryRun },
  delete_page: { path, version: version.map((each) => each ?? guess) },
  commit_changes: {
    message: fc.constant('several'),
    changes: fc.array(fc.record({ op: fc.constant('append'), path, content: fc.constant('z') }), {
      minLength: 1,
      maxLength: 3,
    }),
    dry_run: dryRun,
  },
  get_history: { path: fc.oneof(fc.constant(undefined), path), limit: fc.constantFrom(1, 50) },
  diff_page: { path, from: fc.constant(HEAD) },
  restore_page: { path, commit: fc.constant(HEAD) },
  revert_commit: { commit: fc.constant(HEAD), dry_run: dryRun },
  get_links: { path },
  check_wiki: { prefix, kinds: fc.constantFrom(undefined, ['broken_link', 'orphan']) },
  list_attachments: { prefix },
  put_attachment: { path, content: fc.constant(bytes), version },
  get_attachment: { path },
  delete_attachment: { path, version: fc.constant(guess) },
  wiki_status: {},
  maintain_wiki: { mode: fc.constantFrom('tidy', 'check', 'repair') },
  list_wikis: {},
  create_wiki: { wiki: fc.constant('another') },
  import_wiki: { content: fc.constant(bytes), prefix, dry_run: dryRun },
  export_wiki: { format: fc.constantFrom('zip', 'bundle') },
};

const step = fc
  .constantFrom(...operationNames)
  .chain((name) => fc.record(inputs[name]).map((input) => ({ name, input })));

describe.each([
  ['one folder', narrow],
  ['folders to read, and one of them to write', wider],
])('a call limited to %s', (_, scope) => {
  test('is answered as if there were nothing else in the wiki, whatever it asks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const full = await grown(inProcess, elsewhere);
        const bare = await grown(inProcess, {}, (file) =>
          scope.read.some((folder) => file.startsWith(folder)),
        );
        for (const [position, { name, input }] of steps.entries()) {
          if (position % 5 === 0)
            await full.run('append_to_page', { path: 'secret/Zebra', content: 'zebra' });
          const told = await ask(full, scope, name, input);
          expect(told, `${name} ${JSON.stringify(input)}`).toEqual(await ask(bare, scope, name, input));
        }
      }),
      { numRuns: 8 },
    );
  });

  test('changes nothing outside of what it may write', async () => {
    const full = await grown(inProcess, elsewhere);
    const before = (await full.head()) ?? '';
    await fc.assert(
      fc.asyncProperty(step, async ({ name, input }) => {
        await ask(full, scope, name, input);
      }),
      { numRuns: 60 },
    );
    const touched = await full.git('diff', '--name-only', '-z', before, 'HEAD');
    for (const file of touched.split('\0').filter((each) => each !== '')) {
      expect(
        scope.write.some((folder) => file.startsWith(folder)),
        file,
      ).toBe(true);
    }
  });
});

test('a commit that changed other pages too is told by what it did here, and its message is kept back', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.run('commit_changes', {
    message: 'Both at once, zebra',
    changes: [
      { op: 'append', path: 'notes/A', content: 'one' },
      { op: 'append', path: 'secret/Zebra', content: 'two' },
    ],
  });
  await full.run('move_page', { path: 'secret/A', new_path: 'notes/Came' });
  await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/Went' });
  const history = await told(full, narrow, 'get_history', {});
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret|moved/i);
  const pages = (history as { entries: { pages: unknown }[] }).entries.map((entry) => entry.pages);
  expect(pages.slice(0, 3)).toEqual([
    [{ path: 'notes/Deep/C', action: 'deleted' }],
    [{ path: 'notes/Came', action: 'added' }],
    [{ path: 'notes/A', action: 'modified' }],
  ]);
  const came = (await told(full, narrow, 'get_history', { path: 'notes/Came' })) as { entries: unknown[] };
  expect(came.entries).toHaveLength(1);
});

test('words elsewhere have no say in what a misspelt word is taken for', async () => {
  const full = await grown(inProcess, elsewhere);
  const words = Array.from('abcdefghij', (letter) => `plain${letter}`).join(' ');
  for (const path of ['secret/One', 'secret/Two']) await full.run('write_page', { path, content: words });
  expect(await told(full, narrow, 'search_pages', { query: 'plainx' })).toMatchObject({
    hits: [{ path: 'notes/B' }],
  });
});

test('what git pushed is told by what it did here, and what its message names elsewhere is not', async () => {
  const full = await grown(inProcess, elsewhere);
  const base = await full.git('rev-parse', 'HEAD');
  await full.run('append_to_page', { path: 'secret/Zebra', content: 'by the wiki' });
  await full.git('read-tree', base);
  for (const path of ['notes/B.md', 'secret/Zebra.md']) {
    const other = await full.git('rev-parse', `${base}:Home.md`);
    await full.git('update-index', '--cacheinfo', `100644,${other},${path}`);
  }
  const foreign = await full.git('commit-tree', '-m', 'Zebra', '-p', base, await full.git('write-tree'));
  await full.git('update-ref', 'refs/heads/main', foreign);

  const history = await told(full, narrow, 'get_history', { limit: 1 });

  expect(history).toMatchObject({ entries: [{ pages: [{ path: 'notes/B', action: 'modified' }] }] });
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret/i);
  const whole = await full.run('get_history', { limit: 1 });
  expect(whole.entries[0]?.message).toContain('- secret/Zebra.md');
});

test('a commit that changed other pages too is not undone in part', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.run('commit_changes', {
    message: 'Both',
    changes: [
      { op: 'append', path: 'notes/A', content: 'one' },
      { op: 'append', path: 'secret/Zebra', content: 'two' },
    ],
  });
  expect(await ask(full, narrow, 'revert_commit', { commit: HEAD })).toMatchObject({ code: 'forbidden' });
});

test('a refusal names the folders that may be written', async () => {
  const full = await grown(looped, elsewhere);
  const refusal = await ask(full, wider, 'write_page', { path: 'wide/E', content: 'x' });
  expect(refusal).toMatchObject({
    code: 'forbidden',
    text: { happened: expect.stringContaining('"notes/Deep/"') },
  });
});

test('a conflict still shows what changed, where the version is one of the page', async () => {
  const full = await grown(inProcess, elsewhere);
  const first = blobOid(Buffer.from(here['notes/B.md']));
  await full.run('append_to_page', { path: 'notes/B', content: 'later' });
  const edit = { path: 'notes/B', edits: [{ old_string: 'Plain', new_string: 'Fine' }] };
  expect(await ask(full, narrow, 'edit_page', { ...edit, version: first })).toMatchObject({
    code: 'version_conflict',
    data: { diff: expect.stringContaining('+later') },
  });
  expect(await ask(full, narrow, 'edit_page', { ...edit, version: guess })).toMatchObject({
    data: { diff: null },
  });
});

test.each(['notes', '/notes/', 'a//', '../', 'a/./', 'a\\', 'a\0/'])('%j is no folder', (text) => {
  expect(scopeShape.safeParse({ read: [text], write: [text] }).success).toBe(false);
});

test('every operation is tried', () => {
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(operations).sort());
});

/** A wiki that begins with what is elsewhere, and then got each file by a commit of its own. */
async function grown(
  backend: Backend,
  first: Record<string, string>,
  wanted: (file: string) => boolean = () => true,
): Promise<TestWiki> {
  const wiki = await openTestWiki(backend, first);
  for (const [file, content] of Object.entries(here)) {
    if (!wanted(file)) continue;
    if (file.endsWith('.md')) await wiki.write(file, content);
    else await wiki.run('put_attachment', { path: file, content: Buffer.from(content).toString('base64') });
  }
  return wiki;
}

/** The answer or the error, with what may differ between two wikis made blank: commits, times, cursors. */
async function ask(wiki: TestWiki, scope: Scope, name: OperationName, input: Record<string, unknown>) {
  try {
    return blank(await told(wiki, scope, name, input));
  } catch (error) {
    const { code, text, data, cause } = toWikiError(error);
    if (code === 'internal') throw cause;
    return blank({ code, text, data });
  }
}

async function told(wiki: TestWiki, scope: Scope, name: OperationName, given: Record<string, unknown>) {
  const caller = { author: { name: 'Grace', email: 'grace@example.org' }, agent: null };
  const call = { caller, scope };
  const newest = await wiki.wiki.get_history(parseInput('get_history', { limit: 1 }), call);
  const head = newest.entries[0]?.commit;
  const filled = Object.entries(given).map(([key, value]) => [key, value === HEAD ? head : value]);
  const input = Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  const method = wiki.wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
  return method(parseInput(name, input), call);
}

function blank(value: unknown): unknown {
  const commits = new Set(['commit', 'head', 'from', 'to', 'reverted', 'next_cursor', 'date', 'updated']);
  return JSON.parse(JSON.stringify(value), (key, nested: unknown) => {
    if (commits.has(key)) return nested === null ? null : key;
    if (key === 'content' && typeof nested === 'string' && nested.startsWith('UEs')) return 'a zip';
    if (typeof nested !== 'string') return nested;
    return nested
      .replaceAll(/([Cc]ommit) [0-9a-f]{40}/g, '$1')
      .replaceAll(/\/tmp\/pagetree-test-\w+/g, 'place')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
  });
}
