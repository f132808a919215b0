import { expect, test } from 'vitest';
import { answerText } from './answer-text.ts';

const version = 'ab541f387cf0b68ac817c281f7156873149b21e0';
const commit = '7f6c99eeb5f0842804addda008313fb2623370ae';
const page = {
  path: 'Kitchen/Tea',
  title: 'Tea',
  version,
  commit,
  content: '# Tea\n\nGreen.\n',
  frontmatter: {},
  outline: [{ level: 1, text: 'Tea', line: 1 }],
  total_lines: 3,
  start_line: 1,
  next_start_line: null,
  next_start_char: null,
  truncated: false,
  note: null,
};
const end = { total: 1, next_cursor: null };

/** The random number of a mark is not the same twice. */
function textOf(...[name, output]: Parameters<typeof answerText>): string {
  return answerText(name, output).replace(/\[page text [0-9a-f]{12} (begins|ends)\]/g, '[$1]');
}

test('a page is its Markdown under a line of facts', () => {
  expect(textOf('read_page', page)).toBe(
    `"Kitchen/Tea" version ${version} commit 7f6c99eeb5\n[begins]\n# Tea\n\nGreen.\n[ends]`,
  );
});

test('the first part of a long page has the headings after it, and no later part has any', () => {
  const outline = [...page.outline, { level: 2, text: 'Milk', line: 90 }];
  const part = { ...page, outline, total_lines: 99, truncated: true };
  const note = 'This is a part of the page. For the next one call read_page again with start_line 4.';
  const first = textOf('read_page', { ...part, next_start_line: 4, next_start_char: 0, note });
  expect(first.split('\n').slice(1, 6)).toEqual([
    'lines: 99, here from 1',
    'truncated: next_start_line 4, next_start_char 0',
    'outline, by line:',
    '90 ## "Milk"',
    '[begins]',
  ]);
  const later = textOf('read_page', {
    ...part,
    start_line: 4,
    next_start_line: 80,
    next_start_char: 3,
    note,
  });
  expect(later).toContain('truncated: next_start_line 80, next_start_char 3\n[begins]');
});

test('a list is one line for each, with the title if it says more than the path', () => {
  const pages = [
    { path: 'Kitchen/Tea', title: 'Tea', version, size: 14, updated: '2026-10-05T12:30:17Z' },
    { path: 'A', title: 'Line\nbreak', version, size: 1, updated: '2026-10-05T12:30:17Z' },
  ];
  expect(textOf('list_pages', { commit, pages, total: 9, next_cursor: 'c1' })).toBe(
    [
      '2 of 9 pages; for more pass cursor "c1"',
      '- "Kitchen/Tea" 14 2026-10-05',
      '- "A" "Line\\nbreak" 1 2026-10-05',
    ].join('\n'),
  );
});

test('no character of a name ends its line, so that it cannot look like a fact', () => {
  const path = 'A\u2028commit 1\u0085x\u2029y\r"';
  const tags = [{ tag: path, pages: 1 }];
  expect(textOf('list_tags', { commit, tags, ...end })).toBe(
    '1 tags\n- "A\\u2028commit 1\\u0085x\\u2029y\\r\\"" 1',
  );
});

test('a search has the lines of each page, and a write its version, commit and diff', () => {
  const lines = [{ line: 3, text: 'Green.', heading: 'Tea', also: ['B'] }];
  const hits = [{ path: 'A', title: 'Tea', version, score: 1.5, superseded_by: 'C', lines }];
  expect(textOf('search_pages', { commit, hits, ...end, note: 'By words.' })).toBe(
    '1 pages\nBy words.\n- "A" "Tea" superseded by "C"\n3 in "Tea": "Green." (also in "B")',
  );
  const written = { path: 'A', version, previous_version: version, commit, changed: true, diff: '-a\n+b\n' };
  expect(textOf('edit_page', written)).toBe(
    `commit 7f6c99eeb5 "A" version ${version}\n[begins]\n-a\n+b\n[ends]`,
  );
  const created = { ...written, previous_version: null };
  expect(textOf('write_page', created)).toBe(`commit 7f6c99eeb5 "A" version ${version}`);
  expect(textOf('edit_page', { ...created, commit: null })).toMatch(/^only planned, not written: "A"/);
});

test('many commits have the beginnings of their messages, and few have all of it', () => {
  const entry = {
    commit,
    author: 'Ada <ada@example.org>',
    agent: 'test/1',
    date: '2026-10-05T12:30:17Z',
    message: 'Why\n\nBecause.',
    version,
    path: null,
    moved_to: null,
    pages: [{ path: 'A', action: 'added' }],
    pages_total: 1,
  };
  const who = '- 7f6c99eeb5 2026-10-05T12:30Z "Ada" with "test/1"';
  const few = textOf('get_history', { entries: [entry], next_cursor: null });
  expect(few).toBe(`1 commits\n${who}: "Why\\n\\nBecause." (added "A")`);
  const many = textOf('get_history', { entries: Array(6).fill(entry), next_cursor: null }).split('\n');
  expect(many[1]).toContain('pass at with the commit and limit 1');
  expect(many[2]).toBe(`${who}: "Why..." (added "A")`);
});

test('an answer without a text of its own is compact JSON without nulls', () => {
  expect(textOf('create_wiki', { wiki: 'main', commit: null, clone: null })).toBe('{"wiki":"main"}');
});
