import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';

const scan = (text: string) => scanInline(text, scanBlocks(text));
const links = (text: string) => scan(text).links;
/** As `kind target#anchor|alias`, with `!` for embeds. */
const shown = (text: string) =>
  links(text).map(
    ({ kind, embed, target, anchor, alias }) =>
      `${embed ? '!' : ''}${kind} ${target}${anchor === null ? '' : `#${anchor}`}${alias === null ? '' : `|${alias}`}`,
  );

/** The destinations of links in these pieces, by the steps that CommonMark gives: a link turns off each bracket around it. */
function linkedIn(pieces: readonly string[]): string[] {
  const open: { at: number; isImage: boolean; isOn: boolean }[] = [];
  const found: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (piece === '[' || piece === '![') open.push({ at, isImage: piece === '![', isOn: true });
    if (!piece.startsWith(']')) continue;
    const opener = open.pop();
    const [, destination] = /\((.*)\)/.exec(piece) ?? [];
    if (destination === undefined || opener?.isOn !== true) continue;
    found[opener.at] = destination;
    if (!opener.isImage) for (const each of open) if (!each.isImage) each.isOn = false;
  }
  return found.filter((destination) => destination !== undefined);
}

test('a link turns off the brackets around it, and no others', () => {
  expect(shown('[see [a](a.md) here] and [b](b.md)')).toEqual(['inline a.md|a', 'inline b.md|b']);
  const piece = fc.constantFrom('[', '[', '![', ']', '](a.md)', '](b.md)');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      // Two brackets would be those of a wikilink, and one after another that of a label.
      const text = pieces.map((each) => `${each} x `).join('');
      expect(
        links(text).map(({ target }) => target),
        text,
      ).toEqual(linkedIn(pieces));
    }),
    { numRuns: 2_000, seed: 20_261_129 },
  );
});

