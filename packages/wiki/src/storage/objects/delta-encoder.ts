/**
 * How `target` differs from `base`, as a pack stores it: runs copied from the base, and what is new between
 * them. Null where it would take more than `mostBytes`.
 */
export function encodeDelta(base: Uint8Array, target: Uint8Array, mostBytes: number): Uint8Array | null {
  const places = blockPlaces(base);
  const delta = new DeltaWriter(base.length, target, mostBytes);
  let position = 0;
  while (position + BLOCK_BYTES <= target.length && !delta.isTooLong) {
    const run = longestRun(base, target, position, places.get(blockKey(target, position)) ?? []);
    if (run === null) {
      position += 1;
      continue;
    }
    const before = delta.extendBack(base, run.from, position);
    delta.copy(run.from - before, position - before, run.length + before);
    position += run.length;
  }
  return delta.finish();
}

const BLOCK_BYTES = 16;
/** Blocks that repeat often, such as blanks, are tried at so many places only. */
const MOST_PLACES = 8;
const MOST_COPIED = 0xff_ff_ff;
const MOST_INSERTED = 0x7f;

/** Where each block of the base begins, for blocks side by side: any run of two blocks' length holds one. */
function blockPlaces(base: Uint8Array): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let position = 0; position + BLOCK_BYTES <= base.length; position += BLOCK_BYTES) {
    const key = blockKey(base, position);
    const known = places.get(key);
    if (!known) places.set(key, [position]);
    else if (known.length < MOST_PLACES) known.push(position);
  }
  return places;
}

function blockKey(bytes: Uint8Array, position: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + position, BLOCK_BYTES).toString('latin1');
}

function longestRun(
  base: Uint8Array,
  target: Uint8Array,
  position: number,
  places: readonly number[],
): { from: number; length: number } | null {
  let longest: { from: number; length: number } | null = null;
  for (const from of places) {
    const most = Math.min(base.length - from, target.length - position, MOST_COPIED);
    let length = BLOCK_BYTES;
    while (length < most && base[from + length] === target[position + length]) length += 1;
    if (!longest || length > longest.length) longest = { from, length };
  }
  return longest;
}

/** Writes instructions in the order of the target; what no copy covers is inserted. */
class DeltaWriter {
  readonly #parts: number[] = [];
  readonly #target: Uint8Array;
  readonly #mostBytes: number;
  #covered = 0;

  constructor(baseLength: number, target: Uint8Array, mostBytes: number) {
    this.#target = target;
    this.#mostBytes = mostBytes;
    this.#size(baseLength);
    this.#size(target.length);
  }

  get isTooLong(): boolean {
    return this.#parts.length > this.#mostBytes;
  }

  /** By how many bytes before `position`, not yet covered, the run can begin earlier. */
  extendBack(base: Uint8Array, from: number, position: number): number {
    const most = Math.min(from, position - this.#covered);
    let before = 0;
    while (before < most && base[from - before - 1] === this.#target[position - before - 1]) before += 1;
    return before;
  }

  copy(from: number, position: number, length: number): void {
    this.#insertUntil(position);
    for (let copied = 0; copied < length; ) {
      const size = Math.min(length - copied, MOST_COPIED);
      this.#copyInstruction(from + copied, size);
      copied += size;
    }
    this.#covered = position + length;
  }

  finish(): Uint8Array | null {
    this.#insertUntil(this.#target.length);
    return this.isTooLong ? null : Uint8Array.from(this.#parts);
  }

  #copyInstruction(from: number, size: number): void {
    const bytes = [from, from >>> 8, from >>> 16, from >>> 24, size, size >>> 8, size >>> 16];
    const given = bytes.map((byte) => byte & 0xff);
    const mask = given.reduce((bits, byte, bit) => (byte ? bits | (1 << bit) : bits), 0);
    this.#parts.push(0x80 | mask, ...given.filter((byte) => byte !== 0));
  }

  #insertUntil(end: number): void {
    for (let position = this.#covered; position < end && !this.isTooLong; position += MOST_INSERTED) {
      const inserted = this.#target.subarray(position, Math.min(position + MOST_INSERTED, end));
      this.#parts.push(inserted.length, ...inserted);
    }
    this.#covered = end;
  }

  /** 7 bits a byte, the lowest first. */
  #size(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#parts.push((rest & 0x7f) | 0x80);
    this.#parts.push(rest);
  }
}
