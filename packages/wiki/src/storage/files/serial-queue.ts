/** Runs jobs one after another, in the order given; one that fails does not keep the next from running. */
export type SerialQueue = <T>(job: () => Promise<T>) => Promise<T>;

export function openSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job, job);
    // Its caller is told; here only its end counts.
    last = result.catch(() => undefined);
    return result;
  };
}
