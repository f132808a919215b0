import { constants, createInflate, inflateSync, type ZlibOptions } from 'node:zlib';
import { contentOfStoredBlock, STORED_BLOCK_OVERHEAD } from './packs/stored-block.ts';

export interface Inflated {
  content: Uint8Array;
  compressedLength: number;
}

export type NotInflated = 'truncated' | 'damaged compression';

/**
 * Inflates the zlib stream at the beginning of `bytes`. The result must have `size` bytes; no more is ever
 * inflated.
 */
export function inflate(bytes: Uint8Array, size: number): Inflated | NotInflated {
  const stored = contentOfStoredBlock(bytes, size);
  if (stored !== null) return { content: stored, compressedLength: size + STORED_BLOCK_OVERHEAD };
  try {
    const result: unknown = inflateSync(bytes, optionsFor(size));
    if (!isInflateInfo(result) || result.buffer.length !== size) return 'damaged compression';
    return { content: result.buffer, compressedLength: result.engine.bytesWritten };
  } catch (error) {
    return reasonOf(error);
  }
}

/** All that `bytes` of unknown content come to, null if that is damaged or has more than `most` bytes. */
export function inflateWhole(bytes: Uint8Array, most: number): Buffer | null {
  try {
    return inflateSync(bytes, { chunkSize: most, maxOutputLength: most });
  } catch (error) {
    reasonOf(error);
    return null;
  }
}

/** The beginning of the content, inflated from the beginning of its compressed `bytes`. */
export function inflateStart(bytes: Uint8Array): Buffer | NotInflated {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * At most `most` bytes of the content, inflated from the beginning of its compressed `bytes`; no more is ever inflated.
 */
export async function inflateBeginning(bytes: Uint8Array, most: number): Promise<Uint8Array | NotInflated> {
  const stream = createInflate({ chunkSize: Math.max(most, 64), finishFlush: constants.Z_SYNC_FLUSH });
  try {
    stream.end(bytes);
    for await (const part of stream as AsyncIterable<Uint8Array>) return part.subarray(0, most);
    return new Uint8Array(0);
  } catch (error) {
    return reasonOf(error);
  } finally {
    stream.destroy();
  }
}

/** Inflates as `inflate` does without blocking this thread for long. */
export async function inflateAside(bytes: Uint8Array, size: number): Promise<Inflated | NotInflated> {
  if (size < LARGE_BYTES) return inflate(bytes, size);
  const content = new Uint8Array(size);
  let at = 0;
  const compressedLength = await inflateThrough(bytes, size, (part) => {
    content.set(part, at);
    at += part.length;
  });
  return typeof compressedLength === 'string' ? compressedLength : { content, compressedLength };
}

/**
 * Inflates in parts, which are not kept here: content of 50 MB takes no more memory than one part. Returns
 * the number of compressed bytes.
 */
export async function inflateThrough(
  bytes: Uint8Array,
  size: number,
  take: (part: Uint8Array) => void,
): Promise<number | NotInflated> {
  const stream = createInflate({ chunkSize: PART_BYTES });
  let left = size;
  try {
    stream.end(bytes);
    for await (const part of stream as AsyncIterable<Uint8Array>) {
      left -= part.length;
      if (left < 0) return 'damaged compression';
      take(part);
    }
    return left === 0 ? stream.bytesWritten : 'damaged compression';
  } catch (error) {
    return reasonOf(error);
  } finally {
    stream.destroy();
  }
}

const LARGE_BYTES = 2 ** 18;
const PART_BYTES = 2 ** 17;
const MAX_CHUNK_BYTES = 2 ** 20;

/**
 * Reserves a little more room than expected: zlib then needs one round, and output that is too long is
 * detected.
 */
function optionsFor(size: number): ZlibOptions {
  return { chunkSize: Math.min(size + 64, MAX_CHUNK_BYTES), maxOutputLength: size + 64, info: true };
}

function reasonOf(error: unknown): NotInflated {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return 'truncated';
  if (code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT' || code === 'ERR_BUFFER_TOO_LARGE') {
    return 'damaged compression';
  }
  throw error;
}

/** zlib's result with the option `info`, which @types/node does not declare. */
function isInflateInfo(value: unknown): value is { buffer: Buffer; engine: { bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
