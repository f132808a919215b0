import { pktLine } from '@pagetree/wiki/pkt-line';

/** Bytes of an answer, in packets of band 1. */
export function* inBand(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += MAX_BAND_BYTES) {
    yield band(1, bytes.subarray(at, at + MAX_BAND_BYTES));
  }
}

/** A line that git shows after `remote: `. */
export function progressBand(line: string): Buffer {
  return band(2, Buffer.from(`${line}\n`).subarray(0, MAX_BAND_BYTES));
}

/** The sentence with which git ends. */
export function errorBand(sentence: string): Buffer {
  return band(3, Buffer.from(`${sentence}\n`).subarray(0, MAX_BAND_BYTES));
}

function band(number: number, bytes: Uint8Array): Buffer {
  return pktLine(Buffer.concat([Buffer.of(number), bytes]));
}

/** The bytes that a packet of side-band-64k holds besides its length and the number of the band. */
export const MAX_BAND_BYTES = 65_515;
