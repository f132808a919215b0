import { expect, test } from 'vitest';
import type { PlacedLink } from '../../index-port.ts';
import { scanBlocks } from '../markdown/markdown-blocks.ts';
import { scanInline } from '../markdown/markdown-links.ts';
import { linkReport } from './link-report.ts';
import { createLinkResolver } from './link-resolver.ts';

const WIKI: Record<string, string> = {
  'Home.md': '[[apple]] [[#Part]]\n[[Zebra]] ![[logo.png]]\n[[Gone]] [[Zebra]] ![[a.png]]\n[[Gone]] [[New]]',
  'Zebra.md': '[[Home]] [[Home]]\n\n[[Home]] [[New]]',
  'apple.md': '[[Home]] [up](Home.md)\n[[docs/New]]',
  'docs/Deep.md': '[[../Home]] [x](New.md)\n[[../New]]\n[[Leaf]]',
  'far/Leaf.md': '',
  'logo.png': '',
  'a.png': '',
};

function linksOf(from: string): PlacedLink[] {
  const text = WIKI[from] ?? '';
  return scanInline(text, scanBlocks(text)).links.map((link) => ({ from, line: link.line, link }));
}

/** All links of the wiki may lead to the page: which ones do is for the report to say. */
function report(path: string, treePath: string | null, leavesOutLinks = false) {
  const incoming = Object.keys(WIKI).flatMap(linksOf).reverse();
  const own = treePath === null ? [] : linksOf(treePath);
  return linkReport({ path, treePath, own, incoming, leavesOutLinks }, (also) =>
    createLinkResolver([...Object.keys(WIKI), ...also]),
  );
}

test('a page has its links, files and broken links, and the lines that lead to it, each once and in order', async () => {
  expect(await report('Home', 'Home.md', true)).toEqual({
    linksTo: ['Zebra', 'apple'],
    files: ['a.png', 'logo.png'],
    linkedFrom: [
      { path: 'Zebra', line: 1 },
      { path: 'Zebra', line: 3 },
      { path: 'apple', line: 1 },
      { path: 'docs/Deep', line: 1 },
    ],
    broken: [
      { target: 'Gone', line: 3 },
      { target: 'Gone', line: 4 },
      { target: 'New', line: 4 },
    ],
    leavesOutLinks: true,
  });
});

test('a page that is missing has the broken links that would lead to it', async () => {
  expect(await report('docs/New', null)).toEqual({
    ...{ linksTo: [], files: [], broken: [], leavesOutLinks: false },
    linkedFrom: [
      { path: 'Home', line: 4 },
      { path: 'Zebra', line: 3 },
      { path: 'apple', line: 2 },
      { path: 'docs/Deep', line: 1 },
    ],
  });
  expect((await report('x/Home', null)).linkedFrom).toEqual([]);
  // It would be nearer than the page that the link leads to now.
  expect((await report('docs/Leaf', null)).linkedFrom).toEqual([]);
});

test('a file has the pages that show it', async () => {
  expect((await report('logo.png', 'logo.png')).linkedFrom).toEqual([{ path: 'Home', line: 2 }]);
});
