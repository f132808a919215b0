import type { Oid } from '../oid.ts';

/** A git bundle: refs and one pack. https://git-scm.com/docs/gitformat-bundle */
export interface Bundle {
  refs: readonly BundleRef[];
  packBytes: Uint8Array;
}

/** A name such as `HEAD` or `refs/heads/main`, and the oid it points to. */
export interface BundleRef {
  oid: Oid;
  name: string;
}

/** The reason why a bundle cannot be read here. */
export type BundleProblem =
  | { problem: 'no bundle' | 'too many refs' | 'SHA-256' | 'filtered' | 'incomplete' }
  | { problem: 'unknown capability'; capability: string };

/**
 * Parses a bundle of version 2 or 3 that holds whole histories. Its header, everything before the pack, may
 * have up to `maxHeaderBytes`.
 */
export function parseBundle(bytes: Uint8Array, maxHeaderBytes: number): Bundle | BundleProblem {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf('\n\n');
  if (end > maxHeaderBytes) return { problem: 'too many refs' };
  const [signature, ...lines] = buffer.toString('utf8', 0, Math.max(0, end)).split('\n');
  if (end === -1 || !SIGNATURE.test(signature ?? '')) return { problem: 'no bundle' };
  const format = lines.find((line) => line.startsWith('@object-format='));
  if (format !== undefined && format !== '@object-format=sha1') return { problem: 'SHA-256' };
  if (lines.some((line) => line.startsWith('@filter='))) return { problem: 'filtered' };
  const capability = lines.find((line) => line.startsWith('@') && line !== format);
  if (capability !== undefined) return { problem: 'unknown capability', capability };
  // Prerequisites: commits that the reader of the bundle must have already.
  if (lines.some((line) => line.startsWith('-'))) return { problem: 'incomplete' };
  return { refs: lines.flatMap(refOf), packBytes: bytes.subarray(end + 2) };
}

/** The header of a bundle of version 2; the pack follows it. */
export function bundleHeader(refs: readonly BundleRef[]): Uint8Array {
  return Buffer.from(`# v2 git bundle\n${refs.map(({ oid, name }) => `${oid} ${name}\n`).join('')}\n`);
}

function refOf(line: string): BundleRef[] {
  const [, oid, name] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
  return oid === undefined || name === undefined ? [] : [{ oid, name }];
}

const SIGNATURE = /^# v[23] git bundle$/;
