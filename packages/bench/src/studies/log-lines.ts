import type { z } from 'zod';

/** A line that is no record: its number from 1, and why. */
export interface BrokenLine {
  readonly number: number;
  readonly reason: string;
}

export interface LogLines<Entry> {
  readonly entries: readonly Entry[];
  readonly broken: readonly BrokenLine[];
}

/** Reads a log of one JSON record a line. Empty lines are nothing; a broken one is reported, and the rest is read. */
export function readLogLines<Entry>(text: string, schema: z.ZodType<Entry>): LogLines<Entry> {
  const entries: Entry[] = [];
  const broken: BrokenLine[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const number = index + 1;
    try {
      const parsed = schema.safeParse(JSON.parse(line));
      if (parsed.success) entries.push(parsed.data);
      else broken.push({ number, reason: reasonOf(parsed.error) });
    } catch {
      // Half a line of a process that was killed, or a line of another program: reported with the others.
      broken.push({ number, reason: 'is not JSON' });
    }
  });
  return { entries, broken };
}

function reasonOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');
}
