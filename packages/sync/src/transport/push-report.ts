import { BrokenPktLine, PktLines, textOf } from '@pagetree/wiki/pkt-line';
import {
  cleanWords,
  RemoteFailure,
  type RemoteFailureCode,
  type RemoteFailureReason,
} from './remote-failure.ts';

/** The report of a push: whether the pack was taken in, and whether the branch moved. */
export class PushReport {
  readonly #ref: string;
  readonly #remote: string;
  readonly #secrets: readonly string[];
  #bytes = Buffer.alloc(0);
  #words = '';

  constructor({ ref, remote, secrets }: { ref: string; remote: string; secrets: readonly string[] }) {
    this.#ref = ref;
    this.#remote = remote;
    this.#secrets = secrets;
  }

  add(piece: Uint8Array): void {
    if (this.#bytes.length + piece.length > MAX_REPORT_BYTES)
      throw new RemoteFailure('too_large', {
        remote: this.#remote,
        reason: 'answer',
        maxBytes: MAX_REPORT_BYTES,
      });
    this.#bytes = Buffer.concat([this.#bytes, piece]);
  }

  /** Keeps what the remote says to people: the reason of a refusal is often only there. */
  say(words: string): void {
    if (this.#words.length < MAX_KEPT_WORDS) this.#words += words;
  }

  get isComplete(): boolean {
    try {
      return this.#lines() !== null;
    } catch {
      return false;
    }
  }

  /** Throws RemoteFailure unless the branch moved. */
  judge(): void {
    const lines = this.#lines();
    if (lines === null) throw this.#failure('broken', 'cut_off');
    const unpacked = lines.find((line) => line.startsWith('unpack '))?.slice('unpack '.length);
    if (unpacked === undefined) throw this.#failure('broken', 'pkt_line');
    const refusal = lines
      .find((line) => line.startsWith(`ng ${this.#ref} `))
      ?.slice(`ng ${this.#ref} `.length);
    if (unpacked !== 'ok') throw this.#failure('refused', 'unpack', unpacked);
    if (refusal !== undefined)
      throw this.#failure(this.#hasMoved(refusal) ? 'moved' : 'refused', undefined, refusal);
    if (!lines.includes(`ok ${this.#ref}`)) throw this.#failure('broken', 'pkt_line');
  }

  /** The lines before the flush; null if there is none yet. */
  #lines(): string[] | null {
    const input = new PktLines(this.#bytes);
    const lines: string[] = [];
    try {
      for (let line = input.next(); line?.kind !== 'flush'; line = input.next()) {
        if (line === null) return null;
        if (line.kind !== 'data') throw this.#failure('broken', 'pkt_line');
        lines.push(textOf(line.data));
      }
    } catch (error) {
      if (error instanceof BrokenPktLine) throw this.#failure('broken', 'pkt_line');
      throw error;
    }
    return lines;
  }

  #hasMoved(refusal: string): boolean {
    if (!MOVED.test(refusal)) return false;
    // Git gives one reason for all troubles with a ref. To fetch again helps only if another push was there first.
    return !LASTING.test(`${refusal} ${this.#words}`);
  }

  #failure(code: RemoteFailureCode, reason?: RemoteFailureReason, said = ''): RemoteFailure {
    const words = cleanWords(`${said} ${this.#words}`, this.#secrets);
    return new RemoteFailure(code, {
      remote: this.#remote,
      ...(reason && { reason }),
      ...(words && { words }),
    });
  }
}

const MOVED =
  /non-fast-forward|fetch first|stale info|failed to (update|lock)|cannot lock ref|unable to lock|incorrect old value|reference already exists|but expected/i;
const LASTING = /permission denied|no space left|read-only file system|cannot create '|disk quota/i;
/** The report is of one branch. */
const MAX_REPORT_BYTES = 10_000;
const MAX_KEPT_WORDS = 4_000;
