/** A second signal finds no listener and ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => resolve());
  });
}

/** Aborts when the process gets a signal to stop. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  return stop.signal;
}
