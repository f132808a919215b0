import { describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { scanBlocks } from '../markdown/markdown-blocks.ts';
import { scanInline } from '../markdown/markdown-links.ts';
import { createLinkResolver } from './link-resolver.ts';

const paths = [
  'Home.md',
  'Guides/Getting Started.md',
  'Guides/Setup.md',
  'Archive/2024/Setup.md',
  'Archive/Notes.md',
  'a/b/Notes.md',
  'Languages/C#.md',
  'Languages/C# Guide.md',
  'v1.2.md',
  'img/logo.png',
  'Guides/img/logo.png',
  'Cafe\u0301.md',
  'same/NAME.md',
  'other/name.md',
  'docs/README.MD',
];
const resolver = createLinkResolver(paths, [
  ['Start', 'Guides/Getting Started.md'],
  ['TCP/IP', 'a/b/Notes.md'],
  ['home', 'Archive/Notes.md'],
]);

function resolve(text: string, from = 'Home.md'): string | null {
  const link = scanInline(text, scanBlocks(text)).links[0];
  if (link === undefined) throw new Error(`no link in ${text}`);
  const found = resolver.resolve(link, from);
  return found === null ? null : found.path + (found.anchor === null ? '' : ` # ${found.anchor}`);
}

describe('a wikilink leads to', () => {
  test.each([
    ['[[Home]]', 'Home.md'],
    ['[[Guides/Setup]]', 'Guides/Setup.md'],
    ['[[/Guides/Setup]]', 'Guides/Setup.md'],
    ['[[Setup]]', 'Guides/Setup.md'],
    ['[[2024/Setup]]', 'Archive/2024/Setup.md'],
    ['[[Notes]]', 'a/b/Notes.md'],
    ['[[b/Notes.md]]', 'a/b/Notes.md'],
    ['[[getting started]]', 'Guides/Getting Started.md'],
    ['[[home]]', 'Home.md'],
    ['[[Start]]', 'Guides/Getting Started.md'],
    ['[[start]]', 'Guides/Getting Started.md'],
    ['[[TCP/IP]]', 'a/b/Notes.md'],
    ['[[v1.2]]', 'v1.2.md'],
    ['[[Caf\u00e9]]', 'Cafe\u0301.md'],
    ['![[logo.png]]', 'img/logo.png'],
    ['![[Guides/img/logo.png]]', 'Guides/img/logo.png'],
    ['[[#Heading]]', 'Home.md # Heading'],
    ['[[Home#One#Two]]', 'Home.md # One#Two'],
    ['[[C#]]', 'Languages/C#.md'],
    ['[[C# Guide#Setup]]', 'Languages/C# Guide.md # Setup'],
    ['[[Home#Guide]]', 'Home.md # Guide'],
    ['[[name]]', 'other/name.md'],
    ['[[C# Guide #Setup]]', 'Languages/C# Guide.md # Setup'],
    ['[[ #Heading]]', 'Home.md # Heading'],
    ['[[./Guides/Setup #Part]]', 'Guides/Setup.md # Part'],
    ['[[./Languages/C# Guide #Part]]', 'Languages/C# Guide.md # Part'],
  ])('%s', (link, path) => {
    expect(resolve(link)).toBe(path);
  });

  test.each([
    '[[Nothing]]',
    '[[ome]]',
    '[[etup]]',
    '[[Name]]',
    '[[/Setup]]',
    '[[../Home]]',
    '[[logo]]',
    '[[IP]]',
    '[[TCPIP]]',
    '[[README.MD]]',
  ])('nothing if the target is missing or ambiguous: %s', (link) => {
    expect(resolve(link)).toBeNull();
  });

  test('a path from the page’s folder if it is written as one', () => {
    expect(resolve('[[../Home]]', 'Guides/Setup.md')).toBe('Home.md');
    expect(resolve('[[./Setup]]', 'Archive/2024/X.md')).toBe('Archive/2024/Setup.md');
  });
});

describe('a Markdown link leads to', () => {
  test.each([
    ['[a](Setup.md)', 'Archive/2024/X.md', 'Archive/2024/Setup.md'],
    ['[a](Setup.md)', 'Guides/X.md', 'Guides/Setup.md'],
    ['[a](../../Guides/Getting%20Started.md#b%20c)', 'Archive/2024/X.md', 'Guides/Getting Started.md # b c'],
    ['[a](<../Guides/Getting Started>)', 'Archive/X.md', 'Guides/Getting Started.md'],
    ['[a](/Guides/Setup.md)', 'Archive/X.md', 'Guides/Setup.md'],
    ['[a](Guides/Setup.md)', 'Archive/X.md', 'Guides/Setup.md'],
    ['[a](setup.md)', 'a/X.md', 'Guides/Setup.md'],
    ['![a](img/logo.png)', 'Guides/X.md', 'Guides/img/logo.png'],
    ['[a](#b)', 'Home.md', 'Home.md # b'],
    ['[a](Languages/C%23.md)', 'Home.md', 'Languages/C#.md'],
    ['[a]: Guides/Setup.md', 'Home.md', 'Guides/Setup.md'],
  ])('%s in %s', (link, from, path) => {
    expect(resolve(link, from)).toBe(path);
  });

  test.each([
    ['[a](../Home.md)', 'Home.md'],
    ['[a](./Setup.md)', 'Home.md'],
    ['[a](Start)', 'Home.md'],
    ['[a](Guides/)', 'Home.md'],
    ['[a](logo.md)', 'Home.md'],
  ])('nothing if the target is missing, above the root or an alias: %s', (link, from) => {
    expect(resolve(link, from)).toBeNull();
  });
});

describe('of several pages that a link could mean', () => {
  const among = (names: string[], aliases: [string, string][] = []) => {
    const resolver = createLinkResolver(
      names.map((name) => `${name}.md`),
      aliases.map(([alias, name]) => [alias, `${name}.md`]),
    );
    return (target: string, from: string, kind: 'wiki' | 'inline' = 'wiki') =>
      resolver
        .resolve({ kind, target, query: null, anchor: null }, `${from}.md`)
        ?.path.replace(/\.md$/, '') ?? null;
  };

  test('none if names at the same path differ in case, and no name has the case of the link', () => {
    expect(among(['Notes', 'NOTES', 'x/notes'])('nOTES', 'Plan')).toBeNull();
  });

  test('it means the one in the folder of its own page', () => {
    const to = among(['north/Notes', 'south/Notes', 'south/Plan']);
    expect(to('Notes', 'south/Plan')).toBe('south/Notes');
    expect(to('Notes', 'north/Plan')).toBe('north/Notes');
    expect(to('notes', 'south/Plan')).toBe('south/Notes');
    expect(to('Notes', 'Plan')).toBe('north/Notes');
  });

  test('it means the one at exactly this path from the root before one beside its page', () => {
    const to = among(['Notes', 'south/Notes', 'a/Notes', 'south/a/Notes']);
    expect(to('Notes', 'south/Plan')).toBe('Notes');
    expect(to('a/Notes', 'south/Plan')).toBe('a/Notes');
  });

  test('it means the shortest path in or below the folder of its page, by characters and not by parts', () => {
    const to = among(['x', 'south/1/2/3/Notes', 'south/a long name/Notes', 'south/a/Notes', 'south/b/Notes']);
    expect(to('Notes', 'south/Plan')).toBe('south/a/Notes');
    expect(among(['s/1/2/Notes', 's/longer/Notes'])('Notes', 's/Plan')).toBe('s/1/2/Notes');
    for (const form of ['NFC', 'NFD']) {
      const short = '\u00e9/N'.normalize(form);
      expect(among([short, 'bc/N'])('N', 'Plan')).toBe(short);
    }
  });

  test('it means one of its own language before a shorter path in another', () => {
    const to = among(['en/guides/setup', 'ko/setup', 'en/start/intro', 'b/setup', 'a/setup']);
    expect(to('setup', 'en/start/intro')).toBe('en/guides/setup');
    expect(to('setup', 'fr/intro')).toBe('a/setup');
    expect(among(['a/b/c/N', 'a/N', 'N2'])('N', 'a/b/d/Plan')).toBe('a/b/c/N');
  });

  test('a folder counts as a whole, and by its case and in any Unicode form', () => {
    expect(among(['south2/Notes', 'a/Notes'])('Notes', 'south/Plan')).toBe('a/Notes');
    expect(among(['e\u0301te\u0301/Notes', 'a/Notes'])('Notes', '\u00e9t\u00e9/Plan')).toBe(
      'e\u0301te\u0301/Notes',
    );
  });

  test('the last resort is the order of code points', () => {
    expect(among(['\u{1f389}/N', '\uff5a\uff5a/N', 'zz/N'])('N', 'Plan')).toBe('zz/N');
    expect(among(['\ud83c\udf89/N', '\uff5aa/N'])('N', 'Plan')).toBe('\uff5aa/N');
    for (const form of ['NFC', 'NFD']) {
      expect(among(['\u00e9/N'.normalize(form), 'f/N'])('N', 'Plan')).toBe('f/N');
    }
  });

  test('aliases follow the same order by their pages, and a name anywhere comes before them', () => {
    const to = among(
      ['north/A', 'south/B', 'far/Nick'],
      [
        ['Note', 'north/A'],
        ['Note', 'south/B'],
        ['Nick', 'south/B'],
      ],
    );
    expect(to('Note', 'south/Plan')).toBe('south/B');
    expect(to('Note', 'Plan')).toBe('north/A');
    expect(to('Nick', 'south/Plan')).toBe('far/Nick');
  });

  test('aliases go by the folder in any Unicode form', () => {
    const to = among(
      ['e\u0301te\u0301/long name', 'a/B'],
      [
        ['Note', 'e\u0301te\u0301/long name'],
        ['Note', 'a/B'],
      ],
    );
    expect(to('Note', '\u00e9t\u00e9/Plan')).toBe('e\u0301te\u0301/long name');
  });

  test('a Markdown link is a path from its folder first, then goes by the same order', () => {
    const to = among(['a/Notes', 'south/a/Notes', 'north/b/Notes', 'south/x/b/Notes']);
    expect(to('a/Notes.md', 'south/Plan', 'inline')).toBe('south/a/Notes');
    expect(to('b/Notes.md', 'south/Plan', 'inline')).toBe('south/x/b/Notes');
  });
});

test.each([
  ['[[chart.mdx]]', 'chart.mdx'],
  ['[[v1.2/LICENSE]]', 'v1.2/LICENSE.md'],
  ['[[v1.2/LICENSE.md]]', 'v1.2/LICENSE.md'],
  ['[[R.md]]', 'R.md'],
])('of a page and a file of one name, %s means %s', (link, path) => {
  const names = ['chart.mdx', 'chart.mdx.md', 'v1.2/LICENSE', 'v1.2/LICENSE.md', 'R.MD', 'R.md'];
  const [found] = scanInline(link, scanBlocks(link)).links;
  expect(found && createLinkResolver(names).resolve(found, 'P.md')?.path).toBe(path);
});

test('100,000 links from as many folders to one name take a moment', () => {
  const many = Array.from({ length: 100_000 }, (_, number) => `folder ${number}/index.md`);
  const used = idleCpuMsOf(() => {
    const large = createLinkResolver(many);
    const strays = many.filter(
      (from) =>
        large.resolve({ kind: 'wiki', target: 'index', query: null, anchor: null }, from)?.path !== from,
    );
    expect(strays).toEqual([]);
  });
  expect(used).toBeLessThan(3_000);
});

test('100,000 pages of few names and many links take a moment', () => {
  const many = Array.from({ length: 100_000 }, (_, number) => `folder ${number}/index.md`);
  const used = idleCpuMsOf(() => {
    const large = createLinkResolver(many);
    for (let link = 0; link < 100_000; link += 1) {
      expect(large.resolve({ kind: 'wiki', target: 'index', query: null, anchor: null }, 'x.md')?.path).toBe(
        'folder 0/index.md',
      );
    }
  });
  expect(used).toBeLessThan(6_000);
});

test.each(['[x](< >)', '[x](%20)', '[x](&#32;)', '[x](<&nbsp;>)', '<a href="&#32;">'])(
  'a link to blanks alone leads to its own page: %s',
  (text) => {
    expect(resolve(text, 'Guides/Setup.md')).toBe('Guides/Setup.md');
  },
);

/** The tree path to which the link of this text leads, in a wiki of these pages and without aliases. */
function ledAmong(pages: readonly string[], text: string): string | null {
  const [link] = scanInline(text, scanBlocks(text)).links;
  if (link === undefined) throw new Error(`no link in ${text}`);
  return createLinkResolver(pages).resolve(link, 'Home.md')?.path ?? null;
}

test.each([[], ['x#y.md'], ['a#b.md'], ['x/a#b.md']])(
  'an anchor with two dots between slashes leads to no other page, whatever names have a hash: %j',
  (...others) => {
    expect(ledAmong(['a.md', 'Page.md', ...others], '[[./a#b/../Page]]')).toBe('a.md');
  },
);

test('an alias may hold a hash before two dots between slashes', () => {
  const [link] = scanInline('[[a#b/../c]]', scanBlocks('[[a#b/../c]]')).links;
  const named = createLinkResolver(['a.md', 'N.md'], [['a#b/../c', 'N.md']]);
  expect(link && createLinkResolver(['N.md'], [['a#b/../c', 'N.md']]).resolve(link, 'P.md')?.path).toBe(
    'N.md',
  );
  // A name always wins over an alias.
  expect(link && named.resolve(link, 'P.md')?.path).toBe('a.md');
});

test('a hash before two dots further on is still a part of the name', () => {
  expect(ledAmong(['a.md', 'a#b..c.md'], '[[./a#b..c]]')).toBe('a#b..c.md');
  expect(ledAmong(['Page.md', 'C#.md'], '[[./x/../C#]]')).toBe('C#.md');
});

test('a name is ambiguous where case changes its length', () => {
  const [dotted, small] = ['A\u0069\u0307.md', 'a\u0069\u0307.md'];
  expect(ledAmong([dotted, small], '[[a\u0130]]')).toBe(null);
  expect(ledAmong([`x/${dotted}`, `y/${small}`], '[[a\u0130]]')).toBe(null);
  expect(ledAmong([`x/${dotted}`, `y/${small}`], '[[x/a\u0130]]')).toBe(`x/${dotted}`);
  expect(ledAmong([`x/${dotted}`, `y/${dotted}`], '[[a\u0130]]')).toBe(`x/${dotted}`);
});

test('a Markdown link without a query leads to no page whose name ends in `null`', () => {
  expect(ledAmong(['A.md', 'Anull.md'], '[x](A)')).toBe('A.md');
});

test('a link to a missing page leads nowhere in a wiki without aliases and hashes', () => {
  expect(ledAmong(['S.md', 't.md'], '[[Other]]')).toBe(null);
  expect(ledAmong(['t.md'], '[[S]]')).toBe(null);
});
