// Without the library's own codecs and workers: Node compresses natively.
import {
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { throwIfCancelled } from './cancelled.ts';
import { archiveFailure } from './import-problems.ts';

/*
 * This module is to be imported late, since most wikis are neither imported nor exported; the library it imports by
 * names, so that a bundle holds no more of it.
 */

/** A file of an archive, its path as it is written there. */
export interface ArchivedFile {
  path: string;
  content: Uint8Array;
}

export interface ArchiveEntry {
  path: string;
  /** Once unpacked, as the archive says; unpacking stops there. */
  bytes: number;
  isLink: boolean;
  isEncrypted: boolean;
  unpack(): Promise<Uint8Array>;
}

/** The files of a zip, none of them unpacked yet. Throws `invalid_input` where it is none, or a broken one. */
export async function readArchive(bytes: Uint8Array): Promise<ArchiveEntry[]> {
  // A checked signature proves that what came out is what went in.
  const options = { useWebWorkers: false, checkSignature: true };
  const unpack = async (entry: FileEntry) => {
    const method = entry.compressionMethod;
    if (method !== STORED && method !== DEFLATED) {
      throw archiveFailure(`${entry.filename} is compressed by method ${method}, not by the usual "deflate"`);
    }
    const content = await entry.getData(new Uint8ArrayWriter(), options).catch(throwArchiveFailure);
    if (content.length !== entry.uncompressedSize)
      throw archiveFailure(`${entry.filename} lies about its size`);
    return content;
  };
  const entries = await new ZipReader(new Uint8ArrayReader(bytes), options)
    // Names are judged with all other reasons, so that every file that cannot be is told at once.
    .getEntries({ filenameValidation: 'tolerant' })
    .catch(throwArchiveFailure);
  return entries.filter(isFile).map((entry) => ({
    path: entry.filename,
    bytes: entry.uncompressedSize,
    isLink: entry.symlink,
    isEncrypted: entry.encrypted,
    unpack: () => unpack(entry),
  }));
}

/** Of the methods that a zip may name these two are what everybody writes, and what Node unpacks. */
const STORED = 0;
const DEFLATED = 8;

/** A zip of these files. Equal files make equal bytes. */
export async function writeArchive(
  files: AsyncIterable<ArchivedFile>,
  options: { date: Date; signal?: AbortSignal | undefined },
): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    lastModDate: options.date,
    extendedTimestamp: false,
  });
  for await (const { path, content } of files) {
    throwIfCancelled(options.signal);
    await writer.add(path, new Uint8ArrayReader(content));
  }
  return writer.close();
}

function isFile(entry: Entry): entry is FileEntry {
  return !entry.directory;
}

function throwArchiveFailure(error: unknown): never {
  throw archiveFailure(error instanceof Error ? error.message : String(error), error);
}
