import { WikiError } from '@pagetree/wiki/contract';

/** The clones and fetches that are answered at once. Each holds a part of its pack in memory. */
export class Turns {
  #all = 0;
  readonly #ofPeople = new Map<string, number>();

  /** Returns what gives the turn back, once. Throws `busy` if all are taken, or all that one person may take. */
  take(person: string | null): () => void {
    const own = person === null ? 0 : (this.#ofPeople.get(person) ?? 0);
    if (this.#all >= MAX_AT_ONCE || own >= MAX_OF_ONE) throw tooMany();
    this.#count(person, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#count(person, -1);
      isTaken = false;
    };
  }

  #count(person: string | null, change: 1 | -1): void {
    this.#all += change;
    if (person === null) return;
    const own = (this.#ofPeople.get(person) ?? 0) + change;
    if (own === 0) this.#ofPeople.delete(person);
    else this.#ofPeople.set(person, own);
  }
}

function tooMany(): WikiError {
  return new WikiError('busy', {
    happened: 'Too many clones and fetches run at once.',
    now: 'Nothing was sent.',
    next: 'Wait a moment and try again.',
  });
}

const MAX_AT_ONCE = 16;
/** One person leaves turns to the others. */
const MAX_OF_ONE = 4;
