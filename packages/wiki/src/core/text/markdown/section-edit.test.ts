import fc from 'fast-check';
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

describe('the text around an edit of a section', () => {
  test.each<[SectionEdit['operation'], page: string, content: string, wanted: string]>([
    ['append', '## A\nx\n', '## A\ny', '## A\nx\n## A\ny\n'],
    ['append', '## A\nx\n\n## B\n', ' \n', '## A\nx\n\n## B\n'],
    ['append', '## A\nx\n', '===', '## A\nx\n\n===\n'],
    ['append', '## A\nx\n', '== \r\ny', '## A\nx\n\n== \ny\n'],
    ['append', '## A\nx\n', '---y', '## A\nx\n---y\n'],
    ['append', '## A\nx\n', 'y\n\n---\nz', '## A\nx\ny\n\n---\nz\n'],
    ['append', '## A\nx\n', 'B\n---\ny', '## A\nx\n\nB\n---\ny\n'],
    ['prepend', '## A\n\n \t\nx\ny\n', 'z', '## A\n\n \t\nz\nx\ny\n'],
    ['prepend', '## A\nx\n\ny\n', 'z', '## A\nz\nx\n\ny\n'],
    ['prepend', '## A\n\n\n## B\nx\n', 'y', '## A\ny\n\n\n## B\nx\n'],
    ['prepend', '## A\n\n \n\t', 'y', '## A\ny\n\n \n\t'],
    ['replace', '## A\nx\n\n## B\n', ' \n\n', '## A\n\n## B\n'],
    ['replace', '## A\nx\n', '\n \n## A\n \n\ny\n\nz', '## A\ny\n\nz\n'],
    ['replace', '## A\nx\n', '  ## A\ny\n\nz', '## A\ny\n\nz\n'],
    ['replace', 'A\n---\nx\n', 'A\n---\ny', 'A\n---\ny\n'],
    ['replace', '## A\nx\n', '## B\ny', '## A\n## B\ny\n'],
    ['replace', '## A\nx\n', 'intro\n## A\ny', '## A\nintro\n## A\ny\n'],
    ['insert_before', '## A\nx\n', 'y', 'y\n\n## A\nx\n'],
    ['insert_before', '\n## A\nx\n', 'y', '\ny\n\n## A\nx\n'],
    ['insert_before', ' \r\n## A\r\nx\r\n', 'y', ' \r\ny\r\n\r\n## A\r\nx\r\n'],
    ['insert_before', '\nx\n## A\ny\n', 'z', '\nx\n\nz\n\n## A\ny\n'],
  ])('stays as it is, and apart from the content: %s in %j of %j', (operation, page, content, wanted) => {
    expect(edited(page, 'A', operation, content)).toBe(wanted);
  });

  test('loses nothing of a long heading that the content repeats', () => {
    const long = `## ${'A long heading '.repeat(150)}`;
    expect(edited(`${long}\nx\n`, long, 'replace', `${long}\ny\nz`)).toBe(`${long}\ny\nz\n`);
  });
});

/** A part of a page: a text, a rule, a heading with marks, or one that is underlined. */
interface Part {
  lines: string[];
  level: number | null;
}
const kind = fc.constantFrom<(name: string) => Part>(
  (name) => ({ lines: [`text ${name}`], level: null }),
  (name) => ({ lines: [`text ${name}`, `more ${name}`], level: null }),
  () => ({ lines: ['---'], level: null }),
  (name) => ({ lines: [`# ${name}`], level: 1 }),
  (name) => ({ lines: [`## ${name}`], level: 2 }),
  (name) => ({ lines: [`### ${name} ###`], level: 3 }),
  (name) => ({ lines: [name, '==='], level: 1 }),
  (name) => ({ lines: [name, '---'], level: 2 }),
);
const parts = (prefix: string) =>
  fc
    .array(kind, { minLength: 1, maxLength: 7 })
    .map((made) => made.map((make, at) => make(`${prefix}${at}`)));

/** As people write them: a line of dashes or an underlined heading has a blank line above it. */
function written(some: readonly Part[], isWide: boolean): string {
  const texts = some.map(({ lines }, at) => {
    const isUnderlined = /^(?:-+|=+)$/.test(lines.at(-1) ?? '');
    return (at > 0 && (isWide || isUnderlined) ? '\n' : '') + lines.join('\n');
  });
  return `${texts.join('\n')}\n`;
}

test('an edit of a section keeps every other line and heading of any page', () => {
  const operation = fc.constantFrom<SectionEdit['operation']>(
    ...(['append', 'prepend', 'replace', 'insert_before', 'insert_after'] as const),
  );
  fc.assert(
    fc.property(
      fc.record({ page: parts('P'), content: parts('C'), at: fc.nat(), operation }),
      fc.record({ isWide: fc.boolean(), isTight: fc.boolean(), subsections: fc.boolean() }),
      ({ page: after, content, at, operation }, { isWide, isTight, subsections }) => {
        // A line of dashes would begin frontmatter at the start.
        const page = [{ lines: ['begin'], level: null }, ...after];
        const places = page.flatMap(({ level }, index) => (level === null ? [] : [index]));
        const heading = places[at % places.length];
        if (heading === undefined) return;
        const level = page[heading]?.level ?? 0;
        const next = (from: number, most: number) => {
          const found = page.findIndex(
            (part, index) => index > from && part.level !== null && part.level <= most,
          );
          return found === -1 ? page.length : found;
        };
        const own = next(heading, 6);
        const end =
          operation === 'insert_after' ? next(heading, level) : subsections ? next(heading, level) : own;
        const [from, to] = {
          append: [end, end],
          prepend: [heading + 1, heading + 1],
          replace: [heading + 1, end],
          insert_before: [heading, heading],
          insert_after: [end, end],
        }[operation] as [number, number];
        const wanted = page.toSpliced(from, to - from, ...content);
        const text = written(page, isWide);
        const name = scanBlocks(text).headings[places.indexOf(heading)]?.text ?? '';
        const result = edited(text, name, operation, written(content, !isTight), subsections);
        expect(result.split('\n').filter(Boolean)).toEqual(wanted.flatMap(({ lines }) => lines));
        const headings = wanted.filter((part) => part.level !== null);
        expect(scanBlocks(result).headings.map(({ text, level }) => [level, text])).toEqual(
          headings.map(({ level, lines: [line = ''] }) => [level, line.replaceAll('#', '').trim()]),
        );
      },
    ),
    { numRuns: 500 },
  );
});
