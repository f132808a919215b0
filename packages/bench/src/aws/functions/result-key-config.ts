import { z } from 'zod';

const withKey = z.object({ key: z.string().min(1) });

/** Where the function's record goes: `key` of its event, beside what `jitterRequest` takes. */
export function keyOfEvent(event: unknown): string {
  return withKey.parse(event).key;
}

/** Where the task's record goes: the environment variable PROBE_RESULT_KEY. */
export function keyOfTask(): string {
  return withKey.parse({ key: process.env.PROBE_RESULT_KEY }).key;
}
