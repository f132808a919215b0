/** Why a delta cannot be applied; the caller knows which pack it came from. */
export class DeltaError extends Error {}

const MOST_BYTES = 2 ** 32;

/** Builds an object from the one it was stored as a difference to. Throws DeltaError. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const reader = new DeltaReader(delta);
  if (reader.size() !== base.length) throw new DeltaError('the delta is for another base');
  const size = reader.size();
  if (size > MOST_BYTES) throw new DeltaError('the delta makes an object that is too large');
  const result = new Uint8Array(size);
  let written = 0;
  while (!reader.atEnd()) {
    const part = reader.instruction(base);
    if (written + part.length > result.length) throw new DeltaError('the delta gives too many bytes');
    result.set(part, written);
    written += part.length;
  }
  if (written !== result.length) throw new DeltaError('the delta gives too few bytes');
  return result;
}

class DeltaReader {
  readonly #delta: Uint8Array;
  #position = 0;

  constructor(delta: Uint8Array) {
    this.#delta = delta;
  }

  atEnd(): boolean {
    return this.#position >= this.#delta.length;
  }

  /** A length: 7 bits a byte, the lowest first. Multiplies, as a shift would overflow at 2 GB. */
  size(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if ((byte & 0x80) === 0) return value;
    }
  }

  /** The bytes that the next instruction adds: a copy from the base or an insertion. */
  instruction(base: Uint8Array): Uint8Array {
    const opcode = this.#byte();
    if (opcode & 0x80) {
      const offset = this.#littleEndian(opcode, 4);
      const length = this.#littleEndian(opcode >> 4, 3) || 0x10000;
      if (offset + length > base.length) throw new DeltaError('the delta copies from beyond its base');
      return base.subarray(offset, offset + length);
    }
    if (opcode === 0) throw new DeltaError('the delta holds an unknown instruction');
    const end = this.#position + opcode;
    if (end > this.#delta.length) throw new DeltaError('the delta ends too early');
    const inserted = this.#delta.subarray(this.#position, end);
    this.#position = end;
    return inserted;
  }

  /** A number of which only the bytes are stored whose bit is set in `present`. */
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
