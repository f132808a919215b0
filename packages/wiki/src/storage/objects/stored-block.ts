/** Of one block, as deflate writes what it does not compress. */
export const MOST_STORED_BYTES = 2 ** 16 - 1;

/** The content, of at most `MOST_STORED_BYTES`, as zlib wraps what is stored and not compressed (RFC 1950, 1951). */
export function storedBlock(content: Uint8Array): Uint8Array {
  const { length } = content;
  const end = HEADER_BYTES + length;
  const bytes = Buffer.allocUnsafe(end + CHECKSUM_BYTES);
  bytes.set(ZLIB_HEADER);
  bytes[ZLIB_HEADER.length] = LAST_BLOCK;
  bytes.writeUInt16LE(length, ZLIB_HEADER.length + 1);
  bytes.writeUInt16LE(MOST_STORED_BYTES - length, ZLIB_HEADER.length + 3);
  bytes.set(content, HEADER_BYTES);
  bytes.writeUInt32BE(adler32(content), end);
  return bytes;
}

/** A window of 32 KB, no dictionary, the fastest level. */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);
/** Of the kind that is stored. */
const LAST_BLOCK = 1;
/** With the length of the block, and once more with all its bits turned round. */
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
/** After so many bytes the sums are still whole numbers of 32 bits, with which a processor counts fastest. */
const BYTES_BELOW_2_31 = 3800;
