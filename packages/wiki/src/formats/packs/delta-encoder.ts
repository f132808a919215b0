import { BLOCK_BYTES, BlockTable, MAX_COPIED } from './block-table.ts';

/**
 * The delta from `base` to `target` as a pack stores it: runs copied from the base, and new bytes between
 * them. Null if it would take more than `mostBytes`.
 */
export function encodeDelta(base: Uint8Array, target: Uint8Array, mostBytes: number): Uint8Array | null {
  const blocks = new BlockTable(base);
  const findRun = blocks.searchFor(target);
  const delta = new DeltaWriter(base.length, target, mostBytes);
  let position = 0;
  while (position + BLOCK_BYTES <= target.length && !delta.isTooLong) {
    const run = findRun(position);
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

const MAX_INSERTED = 0x7f;
const MAX_COPY_INSTRUCTION = 8;
const MAX_SIZE_BYTES = 8;

/** Writes instructions in the order of the target. Bytes that no copy covers are inserted. */
class DeltaWriter {
  readonly #target: Uint8Array;
  readonly #mostBytes: number;
  #bytes = new Uint8Array(256);
  #length = 0;
  #covered = 0;

  constructor(baseLength: number, target: Uint8Array, mostBytes: number) {
    this.#target = target;
    this.#mostBytes = mostBytes;
    this.#size(baseLength);
    this.#size(target.length);
  }

  get isTooLong(): boolean {
    return this.#length > this.#mostBytes;
  }

  /** The number of uncovered bytes before `position` by which the run can begin earlier. */
  extendBack(base: Uint8Array, from: number, position: number): number {
    const most = Math.min(from, position - this.#covered);
    let before = 0;
    while (before < most && base[from - before - 1] === this.#target[position - before - 1]) before += 1;
    return before;
  }

  copy(from: number, position: number, length: number): void {
    this.#insertUntil(position);
    for (let copied = 0; copied < length; ) {
      const size = Math.min(length - copied, MAX_COPIED);
      this.#copyInstruction(from + copied, size);
      copied += size;
    }
    this.#covered = position + length;
  }

  finish(): Uint8Array | null {
    this.#insertUntil(this.#target.length);
    return this.isTooLong ? null : this.#bytes.slice(0, this.#length);
  }

  /** Up to four bytes give the offset and three the size. Zero bytes are left out. */
  #copyInstruction(from: number, size: number): void {
    this.#reserve(MAX_COPY_INSTRUCTION);
    const instructionAt = this.#length;
    this.#push(0);
    let mask = 0;
    for (let bit = 0; bit < 7; bit += 1) {
      const byte = (bit < 4 ? from >>> (8 * bit) : size >>> (8 * (bit - 4))) & 0xff;
      if (byte === 0) continue;
      mask |= 1 << bit;
      this.#push(byte);
    }
    this.#bytes[instructionAt] = 0x80 | mask;
  }

  #insertUntil(end: number): void {
    for (let position = this.#covered; position < end && !this.isTooLong; position += MAX_INSERTED) {
      const inserted = this.#target.subarray(position, Math.min(position + MAX_INSERTED, end));
      this.#reserve(1 + inserted.length);
      this.#push(inserted.length);
      this.#bytes.set(inserted, this.#length);
      this.#length += inserted.length;
    }
    this.#covered = end;
  }

  /** 7 bits a byte, the lowest first. */
  #size(value: number): void {
    this.#reserve(MAX_SIZE_BYTES);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#push((rest & 0x7f) | 0x80);
    this.#push(rest);
  }

  /** Appends a byte; the room is reserved already. */
  #push(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
