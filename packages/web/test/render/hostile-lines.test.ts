import { readPageText } from '@pagetree/wiki/page-text';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../wiki/test/machine-speed.ts';
import { cutPage } from '../../src/render/cut-page.ts';
import { htmlCost } from '../../src/render/limits/html-cost.ts';
import { costOf, MAX_COST } from '../../src/render/render-cost.ts';
import { findWikiSpans } from '../../src/render/wiki-spans.ts';

/** A regular expression may try these again at each place of a line. */
const UNITS = [
  ...[
    ' ',
    '\t',
    '>',
    '> ',
    '-',
    '- ',
    ' -',
    ':',
    ':-',
    '|',
    '| ',
    '|-',
    '*',
    '1',
    '1.',
    '1. ',
    '+',
    '\n',
    ' \n',
  ],
  ...[
    '`',
    '` ',
    '<',
    '<a',
    '</',
    '<a ',
    '<a b="',
    '<a =',
    '<!',
    '?>',
    '[',
    ']',
    '[a]:',
    '=',
    '$',
    '$a',
    '%%',
    '~',
  ],
  ...['_', 'a', 'a ', '\\', '^a', ' ^a', ' {#a'],
];

test.each(UNITS)('what stands before the parser takes linear time for a line of %j', (unit) => {
  const texts = ['', '|', ' -', '> ', '<b '].flatMap((before) =>
    ['', 'x'].map((after) => `a\n\n${before}${unit.repeat(40_000 / unit.length)}${after}`),
  );
  const pages = texts.map((text) => [text, readPageText(text)] as const);
  const ms = idleCpuMsOf(() => {
    for (const [text, page] of pages) {
      costOf(text, page);
      cutPage(text, 0, page, findWikiSpans(text, page));
      htmlCost({ type: 'raw', value: text }, { blocks: 1, most: MAX_COST });
    }
  });
  expect(ms).toBeLessThan(500);
});
