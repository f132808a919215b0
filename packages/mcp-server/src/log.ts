/** Writes one message for the people who run the server. */
export type Log = (line: string) => void;

/** A log of one line for each entry, whatever is in it, on a stream that is not the protocol's. */
export function lineLog(stream: NodeJS.WritableStream): Log {
  return (line) => {
    stream.write(`pagetree: ${line.replaceAll(/\s*[\r\n]+\s*/g, ' ')}\n`);
  };
}

/** An error in one line: its message and origin, and those of its causes and, if it stands for several, of their first. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  const causes: unknown[] =
    error instanceof AggregateError ? error.errors.slice(0, MAX_ERRORS) : [error.cause];
  const cause = causes
    .filter((each) => each !== undefined)
    .map((each) => `; caused by ${describeError(each)}`)
    .join('');
  return `${error.message}${place === undefined ? '' : ` (${place.trim()})`}${cause}`;
}

const MAX_ERRORS = 10;
