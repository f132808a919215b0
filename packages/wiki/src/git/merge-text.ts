import { diff3Merge } from 'node-diff3';

/**
 * What two texts make together that both came from `base`, line by line; null where both changed the same place,
 * where one is no text, or where there is too much of it. Bytes stay as they are, whatever their encoding.
 */
export function mergeText(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  const [baseLines, ourLines, theirLines] = [base, ours, theirs].map(linesOf);
  if (!baseLines || !ourLines || !theirLines) return null;
  const regions = diff3Merge(ourLines, baseLines, theirLines, { excludeFalseConflicts: true });
  const merged: string[] = [];
  for (const { ok } of regions) {
    if (!ok) return null;
    for (const line of ok) merged.push(line);
  }
  return Buffer.from(merged.join('\n'), 'latin1');
}

/** The lines as binary strings; null for what git would call a binary file, or a huge one. */
function linesOf(content: Uint8Array): string[] | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) return null;
  const lines = bytes.toString('latin1').split('\n');
  return lines.length > LINES_MOST ? null : lines;
}

const BINARY_PROBE = 8_000;
/** The comparison takes time with the square of equal lines; a page of so many takes about a second. */
const LINES_MOST = 20_000;
