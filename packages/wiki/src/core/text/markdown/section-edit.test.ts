import { describe, expect, test } from 'vitest';
import { scanBlocks } from './markdown-blocks.ts';
import { findSection } from './outline.ts';
import { editSection, type SectionEdit } from './section-edit.ts';

function edited(
  text: string,
  heading: string,
  operation: SectionEdit['operation'],
  content: string,
  includeSubsections = false,
): string {
  const search = findSection(scanBlocks(text).headings, text.length, heading);
  if (search.kind !== 'found') throw new Error(search.kind);
  const { text: edited, splice } = editSection(text, search.section, {
    operation,
    content,
    includeSubsections,
  });
  const { start, end, length } = splice;
  expect(edited.slice(0, start) + edited.slice(start + length)).toBe(text.slice(0, start) + text.slice(end));
  return edited;
}

const page = '# P\n\nintro\n\n## A\n\n- one\n\n### A1\n\nsub\n\n## B\nlast';

describe('a section', () => {
  test('is added to at its end, before its subsections or after them', () => {
    expect(edited(page, 'A', 'append', '- two')).toBe(page.replace('- one\n', '- one\n- two\n'));
    expect(edited(page, 'A', 'append', 'end', true)).toBe(page.replace('sub\n', 'sub\nend\n'));
    expect(edited(page, 'B', 'append', 'more')).toBe(`${page}\nmore\n`);
  });

  test('is added to at its start, after the blank line under the heading', () => {
    expect(edited(page, 'A', 'prepend', '- zero\n')).toBe(page.replace('- one', '- zero\n- one'));
    expect(edited(page, 'B', 'prepend', 'first')).toBe(page.replace('last', 'first\nlast'));
  });

  test('is replaced with or without its subsections', () => {
    expect(edited(page, 'A', 'replace', 'new')).toBe(page.replace('- one', 'new'));
    expect(edited(page, 'A', 'replace', 'new', true)).toBe(page.replace('- one\n\n### A1\n\nsub', 'new'));
    expect(edited(page, 'B', 'replace', '')).toBe(page.replace('last', ''));
  });

  test('keeps one heading if the content repeats it', () => {
    expect(edited(page, 'B', 'replace', '## B\n\nnew\n')).toBe(page.replace('last', 'new\n'));
    expect(edited(page, 'B', 'replace', '### B\nnew')).toBe(page.replace('last', '### B\nnew\n'));
  });

  test('has text put before and after it, apart from what stands there', () => {
    expect(edited(page, 'B', 'insert_before', '## AB\nx')).toBe(page.replace('## B', '## AB\nx\n\n## B'));
    expect(edited(page, 'A', 'insert_after', '## AB\nx')).toBe(page.replace('## B', '## AB\nx\n\n## B'));
    expect(edited(page, 'B', 'insert_after', 'x')).toBe(`${page}\n\nx\n`);
  });

  test('may be empty', () => {
    expect(edited('## A\n## B\n', 'A', 'append', 'x')).toBe('## A\nx\n\n## B\n');
    expect(edited('## A\n\n## B\n', 'A', 'append', 'x')).toBe('## A\nx\n\n## B\n');
    expect(edited('## A', 'A', 'append', 'x')).toBe('## A\nx\n');
  });

  test('keeps the line endings of the page', () => {
    expect(edited('## A\r\n\r\nx\r\n', 'A', 'append', 'y\nz')).toBe('## A\r\n\r\nx\r\ny\r\nz\r\n');
  });

  test('never turns the text beside the content into a heading', () => {
    const headings = (text: string) => scanBlocks(text).headings.map((heading) => heading.text);
    expect(headings(edited('## A\nx\n', 'A', 'append', '---\ny'))).toEqual(['A']);
    expect(headings(edited('## A\n\n---\nx\n', 'A', 'prepend', 'y'))).toEqual(['A']);
    expect(headings(edited('## A\nx\nB\n===\n', 'A', 'append', 'y'))).toEqual(['A', 'x B']);
    expect(headings(edited('A\n===\nB\n===\n', 'A', 'append', 'y'))).toEqual(['A', 'B']);
  });

  test('takes dollar signs literally', () => {
    expect(edited('## A\nx\n', 'A', 'replace', "$& $1 $'")).toBe("## A\n$& $1 $'\n");
  });
});
