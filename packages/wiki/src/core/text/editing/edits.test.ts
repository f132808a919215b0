import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendText, applyEdits, type Edit } from './edits.ts';

const most = 2_000_000;
const edit = (old_string: string, new_string: string, replace_all = false): Edit => ({
  old_string,
  new_string,
  replace_all,
});

function edited(text: string, ...edits: Edit[]): string {
  const outcome = applyEdits(text, edits, most);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.text;
}

function problem(text: string, ...edits: Edit[]) {
  const outcome = applyEdits(text, edits, most);
  if (outcome.ok) throw new Error(outcome.text);
  return outcome;
}

describe('an edit', () => {
  test('replaces literally: a dollar sign means nothing', () => {
    expect(edited('price: X', edit('X', "$& $1 $$ $` $'"))).toBe("price: $& $1 $$ $` $'");
    expect(edited('a.c abc', edit('a.c', 'x'))).toBe('x abc');
  });

  test('sees what the one before it left', () => {
    expect(edited('one', edit('one', 'two'), edit('two', 'three'))).toBe('three');
  });

  test('that fails, fails all, and says which', () => {
    expect(problem('one two', edit('one', '1'), edit('three', '3'))).toMatchObject({
      edit: 1,
      problem: { kind: 'no_match' },
    });
  });

  test('that matches nothing reports the nearest line', () => {
    expect(problem('# A\nStart the server.\n', edit('Start a server.', 'x')).problem).toEqual({
      kind: 'no_match',
      nearest: { line: 2, text: 'Start the server.' },
    });
  });

  test('that matches more than once reports how often and where', () => {
    expect(problem('x\ny\nx x\n', edit('x', 'z')).problem).toEqual({
      kind: 'ambiguous_match',
      count: 3,
      lines: [1, 3, 3],
    });
    expect(edited('x\ny\nx x\n', edit('x', 'z', true))).toBe('z\ny\nz z\n');
  });

  test('that matches at overlapping places is ambiguous', () => {
    expect(problem('aaa', edit('aa', 'b')).problem).toMatchObject({ kind: 'ambiguous_match', count: 2 });
    expect(edited('aaaaa', edit('aa', 'b', true))).toBe('bba');
  });

  test('of nothing, or of half a character, is refused', () => {
    expect(problem('x', edit('', 'y')).problem).toEqual({ kind: 'empty' });
    expect(problem('🎉', edit('\ud83c', 'y')).problem).toEqual({ kind: 'not_text' });
    expect(problem('x', edit('x', '\ud83c')).problem).toEqual({ kind: 'not_text' });
  });

  test('that would make a page of a hundred gigabytes is refused before it is made', () => {
    const large = edit('a', 'b'.repeat(1_000_000), true);
    expect(problem('a'.repeat(100_000), large).problem).toEqual({ kind: 'too_large' });
  });
});

describe('line endings', () => {
  test('a match can span lines, and the page keeps its line endings', () => {
    expect(edited('a\r\nb\r\nc\r\n', edit('a\nb', 'x\ny'))).toBe('x\r\ny\r\nc\r\n');
    expect(edited('a\nb\nc\n', edit('a\r\nb', 'x\r\ny'))).toBe('x\ny\nc\n');
    expect(edited('a\r\nb', edit('\nb', ''))).toBe('a');
  });

  test('a page with both line endings keeps each one outside of the edit', () => {
    expect(edited('a\r\nb\nc\r\nd', edit('b', 'x\ny'))).toBe('a\r\nx\r\ny\nc\r\nd');
  });

  test('an edit of a page with any endings is the edit of the page with line feeds', () => {
    const line = fc.constantFrom('a', 'b', '', 'ab');
    const text = fc.array(line, { minLength: 1, maxLength: 10 }).map((lines) => lines.join('\n'));
    const some = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
    const ending = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(text, some, some, ending, fc.boolean(), (page, old, replacement, eol, all) => {
        fc.pre(old !== '');
        const withEnding = (value: string) => value.replaceAll('\n', eol);
        const plain = applyEdits(page, [edit(old, replacement, all)], most);
        const outcome = applyEdits(withEnding(page), [edit(old, replacement, all)], most);
        // A page of one line has no ending of its own to keep.
        if (!page.includes('\n')) return;
        const splices = outcome.ok ? outcome.splices : [];
        expect(outcome).toEqual(plain.ok ? { ...plain, splices, text: withEnding(plain.text) } : plain);
        const [spliced = []] = splices;
        const replaced = spliced.reduceRight(
          (left, { start, end }) => left.slice(0, start) + withEnding(replacement) + left.slice(end),
          withEnding(page),
        );
        if (outcome.ok) expect(replaced).toBe(outcome.text);
      }),
    );
  });

  test('replacing all is split and join', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(few, few, few, (page, old, replacement) => {
        fc.pre(page.includes(old));
        expect(edited(page, edit(old, replacement, true))).toBe(page.split(old).join(replacement));
      }),
    );
  });
});

test('an edit at its bound is taken, and one above it is refused', () => {
  const full = 'a'.repeat(200_000);
  const all = (old: string) => edit(old, 'b', true);
  expect(applyEdits(full, [all('a')], most)).toMatchObject({ ok: true, replaced: 200_000 });
  expect(applyEdits(`${full}a`, [all('a')], most)).toEqual({
    ok: false,
    edit: 0,
    problem: { kind: 'too_many', most: 200_000 },
  });
  expect(applyEdits(`${full}c`, [all('a'), all('c')], most)).toMatchObject({ ok: false, edit: 1 });
  expect(applyEdits('abc abc', [edit('abc', '12345', true)], 11)).toMatchObject({ ok: true });
  expect(problemOf(applyEdits('abc abc', [edit('abc', '12345', true)], 10))).toEqual({ kind: 'too_large' });
  const lines = (count: number) => problem('x\n'.repeat(count), edit('x', 'y')).problem;
  expect(lines(25)).toEqual({
    kind: 'ambiguous_match',
    count: 25,
    lines: Array.from({ length: 20 }, (_, at) => at + 1),
  });
});

test('edits that match everywhere again and again are refused', () => {
  const page = 'a'.repeat(150_000);
  const swaps = [edit('a', 'b', true), edit('b', 'a', true)];
  expect(applyEdits(page, swaps.slice(0, 1), most)).toMatchObject({ ok: true, replaced: 150_000 });
  expect(applyEdits(page, swaps, most)).toEqual({
    ok: false,
    edit: 1,
    problem: { kind: 'too_many', most: 200_000 },
  });
});

describe('an appended text', () => {
  test('begins on its own line and ends with the page’s line ending', () => {
    expect(appendText('a', 'b')).toBe('a\nb\n');
    expect(appendText('a\r\n', 'b\nc')).toBe('a\r\nb\r\nc\r\n');
    expect(appendText('', 'b')).toBe('b\n');
    expect(appendText('a\n', '\n## B\n')).toBe('a\n\n## B\n');
    expect(appendText('a', '')).toBe('a');
    expect(appendText('a\n', '\nb')).toBe('a\n\nb\n');
    expect(appendText('a\n', 'b\n')).toBe('a\nb\n');
  });
});

function problemOf(outcome: ReturnType<typeof applyEdits>) {
  return outcome.ok ? null : outcome.problem;
}
