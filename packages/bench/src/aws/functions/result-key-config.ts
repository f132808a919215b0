import { z } from 'zod';

const withKey = z.object({ key: z.string().min(1) });

/** The key of the function's record: `key` of its event, besides the fields of `jitterRequest`. */
export function keyOfEvent(event: unknown): string {
  return withKey.parse(event).key;
}

/** The key of the task's record: the environment variable PROBE_RESULT_KEY. */
export function keyOfTask(): string {
  return withKey.parse({ key: process.env.PROBE_RESULT_KEY }).key;
}
