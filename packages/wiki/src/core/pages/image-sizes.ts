import { BMP } from 'image-size/types/bmp';
import { GIF } from 'image-size/types/gif';
import { HEIF } from 'image-size/types/heif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { SVG } from 'image-size/types/svg';
import { WEBP } from 'image-size/types/webp';
import type { Oid } from '../../contract/ids.ts';
import { inBatches } from '../../scheduling/in-batches.ts';
import { firstOf, spelledFiles } from '../paths/spellings.ts';
import type { Snapshot } from '../ports.ts';

/** The size in pixels at which a browser shows an image. */
export interface ImageSize {
  width: number;
  height: number;
}

/**
 * The sizes of images by their tree paths, read from the beginnings of the files: of the first `MAX_IMAGES`, in the first
 * of the snapshots that has the file. Leaves out a file whose size cannot be found.
 */
export async function imageSizes(
  files: Iterable<string>,
  snapshots: readonly Snapshot[],
): Promise<ReadonlyMap<string, ImageSize>> {
  const images = [...new Set(files)].filter((file) => IMAGE.test(file)).slice(0, MAX_IMAGES);
  const sizes = await inBatches(images, async (file) => {
    // A page is shown also if one of its images is damaged.
    const size = await sizeIn(file, snapshots).catch(() => null);
    return size === null ? [] : [[file, size] as const];
  });
  return new Map(sizes.flat());
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i;
const MAX_IMAGES = 50;

async function sizeIn(file: string, snapshots: readonly Snapshot[]): Promise<ImageSize | null> {
  for (const snapshot of snapshots) {
    const entry = await firstOf(spelledFiles(snapshot, file));
    if (entry !== null) return keptSize(entry.oid, snapshot);
  }
  return null;
}

async function keptSize(oid: Oid, snapshot: Snapshot): Promise<ImageSize | null> {
  const kept = KEPT.get(oid);
  if (kept !== undefined) return kept;
  const size = imageSizeOf(await snapshot.beginning(oid, BEGIN_BYTES));
  const [oldest] = KEPT.keys();
  if (KEPT.size >= MAX_KEPT && oldest !== undefined) KEPT.delete(oldest);
  KEPT.set(oid, size);
  return size;
}

/** By blob, for all wikis: a blob never changes. */
const KEPT = new Map<Oid, ImageSize | null>();
const MAX_KEPT = 10_000;

/** Before the size of a photo come its thumbnail and its color profile. */
const BEGIN_BYTES = 128_000;

/** The size that the first bytes of an image declare; null if they declare none. The bytes may be hostile. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | null {
  try {
    const { width, height, orientation = 1 } = measure(bytes);
    if (!isLength(width) || !isLength(height)) return null;
    // A photo that was taken with the camera on its side is turned when it is shown.
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    // The library throws for bytes that are no image, or end too early.
    return null;
  }
}

/** Asks only the readers of these formats. The first ones take each byte once. */
function measure(bytes: Uint8Array): ImageSize & { orientation?: number } {
  for (const format of [PNG, JPG, GIF, WEBP, BMP]) if (format.validate(bytes)) return format.calculate(bytes);
  // Its boxes are searched again for each image in it.
  const boxes = bytes.subarray(0, MAX_BOX_BYTES);
  if (HEIF.validate(boxes)) return HEIF.calculate(boxes);
  // An SVG file, or the library throws. It searches for the root tag again from each that is begun and not ended.
  return SVG.calculate(withoutComments(bytes.subarray(0, MAX_TEXT_BYTES)));
}

const MAX_BOX_BYTES = 8_000;
const MAX_TEXT_BYTES = 8_000;

/** The library would take a tag in a comment for the root. */
function withoutComments(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes)
      .toString()
      .replaceAll(/<!--[\s\S]*?-->/g, ''),
  );
}

function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_PIXELS;
}

/** More than any browser shows. */
const MAX_PIXELS = 100_000;
