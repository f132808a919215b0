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
function textOf(...call: Parameters<typeof answerText>): string {
  return answerText(...call).replace(/\[(?:page text )?[0-9a-f]{12} (begins|ends)\]/g, '[$1]');
}

test('a page is its Markdown under a line of facts', () => {
  expect(textOf('read_page', page)).toBe(
    `"Kitchen/Tea" version ${version} commit 7f6c99eeb5\n[begins]\n# Tea\n\nGreen.\n[ends]`,
  );
});

test('the first part of a long page says how to get its headings, and each part where the next one begins', () => {
  const outline = [...page.outline, { level: 2, text: 'Milk', line: 90 }];
  const part = { ...page, outline, total_lines: 99, truncated: true };
  const note = 'This is a part of the page. For the next one call read_page again with start_line 4.';
  const first = textOf('read_page', { ...part, next_start_line: 4, next_start_char: 0, note });
  expect(first.split('\n').slice(1, 4)).toEqual([
    'lines: 99, here from 1, truncated: next_start_line 4',
    'mode "outline" lists the headings',
    '[begins]',
  ]);
  const later = textOf('read_page', {
    ...part,
    start_line: 4,
    next_start_line: 80,
    next_start_char: 3,
    note,
  });
  expect(later).toContain('here from 4, truncated: next_start_line 80, next_start_char 3\n[begins]');
});

const changedAt = { version, size: 14, updated: '2026-10-05T12:30:17Z' };

test('a list is one line for each, with the title if it says more than the path', () => {
  const pages = [
    { ...changedAt, path: 'Kitchen/green-tea', title: 'Green Tea' },
    { ...changedAt, path: 'A', title: 'Line\nbreak' },
  ];
  const rows = ['- "Kitchen/green-tea" 14', '- "A" "Line\\nbreak" 14'];
  const output = { commit, pages, total: 9, next_cursor: 'c1' };
  const head = '2 of 9 pages; for more pass cursor "c1"';
  expect(textOf('list_pages', output)).toBe([head, ...rows].join('\n'));
  for (const asked of [{ sort: 'updated' }, { updated_since: 'yesterday' }])
    expect(textOf('list_pages', output, asked)).toBe(
      [head, ...rows.map((row) => `${row} 2026-10-05`)].join('\n'),
    );
});

test('neighbours in one folder stand below it, and a line of links has each folder once', () => {
  const paths = ['A', 'b/"C', 'b/D', 'b/e/F', 'b/G', 'b/H'];
  const pages = paths.map((path) => ({ ...changedAt, path, title: path.slice(-1) }));
  expect(textOf('list_pages', { commit, pages, total: 6, next_cursor: null }).split('\n').slice(1)).toEqual([
    ...['- "A" 14', '"b/"', '  "\\"C" "C" 14', '  "D" 14', '- "b/e/F" 14', '"b/"', '  "G" 14', '  "H" 14'],
  ]);
  const links = { path: 'A', exists: true, links_to: paths, attachments: [], linked_from: ['b/D', 'A'] };
  expect(textOf('get_links', { ...links, broken: [], truncated: false })).toBe(
    '"A"\nlinks to: "A", "b/" ["\\"C", "D", "G", "H"], "b/e/F"\nlinked from: "b/D", "A"',
  );
});

test('no character of a name ends its line, so that it cannot look like a fact', () => {
  const path = 'A\u2028commit 1\u0085x\u2029y\r"';
  const tags = [{ tag: path, pages: 1 }];
  expect(textOf('list_tags', { commit, tags, ...end })).toBe(
    '1 tags\n- "A\\u2028commit 1\\u0085x\\u2029y\\r\\"" 1',
  );
});

