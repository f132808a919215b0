import { limits } from '@pagetree/wiki/contract';

/** The most bytes in Base64 that fit a payload of Lambda, with room for the rest of the call. */
const ATTACHMENT_BYTES = 4_500_000;

/** The memory of an environment before a call that brings many bytes. */
const IDLE_MIB = 200;

/**
 * The size limits of calls for an environment of so much memory. Measured, with 150 MB for the process alone: to push 60 MB of 13,000
 * pages took 321 MB in all, to merge them 341, a bundle of 95 MB of images 309; a zip of 78 MB of pages once unpacked took 422, and 6.7 s
 * of processor time, of which 512 MiB have 0.29.
 */
export function callLimits(memoryMib: number) {
  const bytes = Math.round((Math.max(0, memoryMib - IDLE_MIB) * 2 ** 20) / 3);
  return {
    attachmentBytes: ATTACHMENT_BYTES,
    uploadBytes: between(ATTACHMENT_BYTES, bytes, limits.importBytes),
    unpackedBytes: between(ATTACHMENT_BYTES, 0.6 * bytes, limits.importBytes),
  };
}

function between(least: number, bytes: number, most: number): number {
  return Math.round(Math.min(Math.max(least, bytes), most));
}