describe('links in all their forms', () => {
  test.each([
    ['[[Page]]', 'wiki Page'],
    ['[[folder/Page|text]]', 'wiki folder/Page|text'],
    ['[[Page#Heading]]', 'wiki Page#Heading'],
    ['[[Page#Heading|text]]', 'wiki Page#Heading|text'],
    ['[[#Heading]]', 'wiki #Heading'],
    ['[[Page#^block]]', 'wiki Page#^block'],
    ['![[embed]]', '!wiki embed'],
    ['![[image.png|200]]', '!wiki image.png|200'],
    ['[[ Page | text ]]', 'wiki Page|text'],
    ['| a | [[Page\\|text]] |', 'wiki Page|text'],
    ['[[ページ]]', 'wiki ページ'],
    ['[text](../relative/page.md#anchor)', 'inline ../relative/page.md#anchor|text'],
    ['[text](My%20Page.md)', 'inline My Page.md|text'],
    ['[text](<My Page.md#a b>)', 'inline My Page.md#a b|text'],
    ['[text](page.md "A \\" title")', 'inline page.md|text'],
    ["[text](page.md 'title')", 'inline page.md|text'],
    ['[text]( page.md\n(title) )', 'inline page.md|text'],
    ['[text](a(b)c.md)', 'inline a(b)c.md|text'],
    ['[text](a\\(b.md)', 'inline a(b.md|text'],
    ['[text](100%.md)', 'inline 100%.md|text'],
    ['[text](#anchor)', 'inline #anchor|text'],
    ['![alt](image.png)', '!inline image.png|alt'],
    ['[a [b] c](page.md)', 'inline page.md|a [b] c'],
    ['[text]: page.md', 'definition page.md|text'],
    ['[text]: <my page.md> "title"', 'definition my page.md|text'],
    ['see `code` and [[Page]]', 'wiki Page'],
    ['a ` b [[Page]]', 'wiki Page'],
    ['[[a]b]]', 'wiki a]b'],
    ['[ ] [[Page]]', 'wiki Page'],
    ['\\\\[[Page]]', 'wiki Page'],
    ['# Heading with [[Page]]', 'wiki Page'],
    ['> - quoted [[Page]]', 'wiki Page'],
    ['<div>\n[[Page]]\n</div>', 'wiki Page'],
    ['[text](d/R&amp;D.md)', 'inline d/R&D.md|text'],
    ['> [text](d/b.md\n> "title")', 'inline d/b.md|text'],
    ['> [text](\n> d/b.md)', 'inline d/b.md|text'],
    ['> - [text](<d/b.md>\n  >   (t)\n> )', 'inline d/b.md|text'],
    ['>> [text]:\n>> d/b.md\n>> "title"', 'definition d/b.md|text'],
    ['<a href="d/b.md#c">x</a>', 'html d/b.md#c'],
    ["<A class=x\n  HREF = 'a b.md' href=c.md>", 'html a b.md'],
    ['<a href= d/b.md>', 'html d/b.md'],
    ['<img alt="a > b" src="R&amp;D%20x.png?v=1"/>', '!html R&D x.png'],
    ['<video controls src=a.mp4>', '!html a.mp4'],
    ['<audio><source src="a.mp3"></audio>', '!html a.mp3'],
    ['<table>\n    <td><img src="x.png"></td>\n</table>', '!html x.png'],
    ['> <img\n>   src="x.png">', '!html x.png'],
    ['| <a href="x.md">x</a> | y |\n|---|---|', 'html x.md'],
    ['a <!--> [[Page]] -->', 'wiki Page'],
    ['> [text](d/b.md\n> "title") x\n> a | b\n> --|--', 'inline d/b.md|text'],
    ['<code>[[Page]]', 'wiki Page'],
    ['<code/>[[Page]]</code>', 'wiki Page'],
    ['<a title="<code>">[[Page]]</code>', 'wiki Page'],
    ['a <!---> [[Page]] -->', 'wiki Page'],
    ['<!-->\n[[Page]]\n\n-->', 'wiki Page'],
    ['[text]: page.md\n"Quoted" words', 'definition page.md|text'],
    ['[text]: page.md\n(or a part) of a sentence', 'definition page.md|text'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toEqual([expected]);
  });

  test('come in order, with their lines', () => {
    const text =
      '[[One]]\r\n\r\n[![alt](two.png)](three.md)\n[four]: four.md\n\n[five]: five.md\n[six]:\n  six.md\n';
    expect(links(text).map(({ target, line }) => [target, line])).toEqual([
      ['One', 1],
      ['three.md', 3],
      ['two.png', 3],
      ['five.md', 6],
      ['six.md', 7],
    ]);
  });

  test('lie where they are written, behind the marks of quotes too', () => {
    const text = '> > x\n> >  y [a](\n> >   b.md) z\n> > [c](d.md) [[E]]\n';
    const places = links(text).map(({ start, end, destination }) => [
      text.slice(start, end),
      text.slice(destination.start, destination.end),
    ]);
    expect(places).toEqual([
      ['[a](\n> >   b.md)', 'b.md'],
      ['[c](d.md)', 'd.md'],
      ['[[E]]', 'E'],
    ]);
  });

  test('report where they and their destinations are written', () => {
    const text = 'x ![[  Page#H |a]] [t](<p q.md#r> "s") y\n\n[d]: e.md "f"\n';
    const written = links(text).map(({ start, end, destination }) => [
      text.slice(start, end),
      text.slice(destination.start, destination.end),
    ]);
    expect(links(text).map(({ angle }) => angle)).toEqual([false, true, false]);
    expect(written).toEqual([
      ['![[  Page#H |a]]', 'Page#H'],
      ['[t](<p q.md#r> "s")', 'p q.md#r'],
      ['[d]: e.md "f"', 'e.md'],
    ]);
  });
});

test.each(
  [
    '`[[Page]]`',
    '`` ` [[Page]] ``',
    '`a\n[[Page]]`',
    '```\n[[Page]]\n```',
    '~~~md\n[text](page.md)\n~~~',
    '    [[Page]]',
    '- item\n\n      [[Page]]',
    '<!-- [[Page]] -->',
    '<!--\n\n[[Page]]\n-->',
    'a <!-- b\n\nc <!-- [[Page]] -->',
    'a <CODE>[[Page]]</Code>',
    '<code>[[Page]]</code>',
    '<a title="[[Page]]">',
    '<a name="x.md"> <link href="x.md"> <span src="x.md"> <a hrefs="x.md" data-href="y.md">',
    '<a href="https://example.org"> <a href="//x"> <a href="mailto:a@b.org"> <img src="data:image/png;base64,x">',
    '<a href=""> <a href> <a href="?page=2"> <a href="x.md" <',
    '`<a href="x.md">` \\<a href="x.md">',
    '<!-- <a href="x.md"> --> <code><a href="x.md"></code> <script>"<a href=x.md>"</script>',
    '<style>\n<a href="x.md">\n</style>\n\n    <a href="x.md">',
    '<pre>\n<a href="x.md">\n</pre>',
    '\\[[Page]]',
    '\\[text](page.md)',
    '[text](https://example.org/page.md)',
    '[text](//example.org/page.md)',
    '[text](mailto:a@example.org)',
    '<https://example.org/[[x]]>',
    '[[https://example.org]]',
    '[text](my page.md)',
    '[text] (page.md)',
    '[text]-page.md)',
    '[text]:page.md)',
    '[text]()',
    '[[]]',
    '[[ ]]',
    '[[a\nb]]',
    '[[a',
    '[^1]: a footnote',
    'text\n[text]: page.md',
    '[//]: # (a comment)',
    '[ ]: page.md',
    '# [text]: page.md',
    '[text]: page.md "title" words',
    '---\nlink: [[Page]]\n---\n',
    '---\nlink: "see [[Page]]"\n"[[Page]]": "![[Page]]"\n---\n',
  ].filter((text) => !text.startsWith('[//]')),
)('is no link: %j', (text) => {
  expect(shown(text)).toEqual([]);
});

describe('tags', () => {
  const tags = (text: string) => scan(text).tags.map(({ name }) => name);

  test('are words after a #, in any language', () => {
    expect(tags('#one text #two/three-4 #日本 #🎉\n\n# Heading #five')).toEqual([
      'one',
      'two/three-4',
      '日本',
      '🎉',
      'five',
    ]);
  });

  test('are not numbers, anchors, parts of words or in code', () => {
    expect(tags('#123 a#b [[Page#c]] [d](#e) `#f` \\#g (#h) https://x/#i')).toEqual([]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '[[',
    ']]',
    '(',
    ')',
    '!',
    '`',
    '``',
    '\\',
    '<',
    '>',
    '<!--',
    '-->',
    '#',
    '|',
    '"',
    "'",
    'a',
    ' ',
    '\n',
    ': ',
    '.md',
    '%20',
    '^',
  );

  test('has links that lie within it, each ending in its bracket', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        for (const link of links(text)) {
          expect(text.slice(0, link.start).split('\n').length).toBe(link.line);
          expect(link.destination.start).toBeGreaterThan(link.start);
          expect(link.destination.end).toBeLessThanOrEqual(link.end);
          if (link.kind === 'wiki') expect(text.slice(link.start, link.end)).toMatch(/^!?\[\[.*\]\]$/);
          if (link.kind === 'inline') expect(text.slice(link.start, link.end)).toMatch(/^!?\[[\s\S]*\)$/);
        }
      }),
      { numRuns: sampled(3_000, 1_000) },
    );
  });
});