test('a search has the lines that say most of each page, and all of them if it asks for lines', () => {
  const texts = [
    '# Tea',
    'Tea.',
    'Only milk.',
    `${'x '.repeat(90)}milk and tea ${'y '.repeat(90)}`,
    '[tea]: a/tea.md',
  ];
  const lines = texts.map((text, at) => ({ line: at + 1, text }));
  const hits = Array.from('ABCD', (path) => ({ path, title: 'Tea', version, score: 1.5, lines }));
  const output = { commit, hits, total: 4, next_cursor: null, note: 'By words.' };
  const cut = `4: "…${'x '.repeat(20)}milk and tea ${'y '.repeat(33)}y…"`;
  const rows = textOf('search_pages', output, { query: 'milk tea' }).split('\n');
  expect(rows.slice(1, 6)).toEqual([expect.any(String), 'By words.', '- "A" "Tea"', '2: "Tea."', cut]);
  expect(rows.slice(-2)).toEqual(['- "D" "Tea"', cut]);
  for (const asked of [{ mode: 'regex' }, { context_lines: 1 }]) {
    const all = textOf('search_pages', output, { query: 'milk tea', ...asked }).split('\n');
    expect(all.slice(2, 6)).toEqual([
      '- "A" "Tea"',
      '2: "Tea."',
      '3: "Only milk."',
      `4: ${JSON.stringify(texts[3])}`,
    ]);
  }
});

test('a passage has its headings below the title, and the pages that say the same', () => {
  const lines = [
    { line: 3, text: 'Green.', heading: 'Tea', also: ['B'] },
    { line: 9, text: 'Hot.', heading: 'Tea/Milk/How' },
  ];
  const hits = [{ path: 'A', title: 'Tea', version, score: 1.5, superseded_by: 'C', lines }];
  expect(textOf('search_pages', { commit, hits, ...end }, { query: 'tea', mode: 'passages' })).toBe(
    '1 pages\n- "A" "Tea" superseded by "C"\n3: "Green." (also in "B")\n9 in "Milk/How": "Hot."',
  );
});

