import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { mergeMarked, mergeText } from './merge-text.ts';

const LINES = Array.from({ length: 9 }, (_, line) => `Line ${line}.`);
const edits = fc.array(
  fc.record({
    line: fc.nat({ max: LINES.length }),
    remove: fc.nat({ max: 2 }),
    insert: fc.array(fc.constantFrom('new', 'other'), { maxLength: 2 }),
  }),
  { maxLength: 3 },
);
type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

/** The sides share some of their edits. */
const pages = fc.array(fc.tuple(edits, edits, edits, fc.boolean()), { minLength: 250, maxLength: 250 });

test('hundreds of pages that both sides changed, partly alike, merge as native git merges them', () => {
  fc.assert(
    fc.property(pages, (all) => {
      const versions = all.map(([shared, ours, theirs, endsInLine]) =>
        [[], [...shared, ...ours], [...shared, ...theirs]].map((list) =>
          edited(list, endsInLine ? '\n' : ''),
        ),
      );
      const native = mergedByGit(versions);
      const merged = versions.map((each) => {
        const [base, ours, theirs] = each.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
        const text = mergeText(base, ours, theirs);
        return text === null ? null : Buffer.from(text).toString();
      });
      expect(merged).toEqual(native);
      expect(native.filter((text) => text === null).length).toBeGreaterThan(20);
      expect(native.filter((text) => text !== null).length).toBeGreaterThan(20);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

test('a side that rewrote more than can be compared line by line keeps the change of the other side', () => {
  const base = Array.from({ length: 1_500 }, (_, line) => (line % 3 === 0 ? '' : `Line ${line}.`));
  const ours = base.map((line, at) => (at < 1_200 && at % 2 === 0 ? `Ours ${at}.` : line));
  const theirs = base.toSpliced(1_400, 2, 'theirs').toSpliced(1_300, 0, 'inserted');
  const [one, two, three] = [base, ours, theirs].map((lines) => Buffer.from(`${lines.join('\n')}\n`));
  const text = mergeText(one as Buffer, two as Buffer, three as Buffer);
  const expected = ours.toSpliced(1_400, 2, 'theirs').toSpliced(1_300, 0, 'inserted');
  expect(Buffer.from(text ?? []).toString()).toBe(`${expected.join('\n')}\n`);
});

test('a file that is no text on one side is neither merged nor marked, and an empty page is text', () => {
  const [text, other, binary] = [Buffer.from('a\n'), Buffer.from('b\n'), Buffer.from('a\0\n')];
  const names = { ours: 'yours', theirs: 'theirs' };
  for (const [base, ours, theirs] of [
    [binary, text, other],
    [text, binary, other],
    [text, other, binary],
  ] as const) {
    expect(mergeText(base, ours, theirs)).toBeNull();
    expect(mergeMarked(base, ours, theirs, names)).toBeNull();
  }
  const empty = Buffer.alloc(0);
  expect(mergeText(empty, text, empty)).toEqual(text);
  expect(mergeText(text, text, empty)).toEqual(empty);
  // Git looks for a zero byte in the first 8,000.
  const late = Buffer.concat([Buffer.alloc(7_999, 'x'), Buffer.from('\0\n')]);
  expect(mergeText(empty, late, empty)).toBeNull();
  const later = Buffer.concat([Buffer.alloc(8_000, 'x'), Buffer.from('\0\n')]);
  expect(mergeText(empty, later, empty)).toEqual(later);
});

test('both versions of a place are shown if only one of its changes is the same on both sides', () => {
  const base = Buffer.from('1\n2\n3\n4\n5\n');
  const [ours, theirs] = [Buffer.from('1\nboth\n3\nours\n5\n'), Buffer.from('1\nboth\n3\ntheirs\n5\n')];
  expect(mergeText(base, ours, theirs)).toBeNull();
  const wide = Buffer.from('1\n2\nwide\n5\n');
  expect(mergeText(base, ours, wide)).toBeNull();
  const marked = mergeMarked(base, ours, wide, { ours: 'yours', theirs: 'theirs' });
  expect(Buffer.from(marked?.text ?? []).toString()).toContain('both\n3\nours\n');
});

function edited(list: Edits, end: string): string {
  const lines = [...LINES];
  for (const { line, remove, insert } of list) lines.splice(line, remove, ...insert);
  return lines.join('\n') + end;
}

/** The merges of all pages in one commit; null where git finds a conflict. */
function mergedByGit(versions: readonly (readonly string[])[]): (string | null)[] {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--initial-branch=main']);
  const commit = (version: number) => {
    for (const [at, texts] of versions.entries())
      writeFileSync(join(directory, `${at}.md`), texts[version] ?? '');
    git(directory, ['add', '--all']);
    git(directory, ['commit', '--quiet', '--allow-empty', '-m', 'x']);
  };
  commit(0);
  git(directory, ['checkout', '--quiet', '-b', 'theirs']);
  commit(2);
  git(directory, ['checkout', '--quiet', 'main']);
  commit(1);
  try {
    git(directory, ['merge', '--quiet', '-m', 'x', 'theirs']);
  } catch (error) {
    if (!(error instanceof Error && /exited 1: /.test(error.message))) throw error;
  }
  const open = new Set(git(directory, ['diff', '--name-only', '--diff-filter=U']).split('\n'));
  expect(existsSync(join(directory, '.git/MERGE_HEAD'))).toBe(true);
  return versions.map((_, at) =>
    open.has(`${at}.md`) ? null : readFileSync(join(directory, `${at}.md`), 'utf8'),
  );
}
