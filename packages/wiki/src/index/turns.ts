/** Runs one piece of work after another, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // The next one waits for the end of this one, whatever the end; who called learns of a failure by `result`.
    this.#last = result.catch(() => {});
    return result;
  }
}
