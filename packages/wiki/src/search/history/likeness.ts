/**
 * The pieces of a file, for the share of it that another one contains, as git measures it for renames
 * (diffcore-delta.c): files are cut into lines of at most 64 bytes, and the bytes of common pieces are
 * counted.
 */
export interface Pieces {
  size: number;
  /** Bytes for each distinct piece. */
  bytes: ReadonlyMap<string, number>;
}

export function piecesOf(content: Uint8Array): Pieces {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const bytes = new Map<string, number>();
  for (const [line] of text.replaceAll('\r\n', '\n').matchAll(linePattern)) {
    bytes.set(line, (bytes.get(line) ?? 0) + line.length);
  }
  return { size: content.length, bytes };
}

/** From 0 to 1. Git treats two files as moved from 0.5 on. An empty file is similar to nothing. */
export function likeness(before: Pieces, after: Pieces): number {
  const larger = Math.max(before.size, after.size);
  // Files whose sizes differ by more than half cannot reach 0.5, and need not be compared.
  if (Math.min(before.size, after.size) * 2 < larger || larger === 0) return 0;
  let common = 0;
  for (const [piece, bytes] of before.bytes) common += Math.min(bytes, after.bytes.get(piece) ?? 0);
  return common / larger;
}

const linePattern = /[^\n]{0,63}(?:\n|[^\n]|$)/g;
