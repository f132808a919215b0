import { createHash } from 'node:crypto';
import { CHECKSUM_BYTES } from '@pagetree/wiki/oid';
import { RemoteFailure } from './remote-failure.ts';

/** Collects a pack of bounded size and checks its frame. What is in it is judged by the wiki that takes it. */
export class ReceivedPack {
  readonly #remote: string;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha1');
  /** Grows by doubling: a list of pieces would cost more than a pack of tiny ones. */
  #bytes = Buffer.allocUnsafe(FIRST_ROOM_BYTES);
  #length = 0;
  #hashedBytes = 0;

  constructor({ remote, maxBytes }: { remote: string; maxBytes: number }) {
    this.#remote = remote;
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#maxBytes)
      throw new RemoteFailure('too_large', {
        remote: this.#remote,
        reason: 'pack',
        maxBytes: this.#maxBytes,
      });
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * this.#bytes.length, this.#maxBytes)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
    this.#hashUpTo(length - CHECKSUM_BYTES);
  }

  /** The whole pack; null if it has no objects. Throws RemoteFailure. */
  finish(): Uint8Array | null {
    const pack = this.#bytes.subarray(0, this.#length);
    if (pack.length < HEADER_BYTES + CHECKSUM_BYTES)
      throw this.#broken(pack.length === 0 ? 'no_pack' : 'cut_off');
    const version = pack.readUInt32BE(4);
    if (pack.toString('latin1', 0, 4) !== 'PACK' || version < 2 || version > 3) throw this.#broken('no_pack');
    if (!this.#hash.digest().equals(pack.subarray(-CHECKSUM_BYTES))) throw this.#broken('checksum');
    return pack.readUInt32BE(8) === 0 ? null : pack;
  }

  /** Everything but the checksum at the end counts, and the end is known only when no more bytes come. */
  #hashUpTo(end: number): void {
    if (end <= this.#hashedBytes) return;
    this.#hash.update(this.#bytes.subarray(this.#hashedBytes, end));
    this.#hashedBytes = end;
  }

  #broken(reason: 'no_pack' | 'cut_off' | 'checksum'): RemoteFailure {
    return new RemoteFailure('broken', { remote: this.#remote, reason });
  }
}

const FIRST_ROOM_BYTES = 65_536;
/** `PACK`, the version and the count of objects. */
const HEADER_BYTES = 12;
