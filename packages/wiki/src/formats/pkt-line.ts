/** One pkt-line of git's protocols: https://git-scm.com/docs/protocol-common */
export type PktLine =
  | { kind: 'data'; data: Uint8Array }
  /** `0000`, the end of a message; `0001`, the end of a section; `0002`, the end of an answer. */
  | { kind: 'flush' }
  | { kind: 'delim' }
  | { kind: 'end' };

/** Encodes a line of text, to which git's line feed is added, or bytes as they are. */
export function pktLine(content: string | Uint8Array): Buffer {
  const data = typeof content === 'string' ? Buffer.from(`${content}\n`) : content;
  if (data.length > MAX_DATA_BYTES) throw new RangeError(`A pkt-line cannot have ${data.length} bytes.`);
  const length = (data.length + LENGTH_DIGITS).toString(16).padStart(LENGTH_DIGITS, '0');
  return Buffer.concat([Buffer.from(length), data]);
}

export const FLUSH = Buffer.from('0000');
export const DELIM = Buffer.from('0001');

/** Bytes that are no pkt-lines. The message is a sentence. */
export class BrokenPktLine extends Error {}

/** Reads the digits that a pkt-line begins with: the count of the bytes after them, or the kind of a line without data. */
export function readLength(head: Uint8Array): number | Exclude<PktLine['kind'], 'data'> {
  const digits = Buffer.from(head).toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new BrokenPktLine('A pkt-line does not begin with its length.');
  const length = Number.parseInt(digits, 16);
  const special = SPECIAL[length];
  if (special !== undefined) return special;
  if (length < LENGTH_DIGITS || length > MAX_DATA_BYTES + LENGTH_DIGITS)
    throw new BrokenPktLine(`A pkt-line cannot have the length ${digits}.`);
  return length - LENGTH_DIGITS;
}

/** Reads the pkt-lines at the beginning of bytes that anybody may have sent. */
export class PktLines {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Null after the last byte. Throws BrokenPktLine. */
  next(): PktLine | null {
    if (this.#at === this.#bytes.length) return null;
    const start = this.#at + LENGTH_DIGITS;
    const head = readLength(this.#bytes.subarray(this.#at, start));
    if (typeof head !== 'number') {
      this.#at = start;
      return { kind: head };
    }
    const end = start + head;
    if (end > this.#bytes.length) throw new BrokenPktLine('The last pkt-line is cut off.');
    this.#at = end;
    return { kind: 'data', data: this.#bytes.subarray(start, end) };
  }

  /** The bytes after the pkt-lines that were read. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

/** The text of a line, without the line feed at its end, which is optional. */
export function textOf(data: Uint8Array): string {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

const SPECIAL = ['flush', 'delim', 'end'] as const;
/** The digits that each pkt-line begins with. */
export const LENGTH_DIGITS = 4;
const MAX_DATA_BYTES = 65_516;
