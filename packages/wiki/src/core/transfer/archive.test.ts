import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import {
  zipOf,
  zipOfComments,
  zipOfEmptyBlocks,
  zipOfExtraFields,
  zipOfNames,
  zipPackedBy,
  zipThatSays,
  zipWithLink,
} from '../../../test/operations/archives.ts';
import { toWikiError } from '../../contract/errors.ts';
import { readArchive } from './archive.ts';

describe('a name with control characters', () => {
  test('is returned as written, so that it can be refused', async () => {
    const names = ['a\nb.md', 'a\0.md', 'a\u007fb.md', 'é\r.md'];
    const entries = await readArchive(zipOfNames(names));
    expect(entries.map(({ path }) => path)).toEqual(names);
  });
});

test('a name of an old zip is in the characters of DOS', async () => {
  const zip = zipOfNames(['X b.md']);
  for (let at = zip.indexOf('X b'); at !== -1; at = zip.indexOf('X b')) zip[at] = 0x9a;
  expect(await readArchive(zip)).toMatchObject([{ path: 'Ü b.md' }]);
});

test('names that lead out are listed, so that all of them can be reported', async () => {
  const names = ['../a.md', '/b.md', 'C:\\c.md', 'd/../../e.md'];
  expect((await readArchive(zipOfNames(names))).map(({ path }) => path)).toEqual(names);
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
  ['a place at the end of the zip', placedAtEnd, 'is not where it should be'],
  ['a larger size than it has', () => fromBase64(zipThatSays(6)), 'lies about its size'],
])('a file with %s is refused', async (_, change, says) => {
  const entries = await readArchive(change(zipOfNames(['a.md', 'b.md'])));
  const error = await entries[0]?.unpack().catch(toWikiError);
  expect(error).toMatchObject({ code: 'invalid_input' });
  expect(String(error)).toContain(`"${entries[0]?.path}" ${says}`);
});

test('a file is found behind the extra fields of its header', async () => {
  const zip = zipOfNames(['a.md']);
  // Two bytes of the name become such a field.
  for (const at of [26, 28]) zip.writeUInt16LE(2, at);
  const [entry] = await readArchive(zip);
  expect(String(await entry?.unpack())).toBe('small');
});

test('only files are listed, with their size, and whether they are links or encrypted', async () => {
  const zip = zipOfNames(['folder/', 'folder/a.md', 'b.md']);
  zip.writeUInt16LE(1, zip.lastIndexOf('PK\x01\x02') + 8);
  const facts = { bytes: 5, isLink: false, isEncrypted: false };
  expect(await readArchive(zip)).toMatchObject([
    { path: 'folder/a.md', ...facts },
    { path: 'b.md', ...facts, isEncrypted: true },
  ]);
  expect(await readArchive(fromBase64(zipWithLink('a.md', 'b.md')))).toMatchObject([{ isLink: true }]);
});

test('a zip of more files than may be listed is refused, also if they are folders', async () => {
  expect(await readArchive(zipOfNames(['a.md', 'b.md']), 2)).toHaveLength(2);
  for (const names of [
    ['a.md', 'b.md'],
    ['a/', 'b/'],
  ]) {
    expect(await readArchive(zipOfNames(names), 1).catch(toWikiError)).toMatchObject({
      code: 'too_large',
      text: { happened: expect.stringContaining('it has more than 1 files') },
    });
  }
});

test('what is no zip is refused', async () => {
  expect(await readArchive(Buffer.from('No zip.')).catch(toWikiError)).toMatchObject({
    code: 'invalid_input',
    text: { happened: 'The zip cannot be read: File format is not recognized.' },
  });
});

test('a file that is compressed in an unusual way is refused', async () => {
  const [entry] = await readArchive(fromBase64(zipPackedBy(9)));
  expect(String(await entry?.unpack().catch(toWikiError))).toContain(
    '"Note.md" is compressed by method 9, not by the usual "deflate"',
  );
});

