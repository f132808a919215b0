import zlib, { deflateRawSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { replaceIn } from '../../../test/replaced-fs.ts';
import { WikiError } from '../../contract/errors.ts';
import { overheadOf, readArchive, type WriteArchiveOptions, writeArchive } from './archive.ts';

const DATE = new Date('2026-11-22T12:34:57Z');

test('another library reads the same files from a zip, and equal files give equal bytes', async () => {
  const files = {
    'Home.md': Buffer.from('# Home\n'),
    'Ordner/Fußnote — 日本.md': Buffer.alloc(9_000, 'text that repeats '),
    'empty.md': Buffer.alloc(0),
    'picture.png': noise(300_000),
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

test('a zip of the same files has the same bytes in every version of this program', async () => {
  // Version 2.0, names in UTF-8, stored, 12:34:56 on 22 November 2026, as another program lists it.
  const zip = await written({ 'é.md': Buffer.from('text') });
  expect(zip.toString('hex')).toBe(
    [
      '504b03041400000800005c64765dc7a78b3b040000000400000005000000c3a92e6d6474657874504b010214',
      '001400000800005c64765dc7a78b3b0400000004000000050000000000000000000000000000000000c3a92e',
      '6d64504b0506000000000100010033000000270000000000',
    ].join(''),
  );
});

test.each([
  ['1970-01-01T00:00:00Z', '1980-01-01 00:00:00'],
  ['1979-12-31T23:59:59Z', '1980-01-01 00:00:00'],
  ['1980-06-05T04:03:02Z', '1980-06-05 04:03:02'],
  ['2107-12-31T23:59:59Z', '2107-12-31 23:59:58'],
])('a file of %s has the date %s in a zip, in UTC', async (date, said) => {
  const zip = await written({ 'a.md': Buffer.from('text') }, { date: new Date(date) });
  const [time, days] = [zip.readUInt16LE(10), zip.readUInt16LE(12)];
  const two = (value: number) => `${value}`.padStart(2, '0');
  const day = [1980 + (days >> 9), (days >> 5) & 15, days & 31].map(two).join('-');
  const clock = [time >> 11, (time >> 5) & 63, (time & 31) * 2].map(two).join(':');
  expect(`${day} ${clock}`).toBe(said);
});

test('a zip of more files than 16 bits can count has the longer end of the directory', async () => {
  const zipOf = (count: number) =>
    written(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.md`, Buffer.alloc(0)])));
  expect((await zipOf(65_534)).includes(Buffer.from('PK\x06\x06', 'latin1'))).toBe(false);
  const zip = await zipOf(65_535);
  // Its size, the version that reads it, the counts, and the size and place of the directory.
  expect(zip.subarray(-98).toString('hex')).toBe(
    [
      '504b06062c000000000000002d002d000000000000000000ffff000000000000ffff00000000000064d43500',
      '0000000074d4250000000000504b060700000000d8a85b000000000001000000504b050600000000ffffffff',
      '64d4350074d425000000',
    ].join(''),
  );
  const entries = await readArchive(zip);
  expect(entries).toHaveLength(65_535);
  expect(entries.at(-1)?.path).toBe('65534.md');
});

test('the first four megabytes are compressed thoroughly, and the rest fast', async () => {
  const files = {
    a: linesOf(3_000_000),
    b: linesOf(1_000_000),
    c: linesOf(300_000),
    small: linesOf(20_000),
  };
  const { c, small, ...first } = files;
  const lengthOf = (levels: Record<string, number>) =>
    Object.entries(levels).reduce((sum, [name, level]) => {
      const { length } = deflateRawSync(files[name as keyof typeof files], { level });
      return sum + length + overheadOf(name) - 24;
    }, 22);
  // Compresses by default.
  expect((await written(first, { compress: undefined })).length).toBe(lengthOf({ a: 6, b: 6 }));
  expect((await written(files, { compress: true })).length).toBe(lengthOf({ a: 6, b: 6, c: 1, small: 1 }));
  for (const name of ['c', 'small']) expect(lengthOf({ [name]: 6 })).not.toBe(lengthOf({ [name]: 1 }));
});

test('large files are compressed and unpacked in a thread, so that other calls go on meanwhile', async () => {
  const lengths: number[] = [];
  const { deflateRawSync, inflateRawSync } = zlib;
  replaceIn(zlib, {
    deflateRawSync: (bytes: Uint8Array, options: object) => {
      lengths.push(bytes.length);
      return deflateRawSync(bytes, options);
    },
    inflateRawSync: (bytes: Uint8Array, options: object) => {
      const content = inflateRawSync(bytes, options);
      lengths.push(content.length);
      return content;
    },
  });
  const zip = await written({ small: linesOf(20_000), large: linesOf(300_000) }, { compress: true });
  for (const entry of await readArchive(zip)) await entry.unpack();
  // The beginning of the large file is compressed as a sample.
  expect(lengths).toEqual([20_000, 2 ** 15, 20_000]);
});

test('what does not shrink is stored, of a large file by a sample from its middle', async () => {
  const middle = noise(2 ** 15);
  const withNoise = (length: number) => {
    const content = Buffer.alloc(length);
    middle.copy(content, Math.floor(length / 2));
    return content;
  };
  const withoutNoise = Buffer.concat([noise(2 ** 18), Buffer.alloc(2 ** 16), noise(2 ** 18)]);
  const stored = [noise(1_000), withNoise(2 ** 18), withNoise(2 ** 18 + 1)];
  const compressed = [withNoise(2 ** 18 - 1), withoutNoise];
  for (const content of stored) expect(await grownBy(content)).toBe(overheadOf('a'));
  for (const content of compressed) expect(await grownBy(content)).toBeLessThan(0);
});

test('a zip needs what is said besides the content of its files', async () => {
  const path = 'Ordner/Fußnote.md';
  const zip = await written({ [path]: Buffer.from('text') });
  expect(overheadOf(path)).toBe(zip.length - 'text'.length + 2);
});

test('while it is written its size is known, and a call that was cancelled or has enough ends it', async () => {
  const files = { 'a.md': Buffer.from('text'), 'b.md': Buffer.from('more text') };
  const sizes: number[] = [];
  await written(files, { onBytes: (bytes) => sizes.push(bytes) });
  expect(sizes).toEqual([30 + 4 + 4, 30 + 4 + 4 + 30 + 4 + 9]);
  const enough = new Error('Enough.');
  const ending = written(files, {
    onBytes: () => {
      throw enough;
    },
  });
  await expect(ending).rejects.toBe(enough);
  await expect(written(files, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(WikiError);
});

function written(files: Record<string, Buffer>, more: Partial<WriteArchiveOptions> = {}): Promise<Buffer> {
  const options = { date: DATE, compress: false, ...more };
  return writeArchive(each(files), options).then((zip) => Buffer.from(zip));
}

/** How much larger than the content its zip is, without the two bytes that are said more than are needed. */
async function grownBy(content: Buffer): Promise<number> {
  return (await written({ a: content }, { compress: true })).length - content.length + 2;
}

function linesOf(bytes: number): Buffer {
  const lines = Array.from({ length: bytes / 10 }, (_, at) => `Line ${at} of a page\n`);
  return Buffer.from(lines.join('')).subarray(0, bytes);
}

async function* each(files: Record<string, Buffer>) {
  for (const [path, content] of Object.entries(files)) yield { path, content };
}

const NOTHING = Buffer.from('nothing');

test('the time zone of the machine changes no byte of a zip', async () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const zips: Buffer[] = [];
  for (const zone of ['UTC', 'Pacific/Kiritimati', 'Asia/Kolkata']) {
    vi.stubEnv('TZ', zone);
    const date = new Date('2026-12-31T20:34:57Z');
    zips.push(Buffer.from(await writeArchive(each({ 'Home.md': Buffer.from('# Home\n') }), { date })));
    expect(date.getHours()).toBe({ UTC: 20, 'Pacific/Kiritimati': 10, 'Asia/Kolkata': 2 }[zone]);
  }
  for (const zip of zips) expect(zip).toEqual(zips[0]);
});
