import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, WikiError } from '../../../src/contract/errors.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import type { Scope } from '../../../src/contract/scope.ts';
import { inProcess } from '../local-backends.ts';
import { openTestWiki, type TestWiki } from '../test-wiki.ts';
import { answerOf, ask, HEAD } from './scope-wiki.ts';

/** Two wikis that are equal inside of the scope, with another history and other pages outside, answer the same. */

const SCOPE: Scope = { read: ['in/', 'also/deep/'], write: ['in/', 'also/deep/'] };
const INSIDE = ['in/', 'in/Deep/', 'also/deep/'];
const OUTSIDE = ['out/', 'also/', '', 'input/', 'IN2/'];
const NAMES = ['Tea', 'Teas', 'Plan', 'Home', 'Zebra'];

const name = fc.constantFrom(...NAMES);
const placeIn = (folders: readonly string[]) =>
  fc.record({ folder: fc.constantFrom(...folders), name }).map((place) => place.folder + place.name);
const anywhere = placeIn([...INSIDE, ...OUTSIDE]);
const link = fc.oneof(
  name.map((to) => `[[${to}]]`),
  anywhere.map((to) => `[[${to}]]`),
  anywhere.map((to) => `[to](/${to}.md)`),
  name.map((to) => `[[${to}#Part]]`),
  name.map((to) => `![[${to}.png]]`),
  fc.constantFrom('[[Alias]]', '[[Other]]', '#red', '#blue/sky', '#redder'),
);
const text = fc
  .record({
    aliases: fc.option(fc.constantFrom('Alias', 'Other', 'Tea'), { nil: undefined, freq: 3 }),
    tag: fc.option(fc.constantFrom('red', 'green'), { nil: undefined, freq: 2 }),
    links: fc.array(link, { maxLength: 5 }),
    heading: fc.constantFrom('', '# Part\n', '## Part\n\n## Part\n'),
  })
  .map(({ aliases, tag, links, heading }) => {
    const keys = [aliases && `aliases: [${aliases}]`, tag && `tags: [${tag}]`].filter((key) => key);
    const frontmatter = keys.length > 0 ? `---\n${keys.join('\n')}\n---\n` : '';
    return `${frontmatter}${heading}A text with ${links.join(' and ')}.\n`;
  });

interface Change {
  name: OperationName;
  input: Record<string, unknown>;
}
const inside = fc.oneof(
  fc
    .record({ path: placeIn(INSIDE), content: text })
    .map((input): Change => ({ name: 'append_to_page', input: { ...input, create: true } })),
  fc
    .record({ path: placeIn(INSIDE), new_path: placeIn(INSIDE) })
    .map((input): Change => ({ name: 'move_page', input })),
  placeIn(INSIDE).map(
    (path): Change => ({ name: 'put_attachment', input: { path: `${path}.png`, content: 'YQ==' } }),
  ),
  fc.constant<Change>({ name: 'revert_commit', input: { commit: HEAD } }),
);
const outside = fc.record({ path: placeIn(OUTSIDE), content: text, file: fc.boolean() });
const pages = (folders: readonly string[]) => fc.dictionary(placeIn(folders), text, { maxKeys: 7 });
const past = fc.array(
  fc.record({ inside, one: fc.array(outside, { maxLength: 2 }), other: fc.array(outside, { maxLength: 2 }) }),
  {
    minLength: 3,
    maxLength: 6,
  },
);

