import { expect, test } from 'vitest';
import { scanBlocks } from '../markdown/markdown-blocks.ts';
import { anchoredPart, parseWrittenLink } from './written-link.ts';

const plain = { query: null, anchor: null };

test.each([
  ['[[B#c|d]]', true, [{ kind: 'wiki', target: 'B', query: null, anchor: 'c' }]],
  [' ![[B]]\n', true, [{ kind: 'wiki', target: 'B', ...plain }]],
  ['[b](B%20c.md?d#e)', true, [{ kind: 'inline', target: 'B c.md', query: '?d', anchor: 'e' }]],
  [
    'B c | d',
    false,
    [
      { kind: 'wiki', target: 'B c', ...plain },
      { kind: 'inline', target: 'B c | d', ...plain },
    ],
  ],
  [
    'B%20c#d',
    false,
    [
      { kind: 'wiki', target: 'B%20c', query: null, anchor: 'd' },
      { kind: 'inline', target: 'B c', query: null, anchor: 'd' },
    ],
  ],
  [
    '[[A]] [[B]]',
    false,
    [
      { kind: 'wiki', target: '[[A]] [[B]]', ...plain },
      { kind: 'inline', target: '[[A]] [[B]]', ...plain },
    ],
  ],
  ['mailto:x', false, [{ kind: 'wiki', target: 'mailto:x', ...plain }]],
  ['https://x', false, []],
])('a caller that copies %j means one of these', (written, isWhole, addresses) => {
  expect(parseWrittenLink(written)).toEqual({ isWhole, addresses });
});

const PAGE = '# One\na\n\nb ^blk\n\n## Sub\nc <a id="spot"></a>\n\n# Two\nd\n';

test.each([
  ['One', '# One\na\n\nb ^blk\n\n## Sub\nc <a id="spot"></a>\n\n'],
  ['One#Sub', '## Sub\nc <a id="spot"></a>\n\n'],
  ['sub', '## Sub\nc <a id="spot"></a>\n\n'],
  ['Two', '# Two\nd\n'],
  ['^blk', 'b ^blk'],
  ['One#^blk', 'b ^blk'],
  ['spot', PAGE],
  ['None', null],
  ['^none', null],
])('the part that the anchor %j names is read', (anchor, part) => {
  const span = anchoredPart(PAGE, scanBlocks(PAGE), anchor);
  expect(span && PAGE.slice(span.start, span.end).replace(part?.endsWith('\n') ? '' : /\n+$/, '')).toBe(part);
  if (part === PAGE) expect(span).toEqual({ start: 0, end: PAGE.length });
});
