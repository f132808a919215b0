/**
 * How much of a file another one holds, as git measures it for renames (diffcore-delta.c): files are cut into
 * lines, of 64 bytes at most, and the bytes of pieces in common are counted.
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

/** From 0 to 1; git takes two files for one that moved from one half on. Empty files are like nothing. */
export function likeness(before: Pieces, after: Pieces): number {
  const larger = Math.max(before.size, after.size);
  // What differs in size by more than half cannot be half alike, and need not be compared.
  if (Math.min(before.size, after.size) * 2 < larger || larger === 0) return 0;
  let common = 0;
  for (const [piece, bytes] of before.bytes) common += Math.min(bytes, after.bytes.get(piece) ?? 0);
  return common / larger;
}

const linePattern = /[^\n]{0,63}(?:\n|[^\n]|$)/g;
