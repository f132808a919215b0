import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { findSection, headingPaths, MAX_HEADINGS_FOUND, plainText } from './outline.ts';

function find(text: string, wanted: string) {
  return findSection(scanBlocks(text).headings, text.length, wanted);
}

function sectionOf(text: string, wanted: string): string {
  const found = find(text, wanted);
  if (found.kind !== 'found') throw new Error(JSON.stringify(found));
  return text.slice(found.section.start, found.section.end);
}

const page = '# One\na\n## Sub\nb\n### Deep\nc\n# Two\nd\n## Sub\ne\n## In/Out\nf\n';

describe('a section', () => {
  test('reaches to the next heading of its level or above', () => {
    expect(sectionOf(page, 'One')).toBe('# One\na\n## Sub\nb\n### Deep\nc\n');
    expect(sectionOf(page, 'Deep')).toBe('### Deep\nc\n');
    expect(sectionOf(page, 'In/Out')).toBe('## In/Out\nf\n');
  });

  test('distinguishes its own content from that of its subsections', () => {
    const found = find(page, 'One');
    expect(found.kind === 'found' && page.slice(found.section.bodyStart, found.section.ownEnd)).toBe('a\n');
  });

  test('is named by a path if its name is not enough', () => {
    expect(sectionOf(page, 'Two/Sub')).toBe('## Sub\ne\n');
    expect(sectionOf(page, 'Sub/Deep')).toBe('### Deep\nc\n');
    expect(sectionOf(page, 'Two/In/Out')).toBe('## In/Out\nf\n');
  });

  test('is never guessed: an ambiguous name lists the paths, and each of them finds one', () => {
    expect(find(page, 'Sub')).toEqual({ kind: 'ambiguous', paths: ['One/Sub', 'Two/Sub'], total: 2 });
    const log = '# A\n# Log\n## Fix\n1\n# Log\n## Fix\n2\n# B\n## A\n';
    expect(find(log, 'Fix')).toEqual({ kind: 'ambiguous', paths: ['Log/Fix[1]', 'Log/Fix[2]'], total: 2 });
    expect(sectionOf(log, 'Log/Fix[2]')).toBe('## Fix\n2\n');
    expect(find(log, 'A')).toEqual({ kind: 'ambiguous', paths: ['/A', 'B/A'], total: 2 });
    expect(sectionOf(log, '/A')).toBe('# A\n');
  });

  test('is not found by a part of its name', () => {
    expect(find(page, 'On').kind).toBe('missing');
    expect(find(page, 'One/Deep').kind).toBe('missing');
    expect(find(page, '').kind).toBe('missing');
    expect(find(page, '/').kind).toBe('missing');
    expect(find('```\n# One\n```\n', 'One').kind).toBe('missing');
  });

  test('is found as a reader sees its name: in any case unless one fits exactly, without marks', () => {
    expect(sectionOf(page, 'two')).toMatch(/^# Two/);
    expect(sectionOf(page, '## In/Out')).toMatch(/^## In/);
    expect(sectionOf('# a\n# A\n', 'A')).toBe('# A\n');
    expect(sectionOf('# The `x` of **[y](z.md)** \n', 'The x of y')).toMatch(/^# The/);
    expect(sectionOf('# The `x`\n', 'The `x`')).toMatch(/^# The/);
    expect(sectionOf('# Cafe\u0301\n', 'Caf\u00e9')).toMatch(/^# Caf/);
    expect(sectionOf('# List [2]\n', 'List [2]')).toMatch(/^# List/);
  });
});

test('a heading that has a slash in its name is found by what follows it, as by a path', () => {
  const text = '# In/Out\na\n## Sub\nb\n# a/\nc\n#\nd\n';
  expect(sectionOf(text, 'Out')).toMatch(/^# In/);
  expect(sectionOf(text, 'Out/Sub')).toBe('## Sub\nb\n');
  for (const wanted of [
    '/Out',
    'ut',
    'Out-Sub',
    'Out/',
    '',
    ' ',
    '/',
    'x/Sub',
    'In/Out/x/Sub',
    'x # Sub',
    'x## Sub',
  ])
    expect(find(text, wanted).kind, wanted).toBe('missing');
  expect(sectionOf(text, '  ##  Sub ')).toBe('## Sub\nb\n');
  expect(sectionOf('# \\*a\\* b\n', ' *a*\n  b ')).toMatch(/^#/);
});

test('an ordinal names one of many, and nothing if there are fewer', () => {
  const text = '# A\n'.repeat(12);
  const found = find(text, 'A[11]');
  expect(found.kind === 'found' && found.section.start).toBe(40);
  for (const wanted of ['A[13]', 'A[0]', 'A[1]x', 'A[1] '.repeat(2), 'B[1]', '[1]'])
    expect(find(text, wanted).kind, wanted).toBe('missing');
});

test('a name that matches very many headings lists thirty of them, and finds those up to a bound', () => {
  const page = (others: number) => `# B\n## X\n# C\n## X\n${'# A\n'.repeat(others)}`;
  const paths = (others: number) => {
    const found = find(page(others), 'X');
    return found.kind === 'ambiguous' ? found.paths : [];
  };
  expect(paths(9_996)).toEqual(['B/X', 'C/X']);
  expect(paths(9_997)).toEqual(['/B/X', '/C/X']);
  const many = find('# A\n'.repeat(100), 'A');
  expect(many.kind === 'ambiguous' && [many.total, many.paths.length, many.paths.at(-1)]).toEqual([
    ...[100, 30, 'A[30]'],
  ]);
  expect(headingPaths(scanBlocks('# A\n'.repeat(100)).headings)).toHaveLength(30);
  const last = (before: number) => find(`${'# A\n'.repeat(before)}# Last\n`, 'Last').kind;
  expect([last(MAX_HEADINGS_FOUND - 1), last(MAX_HEADINGS_FOUND)]).toEqual(['found', 'missing']);
});

test('headings are compared by their first thousand characters', () => {
  const long = 'long '.repeat(200);
  const text = `# ${long}one\n# ${long}two\n`;
  expect(find(text, `${long}one`)).toMatchObject({ kind: 'ambiguous', total: 2 });
});

test('every heading of any page is found by a path that is offered', () => {
  const heading = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('A', 'B', 'a', 'A/B', 'C[1]'));
  fc.assert(
    fc.property(fc.array(heading, { minLength: 1, maxLength: 10 }), (made) => {
      const text = made.map(([level, name]) => `${'#'.repeat(level)} ${name}\n`).join('');
      const { headings } = scanBlocks(text);
      for (const [index, path] of headingPaths(headings).entries()) {
        const outcome = find(text, path);
        if (outcome.kind === 'found') continue;
        expect(outcome.kind).toBe('ambiguous');
        const paths = outcome.kind === 'ambiguous' ? outcome.paths : [];
        const reached = paths
          .map((each) => find(text, each))
          .map((each) => each.kind === 'found' && each.section.start);
        expect(new Set(reached).size).toBe(paths.length);
        expect(reached).toContain(headings[index]?.start);
      }
    }),
    { numRuns: 500 },
  );
});

test('plain text is what a reader sees', () => {
  expect(plainText('**Bold** `code` [text](url) [[Page|alias]] [[Page]] snake_case')).toBe(
    'Bold code text alias Page snake_case',
  );
});

test('a heading is found by its text as it is shown and as it is written', () => {
  const text = '# \\*a\\*\n# R&amp;D\n# <b>x</b> *y*\n';
  for (const wanted of ['*a*', '\\*a\\*']) expect(sectionOf(text, wanted)).toBe('# \\*a\\*\n');
  for (const wanted of ['R&D', 'R&amp;D']) expect(sectionOf(text, wanted)).toBe('# R&amp;D\n');
  for (const wanted of ['x y', '<b>x</b> *y*']) expect(sectionOf(text, wanted)).toBe('# <b>x</b> *y*\n');
});

test('the outline of the largest page takes a moment', () => {
  const text = `${'## same\n'.repeat(100_000)}# ${'[['.repeat(100_000)}\n`;
  expect(idleCpuMsOf(() => expect(find(text, 'other').kind).toBe('missing'))).toBeLessThan(3_000);
});
