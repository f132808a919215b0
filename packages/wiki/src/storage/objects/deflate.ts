import { promisify } from 'node:util';
import { deflate as deflateInThread, deflateSync, type ZlibOptions } from 'node:zlib';

/** Compresses as git does. */
export function deflate(content: Uint8Array, level = DEFAULT_LEVEL): Uint8Array {
  return deflateSync(content, optionsFor(content.length, level));
}

/**
 * Makes the same bytes, but does not hold this thread where that takes long. To hand to another thread
 * what is small takes longer than to compress it.
 */
export async function deflateAside(content: Uint8Array, level = DEFAULT_LEVEL): Promise<Uint8Array> {
  if (content.length < LARGE_BYTES) return deflate(content, level);
  return inThread(content, optionsFor(content.length, level));
}

const inThread = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateInThread);

/**
 * With room for all of the output at once: by itself zlib takes 16 KB for each object, however small, and zeroes
 * and drops them again.
 */
function optionsFor(length: number, level: number): ZlibOptions {
  return { level, chunkSize: Math.min(mostBytes(length), MOST_CHUNK_BYTES), ...memoryFor(length) };
}

/** What zlib makes ready for each object takes as long as to compress a small one: so it gets what it can use. */
function memoryFor(length: number): { windowBits?: number; memLevel?: number } {
  return length <= SMALL_BYTES ? { windowBits: 12, memLevel: 5 } : {};
}

/** The window of 12 bits. */
const SMALL_BYTES = 2 ** 12;
const LARGE_BYTES = 3 * SMALL_BYTES;
const DEFAULT_LEVEL = 6;
const MOST_CHUNK_BYTES = 2 ** 20;

/** What zlib makes of so many bytes that cannot be compressed. */
export function mostBytes(length: number): number {
  return length + Math.ceil(length / 1000) + 64;
}
