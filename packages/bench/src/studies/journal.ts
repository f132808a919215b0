import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type LogLines, readLogLines } from './log-lines.ts';
import { StudyError } from './study-error.ts';

/** The first line of a file of results: what was measured. */
const journalHead = z.object({
  study: z.string(),
  target: z.string(),
  began: z.iso.datetime(),
  /** The place of the measurement, in words. */
  machine: z.string().optional(),
  /** Whatever makes results comparable: results of other parameters do not go into one file. */
  parameters: z.record(z.string(), z.unknown()),
});
export type JournalHead = z.infer<typeof journalHead>;

export interface Journal<Entry extends { step: string }> extends LogLines<Entry> {
  readonly head: JournalHead;
  has(step: string): boolean;
  append(entry: Entry): void;
}

/**
 * Opens a file of results, one step a line, or begins one. Each line is on the disk before the next step is begun, so
 * that a study that ended anywhere goes on where it was.
 * @throws StudyError `other_results` if the file holds those of something else, or another process writes into it.
 */
export function openJournal<Entry extends { step: string }>(
  file: string,
  schema: z.ZodType<Entry>,
  wanted: Omit<JournalHead, 'began'>,
): Journal<Entry> {
  if (!existsSync(file)) {
    const head = { ...wanted, began: new Date().toISOString() };
    writeFileSync(file, `${JSON.stringify(head)}\n`, { flush: true });
  }
  const bytes = readFileSync(file);
  // The step of a line without its end was not finished: it is done again.
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  if (whole.byteLength < bytes.byteLength) truncateSync(file, whole.byteLength);
  const { head, entries, broken } = parseJournal(whole.toString(), schema);
  if (head === null)
    throw new StudyError('other_results', `${file} does not begin as a file of results does.`);
  if (!sameStudy(head, wanted)) {
    throw new StudyError(
      'other_results',
      `${file} holds results of another study, target or size. Name another directory with --out, or remove the file.`,
    );
  }
  const kept = [...entries];
  let size = whole.byteLength;
  const steps = new Set(kept.map(({ step }) => step));
  return {
    head,
    entries: kept,
    broken,
    has: (step) => steps.has(step),
    append: (entry) => {
      if (statSync(file).size !== size) throw changed(file);
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      appendFileSync(file, line, { flush: true });
      size += line.byteLength;
      kept.push(entry);
      steps.add(entry.step);
    },
  };
}

/** The content of a results file; without a head it is a bare log, or empty. */
export function parseJournal<Entry>(
  text: string,
  schema: z.ZodType<Entry>,
): LogLines<Entry> & { readonly head: JournalHead | null } {
  const [first = ''] = text.split('\n', 1);
  const { entries: heads } = readLogLines(first, journalHead);
  const head = heads[0] ?? null;
  // The head's own line stays, empty, so that lines are numbered as in the file.
  return { head, ...readLogLines(head === null ? text : text.slice(first.length), schema) };
}

/** Two that measure the same would do each step twice. */
function changed(file: string): StudyError {
  return new StudyError(
    'other_results',
    `Another process writes into ${file}. Let one of the two end, then run the command again.`,
  );
}

function sameStudy(head: JournalHead, { study, target, parameters }: Omit<JournalHead, 'began'>): boolean {
  const serialized = (parts: unknown[]) => JSON.stringify(parts);
  return (
    serialized([head.study, head.target, head.parameters]) ===
    serialized([study, target, JSON.parse(JSON.stringify(parameters))])
  );
}
