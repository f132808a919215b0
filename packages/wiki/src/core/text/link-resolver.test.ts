import { describe, expect, test } from 'vitest';
import { createLinkResolver } from './link-resolver.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';

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
    ['[[Notes]]', 'Archive/Notes.md'],
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
  ])('nothing where it is missing or ambiguous: %s', (link) => {
    expect(resolve(link)).toBeNull();
  });

  test('a path from the page’s folder where it is written so', () => {
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
  ])('nothing where it is missing, above the root or an alias: %s', (link, from) => {
    expect(resolve(link, from)).toBeNull();
  });
});

test('names that others share are told', () => {
  expect(resolver.isUnique('Home')).toBe(true);
  expect(resolver.isUnique('Setup')).toBe(false);
  expect(resolver.isUnique('2024/Setup')).toBe(true);
  expect(resolver.isUnique('logo.png')).toBe(false);
});

test('100,000 pages of few names and many links take a moment', () => {
  const many = Array.from({ length: 100_000 }, (_, number) => `folder ${number}/index.md`);
  const started = performance.now();
  const large = createLinkResolver(many);
  for (let link = 0; link < 100_000; link += 1) {
    expect(large.resolve({ kind: 'wiki', target: 'index', anchor: null }, 'x.md')?.path).toBe(
      'folder 0/index.md',
    );
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});
