import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readArchive, writeArchive } from './archive.ts';

const DATE = new Date('2026-11-22T12:34:56Z');

test('another library reads the same files from a zip, and equal files give equal bytes', async () => {
  const files = {
    'Home.md': Buffer.from('# Home\n'),
    'Ordner/Fußnote — 日本.md': Buffer.alloc(9_000, 'text that repeats '),
    'empty.md': Buffer.alloc(0),
    'picture.png': randomBytes(300_000),
    'large.txt': Buffer.alloc(5_000_000, 'text that repeats '),
  };
  for (const compress of [true, false]) {
    const zip = await writeArchive(each(files), { date: DATE, compress });
    const again = await writeArchive(each(files), { date: DATE, compress, expectedBytes: 9_000_000 });
    expect(Buffer.compare(zip, again)).toBe(0);
    expect(zip.length).toBeLessThan(compress ? 400_000 : 5_400_000);
    const found: Record<string, Buffer> = {};
    for (const entry of await readArchive(zip)) found[entry.path] = Buffer.from(await entry.unpack());
    expect(Object.keys(found)).toEqual(Object.keys(files));
    for (const [path, content] of Object.entries(files))
      expect(content.equals(found[path] ?? NOTHING)).toBe(true);
  }
});

test('a zip may have more files than 16 bits can count', async () => {
  const names = Array.from({ length: 66_000 }, (_, at) => [`${at}.md`, Buffer.alloc(0)] as const);
  const zip = await writeArchive(each(Object.fromEntries(names)), { date: new Date(0), compress: false });
  const entries = await readArchive(zip);
  expect(entries).toHaveLength(66_000);
  expect(entries.at(-1)?.path).toBe('65999.md');
});

async function* each(files: Record<string, Buffer>) {
  for (const [path, content] of Object.entries(files)) yield { path, content };
}

const NOTHING = Buffer.from('nothing');
