import { promisify } from 'node:util';
import { createDeflate, deflate as deflateInThread, deflateSync, type ZlibOptions } from 'node:zlib';

/** Compresses with git's format and level. */
export function deflate(content: Uint8Array, level = DEFAULT_LEVEL): Uint8Array {
  return deflateSync(content, optionsFor(content.length, level));
}

/**
 * Makes the same bytes without blocking this thread for long. Small content is compressed here: handing it to
 * another thread would take longer.
 */
export async function deflateAside(content: Uint8Array, level = DEFAULT_LEVEL): Promise<Uint8Array> {
  if (content.length < LARGE_BYTES) return deflate(content, level);
  return inThread(content, optionsFor(content.length, level));
}

/** Does the same in parts, which are not kept here: content of 50 MB takes no more memory than one part. */
export async function deflateInParts(
  content: Uint8Array,
  level: number,
  take: (part: Uint8Array) => void,
): Promise<void> {
  if (content.length < LARGE_BYTES) {
    take(deflate(content, level));
    return;
  }
  const stream = createDeflate({ level, chunkSize: PART_BYTES });
  stream.end(content);
  for await (const part of stream as AsyncIterable<Uint8Array>) take(part);
}

/** True if a sample of the content shrinks: pictures and archives are compressed already. */
export function shrinks(content: Uint8Array): boolean {
  if (content.length < SAMPLED_BYTES) return true;
  const middle = Math.floor(content.length / 2);
  const sample = content.subarray(middle, middle + SAMPLE_BYTES);
  return deflateSync(sample, { level: 1 }).length < 0.95 * sample.length;
}

const inThread = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateInThread);

/**
 * Reserves room for all of the output at once: by default zlib allocates, zeroes and drops 16 KB for each
 * object, however small.
 */
function optionsFor(length: number, level: number): ZlibOptions {
  return { level, chunkSize: Math.min(mostBytes(length), MAX_CHUNK_BYTES), ...memoryFor(length) };
}

/**
 * zlib's preparation takes as long as compressing a small object: so it gets only as much memory as it can
 * use.
 */
function memoryFor(length: number): { windowBits?: number; memLevel?: number } {
  return length <= SMALL_BYTES ? { windowBits: 12, memLevel: 5 } : {};
}

/** The window of 12 bits. */
const SMALL_BYTES = 2 ** 12;
const LARGE_BYTES = 3 * SMALL_BYTES;
const DEFAULT_LEVEL = 6;
const PART_BYTES = 2 ** 17;
const SAMPLED_BYTES = 2 ** 18;
const SAMPLE_BYTES = 2 ** 15;
const MAX_CHUNK_BYTES = 2 ** 20;

/** The maximum size of zlib's output for this many incompressible bytes. */
export function mostBytes(length: number): number {
  return length + Math.ceil(length / 1000) + 64;
}

/**
 * The same for other programs, some of which write more blocks than zlib: empty blocks without end would take
 * as long to inflate as content.
 */
export function mostBytesOfOthers(length: number): number {
  return 2 * mostBytes(length) + 1_000;
}
