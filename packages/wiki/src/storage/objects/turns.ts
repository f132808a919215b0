import { setImmediate } from 'node:timers/promises';

/** Keeps long work that nobody waits for from holding up everyone else in the process. */
export class Turns {
  #began = performance.now();

  /** Lets others go first where the work took a turn since they last did. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#began < TURN_MS) return;
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Short beside a write, of which each of several steps may have to wait for one. */
const TURN_MS = 1;
