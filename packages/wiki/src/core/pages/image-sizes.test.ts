import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageSizeOf } from './image-sizes.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const PNG = '89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0806000000';
const GIF = '474946383961 8002 e001 f00000';
const LOSSY = '52494646 24000000 57454250 56503820 18000000 300100 9d012a 8002 e001';
const LOSSLESS = '52494646 24000000 57454250 5650384c 18000000 2f 7fc27700 0000000000';
const EXTENDED = '52494646 24000000 57454250 56503858 0a000000 00000000 7f0200 df0100';
const FRAME = 'ffc0 0011 08 01e0 0280 03 012200 021101 031101';
const EXIF = (orientation: number) =>
  `ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 000${orientation} 0000 00000000`;
const AVIF = [
  '00000014 66747970 61766966 00000000 6d696631',
  '00000038 6d657461 00000000',
  '0000002c 69707270 00000024 6970636f',
  '00000014 69737065 00000000 00000280 000001e0 00000008 66726565',
].join(' ');
const ROOT = Buffer.from('<svg width="640" viewBox="0 0 4 3"').toString('hex');

test.each([
  ['PNG', PNG],
  ['GIF', GIF],
  ['WebP, lossy', LOSSY],
  ['WebP, lossless', LOSSLESS],
  ['WebP, extended', EXTENDED],
  ['JPEG', `ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ${FRAME}`],
  ['JPEG upside down', `ffd8 ${EXIF(3)} ${FRAME}`],
  ['AVIF', AVIF],
  ['BMP', '424d 00000000 00000000 36000000 28000000 80020000 e0010000 0100 1800'],
])('the size of %s is that of its header', (_, hex) => {
  expect(imageSizeOf(bytes(hex))).toEqual({ width: 640, height: 480 });
});

test.each([
  ['its width and height', '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>'],
  ['them before its viewBox', '<svg viewBox="0 0 1 1" width="640px" height=\'480\' stroke-width="2"></svg>'],
  ['its viewBox', '<?xml version="1.0"?>\n<svg\n  width="100%" viewBox="0 0 640 480">'],
  ['its width and the proportions of its viewBox', '<svg width="640" viewBox="0 0 4 3">'],
  ['its root, not a comment', '<!-- <svg width="1" height="1"> --><svg width="640" height="480">'],
  ['its root, not a part', '<svg width="640" height="480"><svg width="1" height="1">'],
])('the size of SVG is that of %s', (_, text) => {
  expect(imageSizeOf(Buffer.from(text))).toEqual({ width: 640, height: 480 });
});

test.each([
  ['without any size', '<svg xmlns="http://www.w3.org/2000/svg"><rect width="640" height="480"/></svg>'],
  ['of size 0', '<svg width="0" height="0" viewBox="0 0 0 0">'],
  ['with a root that does not end', `<svg width="640" height="480"${' '.repeat(9_000)}>`],
  ['with words for a size', '<svg width="wide" height="-3" viewBox="a b c d">'],
])('SVG %s has none', (_, text) => {
  expect(imageSizeOf(Buffer.from(text))).toBeNull();
});

test('a photo on its side is as wide as it is shown', () => {
  for (const orientation of [5, 6, 7, 8])
    expect(imageSizeOf(bytes(`ffd8 ${EXIF(orientation)} ${FRAME}`))).toEqual({ width: 480, height: 640 });
});

test.each([
  ['nothing', ''],
  ['text', '3c7376672077696474683d22312220'],
  ['a PNG that ends too early', PNG.slice(0, 40)],
  ['a PNG without width', PNG.replace('00000280', '00000000')],
  ['a PNG wider than any screen', PNG.replace('00000280', 'ffffffff')],
  ['a JPEG without frame', `ffd8 ${EXIF(6)}`],
])('%s has no size', (_, hex) => {
  expect(imageSizeOf(bytes(hex))).toBeNull();
});

test('bytes that follow the beginning of an image, whatever they are, give a size or none', () => {
  const begin = fc.constantFrom(PNG, GIF, LOSSY, LOSSLESS, EXTENDED, `ffd8 ${EXIF(6)}`, 'ffd8ff', AVIF, ROOT);
  const length = fc.nat({ max: 80 });
  fc.assert(
    fc.property(begin, length, fc.uint8Array({ maxLength: 300 }), (hex, kept, rest) => {
      const size = imageSizeOf(Buffer.concat([bytes(hex).subarray(0, kept), rest]));
      expect(size === null || (size.width > 0 && size.height > 0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

/** 400 kB and more of what makes each reader search for as long as it can. */
const LONG: Record<string, Buffer> = {
  'segments without content': Buffer.concat([bytes('ffd8ffe0'), Buffer.alloc(400_000, bytes('0002ffe0'))]),
  'no segments': Buffer.concat([bytes('ffd8ffe0'), Buffer.alloc(400_000)]),
  'blocks of orientation': Buffer.concat([bytes('ffd8'), Buffer.alloc(400_000, bytes(EXIF(9)))]),
  'roots that do not end': Buffer.from('<svg '.repeat(100_000)),
  'a root of many attributes': Buffer.from(`<svg ${' viewBox="'.repeat(50_000)}>`),
  'comments that do not end': Buffer.from('<!--'.repeat(100_000)),
  'boxes of sizes': Buffer.concat([
    bytes('00000014 66747970 61766966 00000000 6d696631 00111800 6d657461 00000000'),
    bytes('00111000 69707270 00110800 6970636f'),
    Buffer.alloc(1_200_000, bytes('00000014 69737065 00000000 00000280 000001e0')),
  ]),
};

test.each(Object.entries(LONG))('%s take little time', (_, hostile) => {
  const before = process.cpuUsage();
  imageSizeOf(hostile);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