test('a write has its version, its commit, and the diff where the caller did not give each line', () => {
  const written = { path: 'A', version, previous_version: version, commit, changed: true, diff: '-a\n+b\n' };
  const facts = `commit 7f6c99eeb5 "A" version ${version}`;
  const withDiff = `${facts}\n[begins]\n-a\n+b\n[ends]`;
  expect(textOf('write_page', written)).toBe(withDiff);
  expect(textOf('write_page', { ...written, previous_version: null })).toBe(facts);
  expect(textOf('append_to_page', written)).toBe(facts);
  expect(textOf('edit_page', written, { edits: [{ old_string: 'a' }] })).toBe(facts);
  expect(textOf('edit_page', written, { edits: [{ old_string: 'a', replace_all: true }] })).toBe(withDiff);
  expect(textOf('edit_section', written, { operation: 'append' })).toBe(facts);
  expect(textOf('edit_section', written, { operation: 'replace' })).toBe(withDiff);
  expect(textOf('edit_page', { ...written, commit: null })).toMatch(/^only planned, not written: "A".*\n\[b/);
});

test('a batch has the diffs of the pages whose lines the caller did not give', () => {
  const rows = ['A', 'B', 'C'].map((path) => ({ path, version, previous_version: version, diff: '-a\n' }));
  const changes = [
    { op: 'append', path: 'A' },
    { op: 'edit', path: 'B', edits: [{ replace_all: true }] },
    { op: 'section', path: 'C', position: 'append' },
    { op: 'write', path: 'C' },
  ];
  const batch = { commit, changed: true, pages: rows, total: 3, updated_pages: [], updated_total: 0 };
  const shown = textOf('commit_changes', batch, { changes });
  expect(shown.split('[begins]').map((part) => part.match(/"[A-C]"/g))).toEqual([
    ['"A"', '"B"'],
    ['"C"'],
    null,
  ]);
  expect(textOf('commit_changes', { ...batch, commit: null }, { changes }).match(/begins/g)).toHaveLength(3);
});

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

test('one commit is whole, and several have the beginnings of their messages below their author', () => {
  expect(textOf('get_history', { entries: [entry], next_cursor: null })).toBe(
    '1 commit\n- 7f6c99eeb5 2026-10-05T12:30Z "Ada" with "test/1": "Why\\n\\nBecause." (added "A")',
  );
  const many = textOf('get_history', {
    entries: [entry, { ...entry, agent: null }, { ...entry, agent: null, message: 'm'.repeat(100) }],
    next_cursor: null,
  });
  expect(many.split('\n')).toEqual([
    '3 commits',
    'for all of one pass at and limit 1, without path',
    '"Ada" with "test/1":',
    '- 7f6c99eeb5 2026-10-05 "Why..." (added "A")',
    '"Ada":',
    '- 7f6c99eeb5 2026-10-05 "Why..." (added "A")',
    `- 7f6c99eeb5 2026-10-05 "${'m'.repeat(72)}..." (added "A")`,
  ]);
});

test('a long history says that the pages of its older commits are left out', () => {
  const pages = Array.from({ length: 9 }, (_, at) => ({
    path: `${'folder'.repeat(9)}${at}/A`,
    action: 'modified',
  }));
  const entries = Array.from({ length: 9 }, () => ({ ...entry, pages, pages_total: 12 }));
  const rows = textOf('get_history', { entries, next_cursor: null }).split('\n');
  expect(rows[2]).toBe('pages of older commits are left out');
  expect(rows.filter((row) => row.includes('; 12 pages in all)'))).toHaveLength(3);
  expect(rows.filter((row) => row.endsWith('"Why..."'))).toHaveLength(6);
});

test('the history of a page has its path where it changes, and what became of it', () => {
  const of = { ...entry, message: 'm', agent: null };
  const entries = [
    { ...of, path: 'B', version: null, pages: [{ path: 'B', action: 'deleted' }] },
    { ...of, path: 'B', pages: [{ path: 'B', action: 'modified' }], pages_total: 7 },
    { ...of, path: 'A', moved_to: 'B', pages: [{ path: 'B', action: 'moved' }] },
    { ...of, path: 'A' },
  ];
  expect(textOf('get_history', { entries, next_cursor: null }).split('\n').slice(3)).toEqual([
    '- 7f6c99eeb5 2026-10-05 "m" (as "B", deleted)',
    '- 7f6c99eeb5 2026-10-05 "m" (7 pages)',
    '- 7f6c99eeb5 2026-10-05 "m" (as "A", moved to "B")',
    '- 7f6c99eeb5 2026-10-05 "m" (added)',
  ]);
});

test('neighbouring paragraphs of one commit are one row of a blame', () => {
  const block = (start_line: number, ...by: object[]) => ({
    start_line,
    end_line: start_line + 1,
    beginning: 'b',
    by,
  });
  const one = { commit, lines: 2 };
  const blocks = [block(1, one), block(4, one), block(7, one, { commit: null, lines: 1 }), block(10, one)];
  const commits = [{ ...entry, path: 'Was' }];
  const blame = { path: 'A', version, commit, blocks, commits, stopped_at: null, next_start_line: null };
  expect(textOf('blame_page', blame).split('\n').slice(1)).toEqual([
    '1-5 "b": 7f6c99eeb5',
    '7-8 "b": 7f6c99eeb5 2, none 1',
    '10-11 "b": 7f6c99eeb5',
    expect.stringMatching(/^commits .*:$/),
    '- 7f6c99eeb5 2026-10-05T12:30Z "Ada" with "test/1": "Why..." as "Was"',
  ]);
});

test('findings of a page are one row, without what their kind says', () => {
  const finding = { kind: 'broken_link', path: 'A', line: 3, detail: 'Caek', suggestions: ['A', 'Cake'] };
  const findings = [
    finding,
    { ...finding, line: 5, suggestions: [] },
    { kind: 'orphan', path: 'b/C', line: null, detail: 'No other page links here.' },
    { kind: 'orphan', path: 'b/D', line: null, detail: 'No other page links here.' },
    { kind: 'stale', path: 'A', line: null, detail: 'Last changed on 2026-10-05.' },
  ];
  const counts = { broken_link: 2, orphan: 2, stale: 1 };
  const text = textOf('check_wiki', { commit, findings, counts, total: 5, next_cursor: null });
  expect(text.split('\n').slice(1)).toEqual([
    ...['broken_link (2):', '- "A" 3: "Caek" perhaps "Cake"; 5: "Caek"'],
    ...['orphan (2):', '"b/" ["C", "D"]', 'stale (1):', '- "A": "2026-10-05"'],
  ]);
});

test('an answer without a text of its own is compact JSON without nulls', () => {
  expect(textOf('create_wiki', { wiki: 'main', commit: null, clone: null })).toBe('{"wiki":"main"}');
});
