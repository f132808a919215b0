import { describe, expect, test } from 'vitest';
import { barAt } from './link-text.ts';

/** The bar for the link `[[A]]` of this text. */
function barIn(page: string, property: string | null = null): string {
  const start = page.indexOf('[[A]]');
  const end = start + '[[A]]'.length;
  return barAt({ start, end, destination: { start: start + 2, end: end - 2 }, property }, page);
}

const FAR = '\n\ntext'.repeat(3_000);

describe('a link gets an escaped bar', () => {
  test.each([
    ['before another cell', '[[A]] x | y\n---|---\n'],
    ['at the end of a row on a long page', `x | [[A]]\n---|---\n${FAR}`],
    ['in a row without bars', '| N |\n|---|\n[[A]]'],
    ['after other rows without bars', '| N |\n|---|\none - two\n[[A]]'],
    ['in a table at the beginning of a long page', `| N |\n|---|\n[[A]]${FAR}`],
    ['far down in a table without bars', `| N |\n|---|\n${'some row\n'.repeat(700)}[[A]]`],
    [
      'in a table whose text is cut before the end of a line',
      `| N |\n|---|\nfirst row\n${'some row\n'.repeat(555)}abc\n[[A]]`,
    ],
    ['in a table in a quote', '> | N |\n> |---|\n> [[A]]'],
    ['in a table in a quote without blanks', '>| N |\n>|---|\n>[[A]]'],
    ['in a table in a quote in a quote', '> > | N |\n> > |---|\n> > [[A]]'],
  ])('%s', (_, page) => {
    expect(barIn(page)).toBe('\\|');
  });
});

describe('a link gets a bare bar', () => {
  test.each<readonly [string, string]>([
    ['outside of tables', 'text\n[[A]]\ntext'],
    ['beside another wikilink with a text', '[[B|b]] [[A]]'],
    ['beside an escaped bar', 'a \\| [[A]]'],
    ['beside a bar behind escaped brackets', 'odd \\[[X]]| [[A]] end'],
    ['far along a line', `text\n\n${'word '.repeat(1_200)}[[A]]`],
    ['after a line with an arrow and a bar', 'from |\n-> |\n[[A]]'],
    ['after the table', '| N |\n|---|\n| a |\n\n[[A]]'],
    ['after the table and a line of blanks', '| N |\n|---|\n| a |\n \t\n[[A]]'],
    ['after a row of bars without a head', '|---|\n[[A]]'],
    ['after a row of bars below a blank line', 'text\n\n|---|\n[[A]]'],
    ['after a row of bars below a line of blanks', 'text\n  \n|---|\n[[A]]'],
    ['in a list', '| N |\n|---|\n- [[A]]'],
    ['in a heading', '| N |\n|---|\n## [[A]]'],
    ...['# H', '###### H', '##', '- one', '* one', '+ one', '1. one', '10) one', '```', '~~~'].map(
      (line) => [`after the table and the line ${line}`, `| N |\n|---|\n${line}\n[[A]]`] as const,
    ),
  ])('%s', (_, page) => {
    expect(barIn(page)).toBe('|');
  });

  test('in a property, whatever stands around it', () => {
    expect(barIn('---\nup: "a | [[A]] | b"\n---\n', 'a | [[A]] | b')).toBe('|');
  });
});
