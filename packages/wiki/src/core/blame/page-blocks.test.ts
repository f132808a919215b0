import { expect, test } from 'vitest';
import { scanBlocks } from '../text/markdown/markdown-blocks.ts';
import { pageBlocks } from './page-blocks.ts';
import { linesOf } from './walk-blame.ts';

function blocksOf(text: string): string[] {
  const lines = linesOf(text);
  return pageBlocks(lines, scanBlocks(text)).map(({ start, end }) =>
    lines.slice(start, end).join('').trimEnd(),
  );
}

test.each([
  ['paragraphs stand between blank lines', 'a\nb\n\n \nc', ['a\nb', 'c']],
  [
    'a heading is a block, also without blank lines',
    'a\n# B\nc\nD\n---\ne\n',
    ['a', '# B', 'c\nD\n---', 'e'],
  ],
  ['frontmatter is one', '---\na: |\n  x\n\n  y\n---\nb\n', ['---\na: |\n  x\n\n  y\n---', 'b']],
  ['code is one with its blank lines', 'a\n```\nx\n\ny\n```\nb\n', ['a', '```\nx\n\ny\n```', 'b']],
  ['code without an end goes to the end', '~~~\nx\n\ny', ['~~~\nx\n\ny']],
  ['code ends with the list that holds it', '- a\n  ```\n  x\n\nb\n', ['- a', '  ```\n  x', 'b']],
  ['a comment is one', 'a\n\n<!-- x\n\ny -->\nb', ['a', '<!-- x\n\ny -->', 'b']],
  ['nothing has none', '\n\n', []],
])('%s', (_, text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
});
