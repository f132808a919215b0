import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { zipOf, zipOfEmptyBlocks, zipOfExtraFields, zipOfNames } from '../../../test/operations/archives.ts';
import { toWikiError } from '../../contract/errors.ts';
import { readArchive } from './archive.ts';

describe('a name with control characters', () => {
  test('is returned as written, so that it can be refused', async () => {
    const names = ['a\nb.md', 'a\0.md', 'a\u007fb.md', 'é\r.md'];
    const entries = await readArchive(zipOfNames(names));
    expect(entries.map(({ path }) => path)).toEqual(names);
  });
});

test('a name that says it is UTF-8 and is not is refused', async () => {
  const zip = Buffer.from(await zipOf({ 'é.md': 'x', 'Fine.md': 'y' }), 'base64');
  for (let at = zip.indexOf('é'); at !== -1; at = zip.indexOf('é')) zip[at + 1] = 0x2e;
  const error = await readArchive(zip).catch(toWikiError);
  expect(error).toMatchObject({ code: 'invalid_input' });
  expect(String(error)).toContain('is not UTF-8');
});

test('a large file is unpacked in one piece of memory, and compressed and stored ones come out as they went in', async () => {
  const large = Buffer.alloc(20_000_000, 'text that repeats ');
  const zip = Buffer.from(await zipOf({ 'a.png': large, 'b.md': 'small', 'c.md': '' }), 'base64');
  const [a, b, c] = await readArchive(zip);
  const before = process.memoryUsage().arrayBuffers;
  const unpacked = await a?.unpack();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.5 * large.length);
  expect(Buffer.from(unpacked ?? []).equals(large)).toBe(true);
  expect([await b?.unpack(), await c?.unpack()].map(String)).toEqual(['small', '']);
  const [stored] = await readArchive(zipOfNames(['a.md']));
  expect(String(await stored?.unpack())).toBe('small');
});

test.each<[what: string, change: (zip: Buffer) => Buffer, says: string]>([
  ['content that changed', (zip) => changed(zip, zip.indexOf('small')), 'is damaged'],
  ['no header of its own', (zip) => changed(zip, 0), 'is not where it should be'],
  ['a name in its header that goes on to the end', (zip) => written(zip, 26, 0xffff), 'ends too early'],
])('a file with %s is refused', async (_, change, says) => {
  const entries = await readArchive(change(zipOfNames(['a.md', 'b.md'])));
  const error = await entries[0]?.unpack().catch(toWikiError);
  expect(error).toMatchObject({ code: 'invalid_input' });
  expect(String(error)).toContain(`"a.md" ${says}`);
});

test('a file that unpacks to more than the zip says is unpacked no further', async () => {
  const bomb = Buffer.from(await zipOf({ 'a.png': Buffer.alloc(30_000_000) }), 'base64');
  const directory = bomb.lastIndexOf('PK\x01\x02');
  const entries = await readArchive(written(bomb, directory + 24, 1_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(String(await entries[0]?.unpack().catch(toWikiError))).toMatch(/The zip cannot be read/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
});

test('a file that takes far more room compressed than it has bytes is not unpacked', async () => {
  const [few] = await readArchive(zipOfEmptyBlocks(100));
  expect(String(await few?.unpack())).toBe('small');
  const [many] = await readArchive(zipOfEmptyBlocks(1_000));
  expect(String(await many?.unpack().catch(toWikiError))).toContain('far more room compressed');
});

test('a name that no system can hold is refused before the next one is read', async () => {
  const names = ['a', 'b'].map((letter) => letter.repeat(4_097));
  expect(await readArchive(zipOfNames([names[0]?.slice(1) ?? '']))).toHaveLength(1);
  expect(await readArchive(zipOfNames(names)).catch(toWikiError)).toMatchObject({ code: 'too_large' });
});

test('a zip of too many extra fields is refused before all of them are parsed', async () => {
  expect(await readArchive(zipOfExtraFields(40, 80))).toHaveLength(40);
  expect(await readArchive(zipOfExtraFields(70, 64_000, 64_000)).catch(toWikiError)).toMatchObject({
    code: 'too_large',
    text: { happened: expect.stringContaining('extra fields') },
  });
});

test('a zip whose files share their bytes is refused: each could unpack the whole of it', async () => {
  const zip = Buffer.from(await zipOf({ 'a.png': randomBytes(10_000) }), 'base64');
  const [directory, end] = [zip.lastIndexOf('PK\x01\x02'), zip.lastIndexOf('PK\x05\x06')];
  const record = zip.subarray(directory, end);
  const trailer = Buffer.from(zip.subarray(end));
  for (const at of [8, 10]) trailer.writeUInt16LE(2, at);
  trailer.writeUInt32LE(2 * record.length, 12);
  const twice = Buffer.concat([zip.subarray(0, directory), record, record, trailer]);
  const error = await readArchive(twice).catch(toWikiError);
  expect(error).toMatchObject({
    code: 'invalid_input',
    text: { happened: expect.stringContaining('its files overlap') },
  });
});

function changed(zip: Buffer, at: number): Buffer {
  zip[at] = 0x7e;
  return zip;
}

function written(zip: Buffer, at: number, value: number): Buffer {
  zip.writeUInt16LE(value, at);
  zip.writeUInt16LE(0, at + 2);
  return zip;
}
