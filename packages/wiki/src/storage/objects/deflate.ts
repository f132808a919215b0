import { deflateSync } from 'node:zlib';

/**
 * Compresses as git does. With room for all of the output at once: by itself zlib takes 16 KB for each object,
 * however small, and zeroes and drops them again.
 */
export function deflate(content: Uint8Array, level = DEFAULT_LEVEL): Uint8Array {
  const chunkSize = Math.min(mostBytes(content.length), MOST_CHUNK_BYTES);
  return deflateSync(content, { level, chunkSize, ...memoryFor(content.length, level) });
}

/** What zlib makes ready for each object takes as long as to compress a small one: so it gets what it can use. */
function memoryFor(length: number, level: number): { windowBits?: number; memLevel?: number } {
  if (level === 0) return { windowBits: 9, memLevel: 1 };
  return length <= SMALL_BYTES ? { windowBits: 12, memLevel: 5 } : {};
}

/** The window of 12 bits. */
const SMALL_BYTES = 2 ** 12;
const DEFAULT_LEVEL = 6;
const MOST_CHUNK_BYTES = 2 ** 20;

/** What zlib makes of so many bytes that cannot be compressed. */
export function mostBytes(length: number): number {
  return length + Math.ceil(length / 1000) + 64;
}
