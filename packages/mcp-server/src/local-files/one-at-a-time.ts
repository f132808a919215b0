/** A function that runs work one piece after another, in the order in which it came. */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The caller gets an error through `result`; the next piece of work runs in any case.
    last = result.catch(() => undefined);
    return result;
  };
}
