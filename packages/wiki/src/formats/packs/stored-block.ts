/** The maximum size of one uncompressed block in deflate's format. */
export const MAX_STORED_BYTES = 2 ** 16 - 1;

/**
 * The content, of at most `MAX_STORED_BYTES`, in zlib's format, stored without compression (RFC 1950, 1951).
 */
export function storedBlock(content: Uint8Array): Uint8Array {
  const { length } = content;
  const end = HEADER_BYTES + length;
  const bytes = Buffer.allocUnsafe(end + CHECKSUM_BYTES);
  bytes.set(ZLIB_HEADER);
  bytes[ZLIB_HEADER.length] = LAST_BLOCK;
  bytes.writeUInt16LE(length, ZLIB_HEADER.length + 1);
  bytes.writeUInt16LE(MAX_STORED_BYTES - length, ZLIB_HEADER.length + 3);
  bytes.set(content, HEADER_BYTES);
  bytes.writeUInt32BE(adler32(content), end);
  return bytes;
}

/**
 * The content of `storedBlock`, if `bytes` begins with what that makes of `size` bytes. Else null, and zlib knows more. To
 * ask zlib takes ten times as long for what is small.
 */
export function contentOfStoredBlock(bytes: Uint8Array, size: number): Uint8Array | null {
  const end = HEADER_BYTES + size;
  if (size > MAX_STORED_BYTES || bytes.length < end + CHECKSUM_BYTES || bytes[2] !== LAST_BLOCK) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, end + CHECKSUM_BYTES);
  const isStored =
    bytes[0] === ZLIB_HEADER[0] &&
    bytes[1] === ZLIB_HEADER[1] &&
    view.getUint16(ZLIB_HEADER.length + 1, true) === size &&
    view.getUint16(ZLIB_HEADER.length + 3, true) === MAX_STORED_BYTES - size;
  if (!isStored) return null;
  // A copy: a part would keep all of `bytes` in memory.
  const content = new Uint8Array(bytes.subarray(HEADER_BYTES, end));
  return view.getUint32(end) === adler32(content) ? content : null;
}

/** The bytes that `storedBlock` adds to a content. */
export const STORED_BLOCK_OVERHEAD = 11;

/** A window of 32 KB, no dictionary, the fastest level. */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);
/** The header of a stored last block. */
const LAST_BLOCK = 1;
/** Includes the length of the block and its bitwise complement. */
const HEADER_BYTES = ZLIB_HEADER.length + 5;
const CHECKSUM_BYTES = 4;

function adler32(content: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let start = 0; start < content.length; start += BYTES_BELOW_2_31) {
    const end = Math.min(start + BYTES_BELOW_2_31, content.length);
    for (let at = start; at < end; at += 1) {
      low += content[at] as number;
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return high * 2 ** 16 + low;
}

const ADLER_BASE = 65521;
/** Up to this many bytes the sums stay within 32-bit integers, with which a processor counts fastest. */
const BYTES_BELOW_2_31 = 3800;
