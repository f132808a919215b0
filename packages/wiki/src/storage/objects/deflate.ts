import { deflateSync } from 'node:zlib';

/**
 * Compresses as git does. With room for all of the output at once: by itself zlib takes 16 KB for each object,
 * however small, and zeroes and drops them again.
 */
export function deflate(content: Uint8Array, level = DEFAULT_LEVEL): Uint8Array {
  return deflateSync(content, { level, chunkSize: Math.min(mostBytes(content.length), MOST_CHUNK_BYTES) });
}

const DEFAULT_LEVEL = 6;
const MOST_CHUNK_BYTES = 2 ** 20;

/** What zlib makes of so many bytes that cannot be compressed. */
export function mostBytes(length: number): number {
  return length + Math.ceil(length / 1000) + 64;
}
