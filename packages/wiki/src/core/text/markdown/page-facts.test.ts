import { expect, test } from 'vitest';
import { factsOf, MAX_TAGS } from './page-facts.ts';

const titleOf = (text: string) => factsOf('folder/Page name', text).title;

test('the title is that of the frontmatter, else a level-1 heading before all others, else the name', () => {
  expect(titleOf('---\ntitle: " A "\n---\n# B\n')).toBe('A');
  expect(titleOf('---\ntitle: 2024\n---\n')).toBe('2024');
  expect(titleOf('text\n# The **B** of [c](d.md)\n## Part\n')).toBe('The B of c');
  expect(titleOf('Underlined\n===\n')).toBe('Underlined');
  expect(titleOf('text\n## Part\n')).toBe('Page name');
  expect(titleOf('## Part\n# Later\n')).toBe('Page name');
  expect(titleOf('> # Quoted\n\n```\n# Code\n```\n')).toBe('Page name');
  expect(titleOf('---\ntitle: [a]\n---\ntext')).toBe('Page name');
  expect(titleOf('#\n\ntext')).toBe('Page name');
  expect(titleOf(`# ${'🎉'.repeat(1_000)}`).length).toBeLessThanOrEqual(300);
});

test('a page is read in one go', () => {
  const text = '---\ntags: [one, two]\naliases: Other\n---\n# Title\n\n#two #three [[Page]]\n';
  expect(factsOf('Page', text)).toMatchObject({
    title: 'Title',
    frontmatter: { tags: ['one', 'two'], aliases: 'Other' },
    frontmatterProblem: null,
    headings: [{ level: 1, text: 'Title', line: 5 }],
    links: [{ kind: 'wiki', target: 'Page', line: 7 }],
    tags: ['one', 'two', 'three'],
    aliases: ['Other'],
  });
});

test('invalid frontmatter is reported, and the rest is read', () => {
  const facts = factsOf('Page', '---\na: [\n---\n# Title\n');
  expect(facts).toMatchObject({ title: 'Title', frontmatter: {} });
  expect(facts.frontmatterProblem?.reason).toBeTypeOf('string');
});

test('the facts of the last pages are kept, and each belongs to its path and its text', () => {
  const page = (at: number) => factsOf(`Page ${at}`, `# Title ${at}\n`);
  const first = page(0);
  expect(page(0)).toBe(first);
  expect(factsOf('Other', '# Title 0\n')).not.toBe(first);
  // A changed page is kept anew, as the newest.
  const changed = factsOf('Page 0', '# Changed\n');
  expect(changed.title).toBe('Changed');
  const later = Array.from({ length: 29 }, (_, at) => page(at + 1));
  expect(factsOf('Page 0', '# Changed\n')).toBe(changed);
  expect(later.map((_, at) => page(at + 1))).toEqual(later);
  expect(page(29)).toBe(later[28]);
  page(30);
  expect(factsOf('Page 0', '# Changed\n')).not.toBe(changed);
});

test('the facts of a large page are not kept, and its former ones are forgotten', () => {
  const factsOfSize = (size: number) => factsOf('Page', 'x'.repeat(size));
  expect(factsOfSize(50_000)).toBe(factsOfSize(50_000));
  const small = factsOfSize(9);
  expect(factsOfSize(50_001)).not.toBe(factsOfSize(50_001));
  expect(factsOfSize(9)).not.toBe(small);
});

test('the first of very many tags are listed, and all of them are counted', () => {
  const tags = Array.from({ length: MAX_TAGS + 1 }, (_, at) => `t${at}`);
  const facts = factsOf('Page', tags.map((tag) => `#${tag}`).join(' '));
  expect(facts.tags).toEqual(tags.slice(0, -1));
  expect(facts.tagCount).toBe(tags.length);
});
