import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { jitterRecord } from '../studies/jitter/record.ts';
import { readLogLines } from '../studies/log-lines.ts';
import type { Aws } from './aws.ts';
import { type Month, missedReads } from './month.ts';
import { listObjects, readObject } from './objects.ts';
import { RESULTS, STACK } from './stack/names.ts';
import { findStack, outputsOf } from './stacks.ts';
import type { Talk } from './talk.ts';

/** A line of the file that results are brought to: a record, and the place where it was found. */
const collectedLine = jitterRecord.extend({ key: z.string() });

/**
 * Brings every record that is in the bucket and not in `file` yet, a line each. It can be broken off and repeated.
 * @returns how many came, and which scheduled reads left none.
 */
export async function collect(
  aws: Aws,
  file: string,
  now: Date,
  { say }: Pick<Talk, 'say'>,
): Promise<string> {
  mkdirSync(dirname(file), { recursive: true });
  const known = keysIn(file);
  const keys = (await listObjects(aws, RESULTS)).map(({ key }) => key);
  const fresh = keys.filter((key) => !known.has(key)).toSorted();
  const broken: string[] = [];
  for (const [index, key] of fresh.entries()) {
    const text = await readObject(aws, key);
    const record = text === null ? null : parsed(text);
    if (record === null) broken.push(key);
    else appendFileSync(file, `${JSON.stringify({ ...record, key })}\n`);
    if ((index + 1) % 100 === 0) say(`${index + 1} of ${fresh.length} records are here.`);
  }
  const came = fresh.length - broken.length;
  return [
    `Records that came: ${came}; that were here before: ${known.size}. They are in ${file}`,
    ...broken.map((key) => `${key} is no record of a read and was left out.`),
    ...describeMissed(await monthOf(aws), new Set(keys), now),
  ].join('\n');
}

/** The month that is scheduled, or null. */
export async function monthOf(aws: Aws): Promise<Month | null> {
  const stack = await findStack(aws, STACK);
  const { ScheduledFrom: from, ScheduledTo: to } = stack === null ? {} : outputsOf(stack);
  return from && to ? { from, to } : null;
}

/** A sentence on each service and store whose scheduled reads left no record. */
export function describeMissed(month: Month | null, keys: ReadonlySet<string>, now: Date): string[] {
  if (month === null) return [];
  const missed = missedReads(month, keys, now);
  const bySlot = Map.groupBy(missed, ({ slot }) => `${slot.service} from ${slot.store}`);
  return [...bySlot].map(([slot, reads]) => {
    const [first, last] = [reads[0]?.time, reads.at(-1)?.time];
    const when = reads.length === 1 ? `of ${first} left` : `from ${first} to ${last} left`;
    return `${reads.length} scheduled ${reads.length === 1 ? 'read' : 'reads'} in ${slot} ${when} no record: the schedule missed or the read failed. The logs below /aws/ in CloudWatch say which; the others are not touched by it.`;
  });
}

function keysIn(file: string): Set<string> {
  if (!existsSync(file)) return new Set();
  const bytes = readFileSync(file);
  // A line without its end was not finished when the program ended; its record is brought again.
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  if (whole.byteLength < bytes.byteLength) truncateSync(file, whole.byteLength);
  return new Set(readLogLines(whole.toString(), collectedLine).entries.map(({ key }) => key));
}

function parsed(text: string): z.infer<typeof jitterRecord> | null {
  const [record] = readLogLines(text, jitterRecord).entries;
  return record ?? null;
}
