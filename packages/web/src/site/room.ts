import { WikiError } from '@pagetree/wiki/contract';

/** A part of a room that a request has taken. */
export interface Share {
  /** Gives back all but `amount`. */
  keep(amount: number): void;
}

/** A bounded amount of something, such as memory, that all requests share. */
export class Room {
  readonly #size: number;
  #left: number;
  /** In the order in which they came. */
  readonly #waiting = new Map<() => void, number>();

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /**
   * Takes a share as soon as there is room for it; one larger than the room waits until it has the room for itself. Small
   * ones pass large ones by. Throws `busy` if too many requests wait, or if this one ends first.
   */
  async take(amount: number, signal: AbortSignal): Promise<Share> {
    const wanted = Math.min(amount, this.#size);
    if (wanted > this.#left) await this.#wait(wanted, signal);
    else this.#left -= wanted;
    return this.#share(wanted);
  }

  /** Takes a share, or throws `busy` if there is no room for it now. */
  takeIfFree(amount: number): Share {
    const wanted = Math.min(amount, this.#size);
    if (wanted > this.#left) throw tooMany();
    this.#left -= wanted;
    return this.#share(wanted);
  }

  #share(amount: number): Share {
    let taken = amount;
    return {
      keep: (less) => {
        const kept = Math.min(taken, less);
        this.#left += taken - kept;
        taken = kept;
        this.#letIn();
      },
    };
  }

  #wait(wanted: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING || signal.aborted) throw tooMany();
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(enter);
        reject(tooMany());
      };
      this.#waiting.set(enter, wanted);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #letIn(): void {
    for (const [enter, wanted] of this.#waiting) {
      if (wanted > this.#left) continue;
      this.#left -= wanted;
      this.#waiting.delete(enter);
      enter();
    }
  }
}

/** A browser sends six requests at once. */
const MAX_WAITING = 100;

function tooMany(): WikiError {
  return new WikiError('busy', {
    happened: 'Too many pages or large files are read at once.',
    now: 'Nothing was read.',
    next: 'Wait a moment and try again.',
  });
}
