import type { Service, Store } from '../studies/jitter/record.ts';
import { RESULTS } from './stack/names.ts';

/** From when to when reads are scheduled, in UTC, as 2026-11-21T04:00:00Z. */
export interface Month {
  readonly from: string;
  readonly to: string;
}

/** One read an hour. */
export interface Slot {
  readonly service: Service;
  readonly store: Store;
  /** The minute of the hour. */
  readonly minute: number;
}

/** A quarter of an hour apart, so that no two of them read at once. */
export const slots: readonly Slot[] = [
  { service: 'lambda', store: 'efs', minute: 0 },
  { service: 'fargate', store: 'efs', minute: 15 },
  { service: 'lambda', store: 's3', minute: 30 },
  { service: 'fargate', store: 's3', minute: 45 },
];

const HOUR_MS = 3_600_000;
const DAYS = 30;
/** A read that has not written its record by then is counted as missed. */
const LATE_MS = 30 * 60_000;

/** Thirty days from the next full hour but one: the stack needs some minutes to be made. */
export function monthFrom(now: Date): Month {
  const from = (Math.floor(now.getTime() / HOUR_MS) + 2) * HOUR_MS;
  return { from: inSeconds(from), to: inSeconds(from + DAYS * 24 * HOUR_MS) };
}

/**
 * The key of a scheduled read's record. The same read gets the same key, so that a repeated one counts once.
 */
export function scheduledKey(service: Service, store: Store, time: string): string {
  return `${RESULTS}scheduled/${service}-${store}/${time}.json`;
}

export interface Missed {
  readonly slot: Slot;
  readonly time: string;
}

/** The reads that should have left a record by `now` and have left none. @param keys of all records that there are. */
export function missedReads(month: Month, keys: ReadonlySet<string>, now: Date): Missed[] {
  const end = Math.min(Date.parse(month.to), now.getTime() - LATE_MS);
  const missed: Missed[] = [];
  for (let hour = Date.parse(month.from); hour < end; hour += HOUR_MS) {
    for (const slot of slots) {
      const due = hour + slot.minute * 60_000;
      const time = inSeconds(due);
      if (due <= end && !keys.has(scheduledKey(slot.service, slot.store, time))) missed.push({ slot, time });
    }
  }
  return missed;
}

/** As EventBridge writes times: without a fraction. */
function inSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