const KINDS = [undefined, ['broken_link'], ['orphan'], ['ambiguous_link', 'broken_anchor', 'empty', 'stale']];
const reads: Change[] = [
  ...['', 'in', 'in/', 'i', 'also/', 'out/'].map(
    (prefix): Change => ({ name: 'list_pages', input: { prefix, sort: 'title' } }),
  ),
  ...['red', 'blue', 'green', '#blue/sky'].map((tag): Change => ({ name: 'list_pages', input: { tag } })),
  { name: 'list_pages', input: { limit: 1 } },
  { name: 'list_attachments', input: {} },
  { name: 'get_history', input: {} },
  { name: 'get_history', input: { limit: 2 } },
  { name: 'wiki_status', input: {} },
  { name: 'list_wikis', input: {} },
  { name: 'export_wiki', input: { format: 'folder' } },
  { name: 'export_wiki', input: { format: 'bundle' } },
  { name: 'maintain_wiki', input: { mode: 'check' } },
  ...KINDS.map((kinds): Change => ({ name: 'check_wiki', input: { kinds } })),
  { name: 'check_wiki', input: { prefix: 'in/Deep/' } },
  ...['text', 'red', 'tae', 'zebr', 'alias'].map(
    (query): Change => ({ name: 'search_pages', input: { query } }),
  ),
  { name: 'search_pages', input: { query: 'te(xt|a)', mode: 'regex' } },
  { name: 'show_changes', input: { since: '2000', max_bytes: 40_000 } },
  { name: 'show_changes', input: { since: HEAD } },
  { name: 'show_changes', input: { commit: HEAD } },
  ...[...INSIDE, ...OUTSIDE].flatMap((folder) =>
    NAMES.flatMap((page): Change[] => [
      { name: 'read_page', input: { path: folder + page } },
      { name: 'get_links', input: { path: folder + page } },
    ]),
  ),
  ...['in/', 'out/', ''].flatMap((folder) =>
    NAMES.flatMap((page): Change[] => [
      { name: 'get_history', input: { path: folder + page } },
      { name: 'diff_page', input: { path: folder + page, from: HEAD } },
      { name: 'blame_page', input: { path: folder + page } },
      { name: 'read_page', input: { path: folder + page, at: HEAD } },
      { name: 'get_attachment', input: { path: `${folder}${page}.png` } },
    ]),
  ),
  ...[
    '[[Tae]]',
    '[[Alias]]',
    '[[Other]]',
    'Zebr',
    '[[Tea#Prt]]',
    '[x](../out/Tea.md)',
    'Home.png',
    'out',
    'in',
  ].map((path): Change => ({ name: 'read_page', input: { path, from: 'in/Plan' } })),
  { name: 'read_pages', input: { paths: ['in/Tea', 'out/Tea', 'Home'] } },
];

test('every read gives the same answer for any content and history outside of the scope', async () => {
  await fc.assert(
    fc.asyncProperty(
      pages(INSIDE),
      past,
      pages(OUTSIDE),
      pages(OUTSIDE),
      async (common, steps, one, other) => {
        const wikis = [await begun(one), await begun(other)];
        for (const [path, content] of Object.entries(common)) {
          for (const wiki of wikis) await answerOf(wiki, SCOPE, 'write_page', { path, content });
        }
        for (const step of steps) {
          const [first, second] = wikis as [TestWiki, TestWiki];
          await changeOutside(first, step.one);
          await changeOutside(second, step.other);
          const { name, input } = step.inside;
          expect(await ask(first, SCOPE, name, input), JSON.stringify(input)).toEqual(
            await ask(second, SCOPE, name, input),
          );
        }
        for (const { name, input } of reads) {
          const answers = [];
          for (const wiki of wikis) answers.push(await ask(wiki, SCOPE, name, input));
          expect(answers[0], `${name} ${JSON.stringify(input)}`).toEqual(answers[1]);
        }
      },
    ),
    { numRuns: 2 },
  );
});

async function begun(outside: Record<string, string>): Promise<TestWiki> {
  const files = Object.entries(outside).map(([path, content]) => [`${path}.md`, content]);
  return openTestWiki(inProcess, Object.fromEntries([['out/First.md', 'first\n'], ...files]));
}

async function changeOutside(
  wiki: TestWiki,
  changes: readonly { path: string; content: string; file: boolean }[],
) {
  for (const { path, content, file } of changes) {
    if (file) await wiki.run('put_attachment', { path: `${path}.png`, content: 'YQ==' }).catch(ignoreRefusal);
    else await wiki.run('append_to_page', { path, content, create: true }).catch(ignoreRefusal);
  }
}

/** A refusal is fine: a file may be there already, or a name may differ in case alone. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof WikiError && REFUSALS.has(error.code))) throw error;
}

const REFUSALS = new Set<ErrorCode>(['already_exists', 'invalid_path']);
