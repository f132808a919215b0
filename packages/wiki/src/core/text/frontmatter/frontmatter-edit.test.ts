import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findFrontmatter, readFrontmatter } from './frontmatter.ts';
import { editFrontmatter } from './frontmatter-edit.ts';

function edited(text: string, set: Record<string, unknown>, unset: string[] = []): string {
  const outcome = editFrontmatter(text, { set, unset });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem));
  return outcome.text;
}

const page = `---
# About this page
title: "The  page" # as it is shown
tags:
  - one # first
  - 'two'

status: draft   # for now
long: a very long line that some writers of YAML would fold because it has far more than eighty characters in it
aliases: [A, "B"]
empty:
---
Body with trailing spaces  \n---\nand a line of dashes
`;

describe('frontmatter', () => {
  test('changes in one value, and nowhere else', () => {
    expect(edited(page, { status: 'final' })).toBe(page.replace('status: draft ', 'status: final '));
    expect(edited(page, { title: 'New: one' })).toBe(page.replace('"The  page"', '"New: one"'));
    expect(edited(page, { empty: 3 })).toBe(page.replace('empty:', 'empty: 3'));
  });

  test('keeps a list in the form that it has', () => {
    expect(edited(page, { aliases: ['A', 'C'] })).toBe(page.replace('[A, "B"]', '[A, C]'));
    expect(edited(page, { tags: ['one', 'three'] })).toBe(
      page.replace("  - one # first\n  - 'two'\n", '  - one\n  - three\n'),
    );
    expect(edited(page, { status: ['a'] })).toContain('\nstatus:   # for now\n  - a\n');
    expect(edited(page, { status: 'a\nb\n' })).toContain('\nstatus: |   # for now\n  a\n  b\n');
  });

  test('gains keys at its end and loses them with their line', () => {
    expect(edited(page, { new: { a: [1, null] } })).toBe(
      page.replace('empty:\n', 'empty:\nnew:\n  a:\n    - 1\n    - null\n'),
    );
    expect(edited(page, {}, ['status', 'not there'])).toBe(page.replace('status: draft   # for now\n', ''));
    expect(edited(page, {}, ['tags'])).toBe(page.replace("tags:\n  - one # first\n  - 'two'\n", ''));
  });

  test('is left alone if nothing changes', () => {
    expect(edited(page, { tags: ['one', 'two'], title: 'The  page', empty: null }, ['gone'])).toBe(page);
  });

  test('is added if there is none, and removed with its last key', () => {
    expect(edited('text\n', { a: 1 })).toBe('---\na: 1\n---\ntext\n');
    expect(edited('', { a: 'b' })).toBe('---\na: b\n---\n');
    expect(edited('---\na: 1\n---\ntext\n', {}, ['a'])).toBe('text\n');
    expect(edited('---\na: 1\n---\n---\nb: 1\n---\n', {}, ['a'])).toBe('---\n---\n---\nb: 1\n---\n');
    expect(edited('---\n# why\na: 1\n---\n', {}, ['a'])).toBe('---\n# why\n---\n');
  });

  test('keeps the line endings of the page', () => {
    expect(edited('---\r\na: 1\r\n---\r\nx\r\n', { b: ['c'], a: 2 })).toBe(
      '---\r\na: 2\r\nb:\r\n  - c\r\n---\r\nx\r\n',
    );
  });

  test('may be written in braces', () => {
    expect(readBack(edited('---\n{ a: 1, b: [2] }\n---\nx', { a: 3 }, ['b']))).toEqual({ a: 3 });
  });

  test('that is not YAML is refused with its line', () => {
    const outcome = editFrontmatter('---\na: 1\nb: }\n---\n', { set: { a: 2 }, unset: [] });
    expect(outcome).toMatchObject({ ok: false, problem: { line: 3 } });
  });

  test('is not changed if other keys would change with it', () => {
    const anchored = '---\na: &x one\nb: *x\n---\n';
    expect(editFrontmatter(anchored, { set: { a: 'two' }, unset: [] })).toMatchObject({ ok: false });
    expect(edited(anchored, { b: 'two' })).toBe('---\na: &x one\nb: two\n---\n');
  });

  test('reads back every value that was set', () => {
    const values = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const keys = fc.oneof(
      fc.constantFrom('title', 'tags', 'status', 'empty', 'a: b', '1', '- x'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          keys.filter((key) => key !== ''),
          values,
        ),
        (set) => {
          const text = edited(page, set);
          expect(readBack(text)).toEqual({ ...readBack(page), ...set });
          expect(text.slice(findFrontmatter(text)?.end)).toBe(page.slice(findFrontmatter(page)?.end));
        },
      ),
      { numRuns: 300 },
    );
  });
});

function readBack(text: string): Record<string, unknown> {
  return readFrontmatter(text, findFrontmatter(text)).data;
}
