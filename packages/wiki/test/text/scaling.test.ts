import { expect, test } from 'vitest';
import { findFrontmatter, readFrontmatter } from '../../src/core/text/frontmatter/frontmatter.ts';
import { editFrontmatter } from '../../src/core/text/frontmatter/frontmatter-edit.ts';
import { scanBlocks } from '../../src/core/text/markdown/markdown-blocks.ts';
import { findSection } from '../../src/core/text/markdown/outline.ts';
import { idleCpuMsOf } from '../machine-speed.ts';
import { functions, grownTexts } from './text-growth.ts';

// Short texts, so that it is quick: the lab takes longer ones.
test.each(Object.keys(functions))('%s takes time in proportion to the length of any text', (name) => {
  expect(grownTexts(name, 1_500)).toEqual([]);
});

test('an error for a heading that occurs 20,000 times lists the first 30 paths', () => {
  const text = '# A\n'.repeat(20_000);
  const { headings } = scanBlocks(text);
  const used = idleCpuMsOf(() => {
    const found = findSection(headings, text.length, 'A');
    expect(found).toMatchObject({ kind: 'ambiguous' });
    expect(found.kind === 'ambiguous' && found.paths.slice(28)).toEqual(['/A[29]', '/A[30]']);
  });
  expect(used).toBeLessThan(2_000);
});

test('frontmatter of 2,000 keys is read quickly, and is not interpreted above the size limit', () => {
  const set = Object.fromEntries(Array.from({ length: 2_000 }, (_, key) => [`k${key}`, key]));
  let text = '---\n# why\nk5: 1 # five\n---\nx\n';
  const used = idleCpuMsOf(() => {
    const edited = editFrontmatter(text, { set, unset: [] });
    text = edited.ok ? edited.text : '';
  });
  expect(readFrontmatter(text, findFrontmatter(text)).data).toEqual(set);
  expect(text).toMatch(/^---\n# why\nk5: 5 # five\nk0: 0\n/);
  expect(used).toBeLessThan(3_000);

  const keys = Array.from({ length: 24_000 }, (_, key) => `k${key}: 1\n`).join('');
  const large = `---\n${keys}---\nx\n`;
  const problem = { line: 2, reason: 'it has over 30000 characters' };
  expect(
    idleCpuMsOf(() => expect(readFrontmatter(large, findFrontmatter(large))).toEqual({ data: {}, problem })),
  ).toBeLessThan(500);
  expect(editFrontmatter(large, { set: { a: 1 }, unset: [] })).toEqual({ ok: false, problem });
});

test('an error for a doubled key of the frontmatter gives its line, as a reader counts', () => {
  const read = (yaml: string) =>
    readFrontmatter(`---\n${yaml}---\n`, findFrontmatter(`---\n${yaml}---\n`)).problem;
  const doubled = (line: number) => ({ line, reason: 'Map keys must be unique' });
  expect(read('a: 1\nb: 2\na: 3\n')).toEqual(doubled(4));
  expect(read('a: 1\nb:\n  c: 1\n  c: 2\n')).toEqual(doubled(5));
  expect(read('a: [1, {c: 1, "c": 2}]\n')).toEqual(doubled(2));
  expect(read('a: 1\n"1": 2\n1: 3\n')).toBeNull();
});