test('a file that unpacks to more than the zip says is unpacked no further', async () => {
  const bomb = Buffer.from(await zipOf({ 'a.png': Buffer.alloc(3_000_000) }), 'base64');
  const directory = bomb.lastIndexOf('PK\x01\x02');
  const entries = await readArchive(written(bomb, directory + 24, 20_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(String(await entries[0]?.unpack().catch(toWikiError))).toContain(
    'The zip cannot be read: Cannot create a Buffer larger than 20064 bytes',
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
});

test('a file that takes far more room compressed than it has bytes is not unpacked', async () => {
  const [few] = await readArchive(zipOfEmptyBlocks(100));
  expect(String(await few?.unpack())).toBe('small');
  // Two bytes take four, so these are as many as are allowed.
  const [most] = await readArchive(zipOfEmptyBlocks(200, 'ab'));
  expect(String(await most?.unpack())).toBe('ab');
  const [many] = await readArchive(zipOfEmptyBlocks(201, 'ab'));
  expect(String(await many?.unpack().catch(toWikiError))).toContain('far more room compressed');
});

test('a name that no system can hold is refused before the next one is read', async () => {
  const names = ['a', 'b'].map((letter) => letter.repeat(4_097));
  expect(await readArchive(zipOfNames([names[0]?.slice(1) ?? '']))).toHaveLength(1);
  expect(await readArchive(zipOfNames(names)).catch(toWikiError)).toMatchObject({
    code: 'too_large',
    text: { happened: expect.stringContaining('the name of one of its files has more than 4096 bytes') },
  });
});

test('a zip of too many extra fields is refused before all of them are parsed', async () => {
  expect(await readArchive(zipOfExtraFields(40, 80))).toHaveLength(40);
  expect(await readArchive(zipOfExtraFields(70, 64_000, 64_000)).catch(toWikiError)).toMatchObject({
    code: 'too_large',
    text: { happened: expect.stringContaining('extra fields') },
  });
});

test('comments count like extra fields, up to four million bytes of both', async () => {
  expect(await readArchive(zipOfComments(64, 62_500))).toHaveLength(64);
  expect(await readArchive(zipOfComments(65, 62_500)).catch(toWikiError)).toMatchObject({
    text: { happened: expect.stringContaining('the extra fields and comments of its files are too long') },
  });
});

test('a zip whose files share their bytes is refused: each could unpack the whole of it', async () => {
  const error = await readArchive(await zipThatSharesBytes(10_000)).catch(toWikiError);
  expect(error).toMatchObject({
    code: 'invalid_input',
    text: { happened: expect.stringContaining('its files overlap') },
  });
});

test('files that share their bytes are read if they have no more of them than the zip', async () => {
  const most = await zipThatSharesBytes(156);
  expect(most.length).toBe(2 * 156);
  expect(await readArchive(most)).toHaveLength(2);
  const error = await readArchive(await zipThatSharesBytes(157)).catch(toWikiError);
  expect(String(error)).toContain('its files overlap');
});

/** A zip that lists its one file of this many bytes twice. */
async function zipThatSharesBytes(bytes: number): Promise<Buffer> {
  const zip = Buffer.from(await zipOf({ 'a.md': noise(bytes) }), 'base64');
  const [directory, end] = [zip.lastIndexOf('PK\x01\x02'), zip.lastIndexOf('PK\x05\x06')];
  const record = zip.subarray(directory, end);
  const trailer = Buffer.from(zip.subarray(end));
  for (const at of [8, 10]) trailer.writeUInt16LE(2, at);
  trailer.writeUInt32LE(2 * record.length, 12);
  return Buffer.concat([zip.subarray(0, directory), record, record, trailer]);
}

function fromBase64(zip: string): Buffer {
  return Buffer.from(zip, 'base64');
}

/** Says that the first file begins too near to the end of the zip for its header. */
function placedAtEnd(zip: Buffer): Buffer {
  zip.writeUInt32LE(zip.length - 2, zip.indexOf('PK\x01\x02') + 42);
  return zip;
}

function changed(zip: Buffer, at: number): Buffer {
  zip[at] = 0x7e;
  return zip;
}

function written(zip: Buffer, at: number, value: number): Buffer {
  zip.writeUInt16LE(value, at);
  zip.writeUInt16LE(0, at + 2);
  return zip;
}
