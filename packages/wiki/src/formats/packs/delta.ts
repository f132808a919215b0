/** Thrown if a delta cannot be applied. The caller knows which pack it came from. */
export class DeltaError extends Error {}

/** The limit for a repair. Readers have lower ones. */
const MAX_BYTES = 2 ** 31;

/** Builds an object from its delta and the base. Throws DeltaError. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const reader = new DeltaReader(delta);
  if (reader.size() !== base.length) throw new DeltaError('the delta is for another base');
  const size = reader.size();
  if (!(size <= MAX_BYTES)) throw new DeltaError('the delta makes an object that is too large');
  const result = new Uint8Array(size);
  let written = 0;
  while (!reader.atEnd()) written += reader.instruction(base, result, written);
  if (written !== result.length) throw new DeltaError('the delta gives too few bytes');
  return result;
}

/** The sizes in bytes of the base and of the result, as the delta declares them. Throws DeltaError. */
export function deltaSizes(delta: Uint8Array): { base: number; result: number } {
  const reader = new DeltaReader(delta);
  return { base: reader.size(), result: reader.size() };
}

/**
 * A hostile delta consists of short copies only: a view of the bytes for each would take ten times as long.
 */
function copy(from: Uint8Array, start: number, length: number, to: Uint8Array, at: number): number {
  if (at + length > to.length) throw new DeltaError('the delta gives too many bytes');
  if (length > SHORT_BYTES) to.set(from.subarray(start, start + length), at);
  else for (let index = 0; index < length; index += 1) to[at + index] = from[start + index] ?? 0;
  return length;
}

const SHORT_BYTES = 32;

class DeltaReader {
  readonly #delta: Uint8Array;
  #position = 0;

  constructor(delta: Uint8Array) {
    this.#delta = delta;
  }

  atEnd(): boolean {
    return this.#position >= this.#delta.length;
  }

  /** A length: 7 bits a byte, the lowest first. Multiplies, as a shift would overflow from 2 GB on. */
  size(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if ((byte & 0x80) === 0) return value;
    }
  }

  /**
   * Executes the next instruction, a copy from the base or an insertion. Returns the number of bytes it adds.
   */
  instruction(base: Uint8Array, result: Uint8Array, at: number): number {
    const opcode = this.#byte();
    if (opcode & 0x80) {
      const offset = this.#littleEndian(opcode, 4);
      const length = this.#littleEndian(opcode >> 4, 3) || 0x10000;
      if (offset + length > base.length) throw new DeltaError('the delta copies from beyond its base');
      return copy(base, offset, length, result, at);
    }
    if (opcode === 0) throw new DeltaError('the delta holds an unknown instruction');
    const end = this.#position + opcode;
    if (end > this.#delta.length) throw new DeltaError('the delta ends too early');
    const inserted = copy(this.#delta, this.#position, opcode, result, at);
    this.#position = end;
    return inserted;
  }

  /** A number that stores only the bytes whose bits are set in `present`. */
  #littleEndian(present: number, most: number): number {
    let value = 0;
    for (let index = 0; index < most; index += 1) {
      if (present & (1 << index)) value += this.#byte() * 256 ** index;
    }
    return value;
  }

  #byte(): number {
    const byte = this.#delta[this.#position];
    if (byte === undefined) throw new DeltaError('the delta ends too early');
    this.#position += 1;
    return byte;
  }
}
