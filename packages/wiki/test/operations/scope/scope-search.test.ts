import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scope.ts';
import { inProcess } from '../local-backends.ts';
import { type Files, openTestWiki } from '../test-wiki.ts';
import { answerOf, narrow } from './scope-wiki.ts';

const word = fc.constantFrom('apple', 'apples', 'pear', 'plum', 'stone', 'fruit');
const successor = fc
  .record({ folder: fc.constantFrom('in/', 'also/deep/', 'out/', ''), page: fc.nat(9) })
  .map(({ folder, page }) => `---\nsuperseded_by: ${folder}${page}\n---\n`);
const text = fc
  .record({
    frontmatter: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, successor),
    words: fc.array(word, { minLength: 1, maxLength: 60 }),
  })
  .map(({ frontmatter, words }) => `${frontmatter}${words.join(' ')} [[1]] [[2]] [[3]]\n`);
const pages = (folders: readonly string[]) =>
  fc.dictionary(
    fc
      .record({ folder: fc.constantFrom(...folders), page: fc.nat(9) })
      .map(({ folder, page }) => `${folder}${page}.md`),
    text,
    { minKeys: 1, maxKeys: 12 },
  );
const scope: Scope = { read: ['in/', 'also/deep/'], write: ['in/'] };

test('hits, their order, near-copies and links to superseded pages are those of a wiki that holds nothing but the scope', async () => {
  const queries = fc.array(
    fc.record({
      query: fc
        .array(fc.oneof(word, fc.constantFrom('aple', 'appl*', '"pear plum"')), {
          minLength: 1,
          maxLength: 3,
        })
        .map((words) => words.join(' ')),
      prefix: fc.constantFrom('', 'in/', 'i'),
      limit: fc.constantFrom(2, 20),
      mode: fc.constantFrom('words', 'passages'),
    }),
    { minLength: 3, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(
      pages(scope.read),
      pages(['out/', 'also/', '']),
      queries,
      async (inside, outside, asked) => {
        const whole = await openTestWiki(inProcess, { ...outside, ...inside } as Files);
        const alone = await openTestWiki(inProcess, inside as Files);
        for (const input of asked) {
          const strip = ({ commit: _, next_cursor: __, ...answer }: Record<string, unknown>) => answer;
          const limited = strip(
            (await answerOf(whole, scope, 'search_pages', input)) as Record<string, unknown>,
          );
          const model = strip(
            (await answerOf(alone, { read: [''], write: [''] }, 'search_pages', input)) as Record<
              string,
              unknown
            >,
          );
          expect(rounded(limited)).toEqual(rounded(model));
        }
        const kinds = { kinds: ['near_copy', 'superseded_link'] };
        const [limited, model] = [
          await answerOf(whole, scope, 'check_wiki', kinds),
          await answerOf(alone, { read: [''], write: [''] }, 'check_wiki', kinds),
        ] as { findings: unknown }[];
        expect(limited?.findings).toEqual(model?.findings);
      },
    ),
    { numRuns: 6 },
  );
});

test('the rarity of a word elsewhere does not affect the order of pages here', async () => {
  const inside = {
    'in/A.md': 'apple and more\n',
    'in/B.md': 'plum and more\n',
    'in/C.md': 'stone and more\n',
  };
  const order = async (elsewhere: string) => {
    const outside = Object.fromEntries(
      Array.from({ length: 20 }, (_, page) => [`out/${page}.md`, `${elsewhere}\n`]),
    );
    const wiki = await openTestWiki(inProcess, { ...outside, ...inside });
    const { hits } = (await answerOf(wiki, scope, 'search_pages', { query: 'apple plum' })) as {
      hits: { path: string }[];
    };
    return hits.map(({ path }) => path);
  };
  expect(await order('apple')).toEqual(await order('plum'));
});

test('authors of pages elsewhere find nothing, and those of pages here what a wiki without the rest finds', async () => {
  const wiki = await openTestWiki(inProcess, { 'in/A.md': 'apple\n', 'out/B.md': 'apple\n' });
  const found = async (within: Scope, input: object) => {
    const answer = await answerOf(wiki, within, 'search_pages', { query: 'apple', ...input });
    return (answer as { hits: { path: string }[] }).hits.map(({ path }) => path).toSorted();
  };
  await wiki.as('Grace', 'claude/2').run('append_to_page', { path: 'out/B', content: 'pear' });
  await wiki.as('Alan', 'cursor/1').run('append_to_page', { path: 'in/A', content: 'plum' });
  expect(await found(scope, { author: 'grace' })).toEqual([]);
  expect(await found(scope, { agent: 'claude' })).toEqual([]);
  expect(await found(scope, { author: 'alan', agent: 'cursor' })).toEqual(['in/A']);
  expect(await found({ read: [''], write: [''] }, { agent: 'c' })).toEqual(['in/A', 'out/B']);
  await wiki.as('Edsger', 'both/1').run('commit_changes', {
    message: 'Both',
    changes: [
      { op: 'append', path: 'in/A', content: 'stone' },
      { op: 'append', path: 'out/B', content: 'stone' },
    ],
  });
  expect(await found(scope, { agent: 'both' })).toEqual(['in/A']);
});

test('undoing a commit that quotes a push does not repeat the quote', async () => {
  const wiki = await openTestWiki(inProcess, { 'in/A.md': 'a\n' });
  const quoted = 'Revert "Bring in what git pushed: Add secret/Plan"';
  const { version } = await wiki.run('read_page', { path: 'in/A' });
  const made = await wiki.run('write_page', { path: 'in/A', content: 'b\n', version, message: quoted });
  await answerOf(wiki, scope, 'revert_commit', { commit: made.commit });
  expect(await wiki.git('log', '-1', '--format=%B', 'main')).not.toContain('secret');
});

/** Sums in another order differ in their last digit. */
function rounded(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'score' ? Number((value as number).toPrecision(9)) : value,
  );
}

test('a list by title is in the order of a wiki that holds nothing but the scope', async () => {
  const titles = ['(zebra)', 'apple', 'pear', '!plum', 'Ärger', '10', '9'];
  const inside = Object.fromEntries(
    titles.map((title, at) => [`${scope.read[at % 2]}Page ${at}.md`, `---\ntitle: "${title}"\n---\n`]),
  );
  const whole = await openTestWiki(inProcess, { ...inside, 'Home.md': 'elsewhere\n' });
  const alone = await openTestWiki(inProcess, inside);
  const listed = async (wiki: typeof whole, within: Scope) => {
    const answer = await answerOf(wiki, within, 'list_pages', { sort: 'title' });
    return (answer as { pages: { path: string }[] }).pages.map(({ path }) => path);
  };
  expect(await listed(whole, scope)).toEqual(await listed(alone, { read: [''], write: [''] }));
});

test('mentions of a page are found here, however many there are elsewhere', async () => {
  const text = 'Somebody stands behind the Oven Door.\n';
  const pages = Array.from({ length: 60 }, (_, at) => [`elsewhere/${at}.md`, text]);
  const wiki = await openTestWiki(inProcess, Object.fromEntries(pages));
  await wiki.write('notes/Oven Door.md', 'A page.\n');
  await wiki.write('notes/Other.md', text);
  const answer = await answerOf(wiki, narrow, 'list_mentions', { path: 'notes/Oven Door' });
  expect(answer).toMatchObject({ mentions: [{ path: 'notes/Other' }], truncated: false });
});
