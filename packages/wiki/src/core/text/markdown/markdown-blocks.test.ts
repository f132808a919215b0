import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { scanBlocks } from './markdown-blocks.ts';

const headings = (text: string) =>
  scanBlocks(text).headings.map(({ level, text: title }) => `${level} ${title}`);
const prose = (text: string) => scanBlocks(text).prose.map(({ start, end }) => text.slice(start, end));

describe('headings', () => {
  test('have a level, a text without marks, and a place', () => {
    const text = '---\na: 1\n---\n# One\n\ntext\n## Two ##\r\nmore\n';
    expect(scanBlocks(text).headings).toEqual([
      { level: 1, text: 'One', line: 4, start: text.indexOf('# One'), bodyStart: text.indexOf('\ntext') },
      { level: 2, text: 'Two', line: 7, start: text.indexOf('## Two'), bodyStart: text.indexOf('more') },
    ]);
  });

  test('are without the definitions above their text', () => {
    const [heading, ...others] = scanBlocks('x\n\n[a]: b.md\n[c]: d.md\nOne\nmore\n===\ntext\n').headings;
    expect(heading).toEqual({ level: 1, text: 'One more', line: 3, start: 3, bodyStart: 36 });
    expect(others).toEqual([]);
  });

  test('may be underlined', () => {
    expect(headings('One\n=== \nTwo\n---\t\n')).toEqual(['1 One', '2 Two']);
    const text = 'One\nmore\n===\nTwo\n---\ntext\n\n---\n';
    expect(headings(text)).toEqual(['1 One more', '2 Two']);
    expect(scanBlocks(text).headings[1]).toMatchObject({ line: 4, bodyStart: text.indexOf('text') });
  });

  test.each([
    ['#hashtag', []],
    ['####### seven', []],
    ['\\# escaped', []],
    ['    # indented code', []],
    ['```\n# fenced\n```', []],
    ['~~~\n# fenced\n```\n# still\n~~~\n# after', ['1 after']],
    ['````\n```\n# nested\n```\n````\n# after', ['1 after']],
    ['   ```\n# indented fence\n   ```\n# after', ['1 after']],
    ['- item\n\n      # code in an item\n\n  ```\n  # fenced\n  ```\n# after', ['1 after']],
    ['> ```\n> # quoted code\n\n# after', ['1 after']],
    ['> # quoted', []],
    ['- # in a list', []],
    ['<!--\n# comment\n\n-->\n# after', ['1 after']],
    ['<!-- a --> text\n# after', ['1 after']],
    ['<pre>\n# pre\n\n</pre>\n# after', ['1 after']],
    ['``` not`a fence\n# heading', ['1 heading']],
    ['text\n    # goes on\n# after', ['1 after']],
    ['[a]: b.md\n---\n# after', ['1 after']],
    ['- a\n---\n# after', ['1 after']],
    ['# C# ', ['1 C#']],
    ['#', ['1 ']],
    ['## #', ['2 ']],
    ['\t# tab is code', []],
    ['# a\tb', ['1 a\tb']],
    ['```', []],
    ['```\n# never closed', []],
    ['1986. # no', []],
    ['<Fragment>\n```sh\na\n\nb\n```\n\n# in the fence that the last one opens', []],
    ['<Tab a="b" c>\n# in HTML\n\n# after', ['1 after']],
    ['</Tab>\n# in HTML', []],
    ['<Tab> text\n# no HTML', ['1 no HTML']],
    ['text\n<Tab>\n# after a paragraph', ['1 after a paragraph']],
    ['text\n<div>\n# in HTML', []],
    ['> <Tab>\n# after the quote', ['1 after the quote']],
  ])('are distinguished from text that only looks like them: %j', (text, expected) => {
    expect(headings(text)).toEqual(expected);
    expect(headings(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });
});

test.each([
  ['+++\na = 1\n[[b]]\n# c\n+++\n', '# text\n'],
  ['+++ \t\r\na\r\n+++\t\r\n', 'text'],
  ['+++\n+++ more\na\n\n+++', ''],
  ['+++\n+++\n', '+++\ntext\n+++\n'],
  ['', '+++\n# no end\n'],
  ['', '+++ a\n+++\n'],
  ['', 'text\n+++\na\n+++\n'],
  ['---\na: 1\n---\n', '+++\ntext\n+++\n'],
])('frontmatter in TOML is no text, and only at the beginning: %j before %j', (before, after) => {
  const body = scanBlocks('\n'.repeat(9) + after);
  const { prose, headings, raws } = scanBlocks(before + after);
  expect(prose.map(({ start, end }) => (before + after).slice(start, end))).toEqual(
    body.prose.map(({ start, end }) => after.slice(start - 9, end - 9)),
  );
  expect(headings.map(({ text }) => text)).toEqual(after.match(/(?<=^# ).*/gm) ?? []);
  expect(raws).toEqual(before.startsWith('+') ? [{ start: 0, end: before.length }] : []);
});

describe('prose', () => {
  test('includes paragraphs, headings, quotes and lists', () => {
    expect(prose('# A\n\none\ntwo\n\n> quoted\n> on\n\n- item\n  more\n')).toEqual([
      ' A',
      'one\ntwo',
      'quoted\n> on',
      'item\n  more',
    ]);
  });

  test('is not code, comments or frontmatter', () => {
    expect(
      prose(
        '---\na: b\n---\n    code\n\n```js\ncode\n```\n<!--\ncomment\n\nmore -->\n<script>\nx\n</script>\n',
      ),
    ).toEqual([]);
  });

  test('goes on lazily in a quote, and an indented line goes on with its paragraph', () => {
    expect(prose('> one\ntwo\n\n- one\n    two\n')).toEqual(['one\ntwo', 'one\n    two']);
  });

  test('of a footnote is its paragraphs, lists and quotes, each line indented by four', () => {
    const text =
      'text\n[^1]: one\nlazily\n\n    second\n    on\n\n    - item\n\n    > quoted\n\n        code\n\n[^2]:\n\n\tthird\n\n    ```\n    code\n    ```\nafter\n\n    code\n';
    const parts = [
      'text',
      '[^1]:',
      'one\nlazily',
      'second\n    on',
      'item',
      'quoted',
      '[^2]:',
      'third',
      'after',
    ];
    expect(prose(text)).toEqual(parts);
    const quoted = text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>');
    expect(prose(quoted).map((part) => part.replaceAll('\n> ', '\n'))).toEqual(parts);
  });

  test.each([
    ['[^a b]: no label\n\n    code', ['[^a b]: no label']],
    ['[^1] : no colon\n\n    code', ['[^1] : no colon']],
    ['    [^1]: code', []],
    ['[^1]:      five spaces\n\n   three', ['[^1]:', 'five spaces', 'three']],
    ['- [^1]: in a list\n\n      on\n\n    of the list', ['[^1]:', 'in a list', 'on', 'of the list']],
    ['[^1]: - list\n\n      on\n\n    after it', ['[^1]:', 'list', 'on', 'after it']],
    ['[^1]: # H\n# H', ['[^1]:', ' H', ' H']],
    ['[^1]: text\n---\n===', ['[^1]:', 'text', '===']],
  ])('of text that only looks like a footnote: %j', (text, expected) => {
    expect(prose(text)).toEqual(expected);
    expect(headings(text)).toEqual(text.endsWith('\n# H') ? ['1 H'] : []);
  });

  test('of a table is one block for each row', () => {
    expect(prose('text\n| a | b |\n|---|:-:|\n| `c | d |\n| e` | f |\n\nafter')).toEqual([
      'text\n',
      '| a | b |',
      '| `c | d |',
      '| e` | f |',
      'after',
    ]);
  });

  test('lies in order and apart within any text', () => {
    const piece = fc.constantFrom(
      '# ',
      '\n',
      '\n',
      '```',
      '~~~',
      '> ',
      '- ',
      '1. ',
      '    ',
      '\t',
      'a',
      '|',
      '---',
      '[^a]:',
      '<!--',
      '-->',
      '===',
      '`',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        let reached = 0;
        for (const { start, end } of scanBlocks(text).prose) {
          expect(start).toBeGreaterThanOrEqual(reached);
          expect(end).toBeGreaterThanOrEqual(start);
          reached = end;
        }
        expect(reached).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a line that begins with a letter is read the short way and is the same as one behind a space', () => {
  const line = fc.constantFrom(
    ...[
      'one',
      'Two `a` b',
      'a | b',
      '- | -',
      '|-|-|',
      '# head',
      '===',
      '---',
      '- item',
      '> quote',
      '[^a]: note',
    ],
    ...['```', '<!-- a', '-->', '    code', '', 'é', '1. one', '  more'],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const found = (text: string) => {
        const { headings: outline, prose: spans, titles } = scanBlocks(text);
        const slices = (each: typeof spans) =>
          each.map(({ start, end }) => text.slice(start, end).replaceAll(/(^|\n) (?=[a-z]|$)/gi, '$1'));
        return {
          outline: outline.map(({ level, text: title, line: number }) => [level, title, number]),
          prose: slices(spans),
          titles: slices(titles),
        };
      };
      const behindSpaces = lines.map((each) => (/^[a-z]/i.test(each) ? ` ${each}` : each));
      expect(found(lines.join('\n'))).toEqual(found(behindSpaces.join('\n')));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['quotes', '> '.repeat(500_000)],
  ['nested lists before blank lines', `${'- '.repeat(100_000)}a${'\n'.repeat(300_000)}`],
  ['one endless heading', `# ${'a #'.repeat(300_000)}`],
  ['spaces', `${' '.repeat(500_000)}a${' '.repeat(500_000)}`],
  ['dashes', '- '.repeat(500_000)],
  ['pipes', `a|b\n${'|-'.repeat(500_000)}`],
  ['nested footnotes before lines', `${'[^a]: '.repeat(100_000)}a\n${'[^\n'.repeat(200_000)}`],
  ['half a footnote', `[^${'a'.repeat(1_000_000)}`],
  ['short lines', 'a\n'.repeat(500_000)],
])('the largest page of %s takes linear time', (_name, text) => {
  expect(idleCpuMsOf(() => scanBlocks(text))).toBeLessThan(2_000);
});
