import { expect, test } from 'vitest';
import { encodeName, SitePaths } from './site-paths.ts';

/** Reads a name back, by the rule alone. */
function decodeName(name: string): string {
  const bytes = name
    .replace(/=-\d+$/, '')
    .replaceAll(/=([0-9a-f]{2})/g, '%$1')
    .replaceAll(/%(?![0-9a-f]{2})/g, '%25');
  return decodeURIComponent(bytes);
}

const NAMES = [
  ...[
    'Getting Started',
    '100% sure',
    'C#',
    'Why?',
    'a=b',
    'a=41',
    'a:b',
    '<b>',
    '"q"',
    'a|b',
    'a*b',
    'a\\b',
    'a/b',
  ],
  ...[
    'CON',
    'nul.txt',
    'COM1',
    'lpt9.x',
    'Console',
    'end.',
    'end ',
    ' start',
    '.hidden',
    '_draft',
    '日本語',
    '\u3000x',
  ],
  ...['tab\there', '家族👨‍👩‍👧'],
];

test.each(NAMES)('%j becomes a name that every system holds, and is read back', (name) => {
  const encoded = encodeName(name);
  expect(encoded).not.toMatch(/[\p{Cc}<>:"/\\|?*%#]|^[._\s]|[.\s]$|^(?:con|nul|com1|lpt9)(?:\.|$)/iu);
  expect(decodeName(encoded)).toBe(name);
});

test('no two pages, folders and files have names that some file system takes for the same', () => {
  const pages = [
    'Home',
    'home',
    'HOME',
    'index',
    'Index',
    'site-files',
    'x/a',
    'X/a',
    'b',
    'b.html/c',
    'caf\u00e9',
    'cafe\u0301',
  ];
  const files = [
    'a.PNG',
    'A.png',
    'x/a.svg',
    'site-files/a.png',
    'd.PNG/e.png',
    'D.png',
    'a.svg',
    'a.svg.bin',
  ];
  const paths = new SitePaths(pages, files);
  const shown = [
    ...pages.map((path) => paths.page(path)),
    ...paths.folders.map((folder) => paths.folder(folder)),
    ...files.map((path) => paths.file(path)),
  ];
  const folded = shown.map((file) => file?.normalize('NFC').toLowerCase());
  expect(new Set(folded).size).toBe(pages.length + paths.folders.length + files.length);
  const folders = folded.flatMap((file) => {
    const parts = file?.split('/').slice(0, -1) ?? [];
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  expect(folders.filter((folder) => folded.includes(folder))).toEqual([]);
  expect(paths.page('HOME')).toBe('HOME.html');
  expect(paths.page('Home')).toBe('Home=-2.html');
  expect(paths.page('index')).toMatch(/^index=-\d\.html$/);
});

test('what could run in the origin of the host ends as bytes to save', () => {
  const files = [
    'a.html',
    'a.HTM',
    'a.svg',
    'a.pdf',
    'a.xml',
    'a.js',
    'a.css',
    'a',
    'a.png.html',
    'a.png',
    'a.txt',
  ];
  const paths = new SitePaths([], files);
  expect(files.map((path) => paths.file(path)?.slice('site-files/files/'.length))).toEqual([
    ...['a.html.bin', 'a.HTM.bin', 'a.svg.bin', 'a.pdf.bin', 'a.xml.bin', 'a.js.bin', 'a.css.bin', 'a.bin'],
    ...['a.png.html.bin', 'a.png', 'a.txt'],
  ]);
});

test('a name that is too long ends in a digest', () => {
  const [a, b] = ['x'.repeat(250), `${'x'.repeat(249)}y`];
  const paths = new SitePaths([a, b], []);
  expect([a, b].map((path) => Buffer.byteLength(paths.page(path) ?? '') <= 255)).toEqual([true, true]);
  expect(paths.page(a)).not.toBe(paths.page(b));
});
