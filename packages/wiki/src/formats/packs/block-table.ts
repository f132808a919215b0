export const BLOCK_BYTES = 16;
/** The maximum number of bytes that one instruction of a delta can copy. */
export const MAX_COPIED = 0xff_ff_ff;

/** A run of equal bytes in the base of a delta and in the target. */
interface Run {
  from: number;
  length: number;
}

/**
 * The positions of the base's consecutive blocks: any run as long as two blocks contains one. A hash table of
 * numbers, since a map of strings and lists would be many times as large as the base itself.
 */
export class BlockTable {
  readonly #base: Uint8Array;
  /** By slot: the first block in it, counted from one, or zero. */
  readonly #firstInSlot: Int32Array;
  /** By block: the next block in the same slot, counted from one, or zero. */
  readonly #nextInSlot: Int32Array;
  readonly #shift: number;

  constructor(base: Uint8Array) {
    const blocks = Math.floor(base.length / BLOCK_BYTES);
    const slotBits = 1 + Math.ceil(Math.log2(blocks + 1));
    this.#base = base;
    this.#firstInSlot = new Int32Array(2 ** slotBits);
    this.#nextInSlot = new Int32Array(blocks + 1);
    this.#shift = 32 - slotBits;
    const view = viewOf(base);
    for (let block = 1; block <= blocks; block += 1) this.#add(view, block);
  }

  /**
   * Returns a function that finds, for a position in `target`, the longest run of the base that begins with
   * the block there; the first one of equals.
   */
  searchFor(target: Uint8Array): (position: number) => Run | null {
    const view = viewOf(target);
    return (position) => {
      let longest: Run | null = null;
      let block = this.#firstInSlot[this.#slotOf(view, position)] ?? 0;
      for (; block !== 0; block = this.#nextInSlot[block] ?? 0) {
        const from = placeOf(block);
        const length = commonLength(this.#base, from, target, position);
        if (length >= BLOCK_BYTES && length > (longest?.length ?? 0)) longest = { from, length };
      }
      return longest;
    };
  }

  /** Adds at the end of its slot, so that the first places are found first. */
  #add(view: DataView, added: number): void {
    const slot = this.#slotOf(view, placeOf(added));
    let last = 0;
    let equal = 0;
    let inSlot = 0;
    for (let block = this.#firstInSlot[slot] ?? 0; block !== 0; block = this.#nextInSlot[block] ?? 0) {
      if (isSameBlock(view, placeOf(block), placeOf(added))) equal += 1;
      inSlot += 1;
      last = block;
    }
    if (equal >= MAX_PLACES || inSlot >= MAX_IN_SLOT) return;
    if (last === 0) this.#firstInSlot[slot] = added;
    else this.#nextInSlot[last] = added;
  }

  #slotOf(view: DataView, position: number): number {
    let hash = 0;
    for (let at = position; at < position + BLOCK_BYTES; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), HASH_FACTOR);
      hash ^= hash >>> 15;
    }
    return Math.imul(hash, HASH_FACTOR) >>> this.#shift;
  }
}

/** The number of places at which a frequent block, such as blanks, is tried. */
const MAX_PLACES = 8;
/**
 * Far more blocks than share a slot by chance: it bounds the time for a page that was made up to fill one
 * slot.
 */
const MAX_IN_SLOT = 128;
/** Odd, and near 2 ** 32 divided by the golden ratio: it spreads similar values. */
const HASH_FACTOR = 0x9e3779b1;

function placeOf(block: number): number {
  return (block - 1) * BLOCK_BYTES;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isSameBlock(view: DataView, one: number, other: number): boolean {
  for (let at = 0; at < BLOCK_BYTES; at += 4) {
    if (view.getInt32(one + at) !== view.getInt32(other + at)) return false;
  }
  return true;
}

function commonLength(base: Uint8Array, from: number, target: Uint8Array, position: number): number {
  const most = Math.min(base.length - from, target.length - position, MAX_COPIED);
  let length = 0;
  while (length < most && base[from + length] === target[position + length]) length += 1;
  return length;
}
