import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
// Imported without the library's own codecs and workers: Node decompresses natively.
import {
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { throwIfCancelled, WikiError } from '../../contract/errors.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { quoted } from '../text/markdown/hidden-characters.ts';
import { archiveFailure, importTooLarge } from './import-problems.ts';
import { overheadOf, ZipWriter, type ZipWriterOptions } from './zip-writer.ts';

/*
 * Import this module late, since most wikis are neither imported nor exported. It imports the library by
 * named parts, so that a bundle contains only those.
 */

export { overheadOf };

/** A file of an archive, with its path as written there. */
export interface ArchivedFile {
  path: string;
  content: Uint8Array;
}

export interface ArchiveEntry {
  path: string;
  /** The unpacked size that the archive declares. Unpacking stops there. */
  bytes: number;
  isLink: boolean;
  isEncrypted: boolean;
  unpack(): Promise<Uint8Array>;
}

/**
 * The files of a zip, none of them unpacked yet. Throws `invalid_input` if the bytes are not a zip or a
 * broken one, and `too_large` as soon as it lists more than `maxEntries`: listing a million costs gigabytes.
 */
export async function readArchive(
  bytes: Uint8Array,
  maxEntries = Number.POSITIVE_INFINITY,
): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  let listedCount = 0;
  let compressedBytes = 0;
  let extraBytes = 0;
  const yieldIfDue = yielding();
  // Names are checked together with everything else, so that all invalid files are reported at once.
  const listed = new ZipReader(new Uint8ArrayReader(bytes)).getEntriesGenerator({
    filenameValidation: 'tolerant',
  });
  try {
    for await (const entry of listed) {
      if (listedCount === maxEntries) throw importTooLarge(`it has more than ${maxEntries} files`);
      listedCount += 1;
      compressedBytes += entry.compressedSize;
      if (entry.rawFilename.length > MAX_NAME_BYTES)
        throw importTooLarge(`the name of one of its files has more than ${MAX_NAME_BYTES} bytes`);
      extraBytes += entry.rawExtraField.length + entry.rawComment.length;
      if (extraBytes > MAX_EXTRA_BYTES)
        throw importTooLarge('the extra fields and comments of its files are too long');
      // Files that share their bytes could each cause the whole archive to be inflated.
      if (compressedBytes > bytes.length) throw archiveFailure('its files overlap');
      if (isFile(entry)) entries.push(archiveEntry(bytes, entry));
      await yieldIfDue();
    }
  } catch (error) {
    if (error instanceof WikiError) throw error;
    throwArchiveFailure(error);
  }
  return entries;
}

/** Empty blocks without end would take as long to inflate as content. */
const MAX_OVERHEAD_BYTES = 1_000;
/** The longest path that Linux can check out. */
const MAX_NAME_BYTES = 4_096;
/** Programs write some 40 bytes a file, for dates and rights. The library takes 100 ms for each megabyte. */
const MAX_EXTRA_BYTES = 4_000_000;

/** Only the needed fields of the library's entry, which takes several kilobytes. */
function archiveEntry(zip: Uint8Array, entry: FileEntry): ArchiveEntry {
  const { offset, crc32, compressionMethod, compressedSize, uncompressedSize } = entry;
  const path = nameOf(entry);
  const place = { path, offset, crc32, compressionMethod, compressedSize, uncompressedSize };
  return {
    path,
    bytes: uncompressedSize,
    isLink: entry.symlink,
    isEncrypted: entry.encrypted,
    unpack: () => unpack(zip, place),
  };
}

/**
 * Old zips write names in the characters of DOS, where a line break is a circle: the library returns a name
 * with that. It replaces what is not UTF-8 in other zips, which would import a file under another name.
 */
function nameOf({ filename, rawFilename, filenameUTF8 }: FileEntry): string {
  if (filenameUTF8 && !isUtf8(rawFilename)) {
    throw archiveFailure(`the name ${quoted(filename)} of one of its files is not UTF-8`);
  }
  return rawFilename.some(isControlCharacter) ? Buffer.from(rawFilename).toString() : filename;
}

function isControlCharacter(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f;
}

/** The position of a file in a zip, and its entry in the zip's directory. */
type Place = Pick<FileEntry, 'offset' | 'compressionMethod' | 'compressedSize' | 'uncompressedSize'> & {
  path: string;
  crc32: number | undefined;
};

/**
 * Not done by the library: its streams take 1 ms for the smallest file, and a multiple of the content in
 * memory.
 */
async function unpack(zip: Uint8Array, place: Place): Promise<Uint8Array> {
  const { path, compressionMethod, compressedSize, uncompressedSize } = place;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    throw archiveFailure(
      `${quoted(path)} is compressed by method ${compressionMethod}, not by the usual "deflate"`,
    );
  }
  if (compressedSize > 2 * uncompressedSize + MAX_OVERHEAD_BYTES) {
    throw archiveFailure(`${quoted(path)} takes far more room compressed than it has bytes`);
  }
  const start = contentStart(zip, place);
  const stored = zip.subarray(start, start + compressedSize);
  if (stored.length !== compressedSize) throw archiveFailure(`${quoted(path)} ends too early`);
  const content =
    compressionMethod === STORED
      ? stored
      : await inflate(stored, uncompressedSize).catch(throwArchiveFailure);
  if (content.length !== uncompressedSize) throw archiveFailure(`${quoted(path)} lies about its size`);
  // The checksum proves that the content is the original.
  if (crc32(content) !== place.crc32) throw archiveFailure(`${quoted(path)} is damaged`);
  return content;
}

/** The offset after the header of the file, which repeats the name. Only that header contains its length. */
function contentStart(zip: Uint8Array, { path, offset }: Place): number {
  const header = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength).subarray(
    offset,
    offset + HEADER_BYTES,
  );
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== HEADER_SIGNATURE)
    throw archiveFailure(`${quoted(path)} is not where it should be`);
  return offset + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** Never inflates much more than `size` bytes. One chunk takes all: zlib would copy several into one. */
async function inflate(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const options = { chunkSize: size + 64, maxOutputLength: size + 64 };
  return Math.max(size, bytes.length) < LARGE_BYTES
    ? inflateRawSync(bytes, options)
    : inflateInThread(bytes, options);
}

const inflateInThread = promisify<Uint8Array, ZlibOptions, Uint8Array>(inflateRaw);
const LARGE_BYTES = 2 ** 18;
const HEADER_BYTES = 30;
const HEADER_SIGNATURE = 0x04034b50;

/** The two methods that programs use and that Node can unpack, among those that a zip may name. */
const STORED = 0;
const DEFLATED = 8;

export interface WriteArchiveOptions extends ZipWriterOptions {
  signal?: AbortSignal | undefined;
  /** Called with the size of the zip so far; may throw. */
  onBytes?: (bytes: number) => void;
}

/** A zip of these files. Equal files make equal bytes. */
export async function writeArchive(
  files: AsyncIterable<ArchivedFile>,
  options: WriteArchiveOptions,
): Promise<Uint8Array> {
  const writer = new ZipWriter(options);
  const yieldIfDue = yielding();
  for await (const { path, content } of files) {
    throwIfCancelled(options.signal);
    await writer.add(path, content);
    options.onBytes?.(writer.length);
    await yieldIfDue();
  }
  return writer.finish();
}

function isFile(entry: Entry): entry is FileEntry {
  return !entry.directory;
}

function throwArchiveFailure(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw archiveFailure(reason.slice(0, 200), error);
}
