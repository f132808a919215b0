/** A line of input without its end, or both ends of one that was too long to keep. */
export type Line = { kind: 'line'; text: string } | { kind: 'too_long'; head: string; tail: string };

/** The number of bytes to keep from each end of a line that is too long: enough to identify its request. */
const endBytes = 1_024;

/**
 * Splits a stream of bytes into lines of UTF-8, and never holds more than `mostBytes` of one, whatever its
 * length.
 */
export class LineSplitter {
  readonly #mostBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #tooLong: { head: Buffer; tail: Buffer } | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The lines that end in this chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#add(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#tooLong !== null) {
      this.#tooLong.tail = Buffer.concat([this.#tooLong.tail, part.subarray(-endBytes)]).subarray(-endBytes);
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#mostBytes) return;
    const line = Buffer.concat(this.#parts);
    // Copies, so that the whole line can be freed.
    this.#tooLong = {
      head: Buffer.from(line.subarray(0, endBytes)),
      tail: Buffer.from(line.subarray(-endBytes)),
    };
    this.#parts = [];
  }

  #take(): Line {
    const tooLong = this.#tooLong;
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#tooLong = null;
    if (tooLong === null) return { kind: 'line', text: line.toString('utf8') };
    return { kind: 'too_long', head: tooLong.head.toString('utf8'), tail: tooLong.tail.toString('utf8') };
  }
}
