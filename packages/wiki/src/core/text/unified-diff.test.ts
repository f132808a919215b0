import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../test/machine-speed.ts';
import { unifiedDiff } from './unified-diff.ts';

const manyLines = (count: number, name: string) =>
  Array.from({ length: count }, (_, line) => `${name} ${line}\n`).join('');

test('equal texts have no diff', () => {
  expect(unifiedDiff('a\n', 'a\n')).toEqual({ diff: '', added: 0, removed: 0, truncated: false });
});

test('a diff looks as git prints it', () => {
  expect(unifiedDiff('a\nb\nc\nd\ne\n', 'a\nb\nC\nd\ne')).toEqual({
    diff: '@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n-e\n+e\n\\ No newline at end of file\n',
    added: 2,
    removed: 2,
    truncated: false,
  });
  expect(unifiedDiff('', 'a\n').diff).toBe('@@ -0,0 +1 @@\n+a\n');
  expect(unifiedDiff('a\n', '').diff).toBe('@@ -1 +0,0 @@\n-a\n');
  expect(unifiedDiff('a\nb\nc\n', 'a\nX\nc\n', { context: 0 }).diff).toBe('@@ -2 +2 @@\n-b\n+X\n');
});

test('a diff over its budget is cut after a whole line and still counts every line', () => {
  const cut = unifiedDiff('', manyLines(100, 'line'), { maxCharacters: 100 });
  expect(cut.diff.length).toBeLessThanOrEqual(100);
  expect(cut.diff).toMatch(/\n\+line \d+\n$/);
  expect(cut).toMatchObject({ added: 100, removed: 0, truncated: true });
});

test('one endless line is cut within the line, never within a character', () => {
  for (const maxCharacters of [40, 41]) {
    const { diff, truncated } = unifiedDiff('', '🎉'.repeat(1_000), { maxCharacters });
    expect(truncated).toBe(true);
    expect(diff.length).toBeLessThanOrEqual(maxCharacters);
    expect(diff.isWellFormed()).toBe(true);
  }
});

test('two large texts with nothing in common become one replacement, in bounded time', () => {
  const [before, after] = ['old', 'new'].map((name) => `same\n${manyLines(40_000, name)}end\n`);
  const used = idleCpuMsOf(() => {
    const { added, removed, diff } = unifiedDiff(before ?? '', after ?? '');
    expect({ added, removed }).toEqual({ added: 40_000, removed: 40_000 });
    expect(diff.startsWith('@@ -1,40002 +1,40002 @@\n same\n-old 0\n')).toBe(true);
    expect(diff).toMatch(/\n end\n$/);
  });
  expect(used).toBeLessThan(5_000);
});

test('a change in a page of a million blank lines takes a moment, and has the numbers of its lines', () => {
  const blank = '\n'.repeat(1_000_000);
  const used = idleCpuMsOf(() => {
    expect(unifiedDiff(`${blank}a\n${blank}`, `${blank}b\n${blank}`, { context: 1 }).diff).toBe(
      '@@ -1000000,3 +1000000,3 @@\n \n-a\n+b\n \n',
    );
    const all = unifiedDiff(blank, ' \n'.repeat(1_000_000), { maxCharacters: 100 });
    expect(all).toMatchObject({ added: 1_000_000, removed: 1_000_000, truncated: true });
  });
  expect(used).toBeLessThan(1_000);
});

describe('with git as the judge', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagetree-diff-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function applied(before: string, diff: string): string {
    writeFileSync(join(folder, 'page.md'), before);
    const patch = `--- a/page.md\n+++ b/page.md\n${diff}`;
    execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], {
      cwd: folder,
      input: patch,
    });
    return readFileSync(join(folder, 'page.md'), 'utf8');
  }

  test('a diff applied to the text before gives the text after', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', '\\ x\n', '-\n');
    const text = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 20 }), fc.constantFrom('', 'end'))
      .map(([lines, end]) => lines.join('') + end);
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1, 3), (before, after, context) => {
        fc.pre(before !== after);
        const { diff, truncated } = unifiedDiff(before, after, { context });
        expect(truncated).toBe(false);
        expect(applied(before, diff)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });

  test('so does a whole replacement', () => {
    const before = `first\n${manyLines(3_000, 'old')}last`;
    const after = `first\n${manyLines(3_100, 'new')}last`;
    expect(applied(before, unifiedDiff(before, after).diff)).toBe(after);
  });
});
