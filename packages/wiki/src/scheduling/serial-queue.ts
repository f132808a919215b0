/** Runs jobs one after another, in the given order. A failed job does not keep the next one from running. */
export type SerialQueue = <T>(job: () => Promise<T>) => Promise<T>;

export function openSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job, job);
    // The caller gets the error. Here only the end of the job counts.
    last = result.catch(() => undefined);
    return result;
  };
}
