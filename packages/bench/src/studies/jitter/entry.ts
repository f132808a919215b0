import { z } from 'zod';
import { jitterRecord, publishedSizes } from './record.ts';

/** One step of the study: one read. */
export const jitterEntry = jitterRecord.extend({ step: z.string() });
export type JitterEntry = z.infer<typeof jitterEntry>;

export interface JitterPlan {
  readonly sizes_mib: readonly [number, ...number[]];
}

export const publishedPlan: JitterPlan = { sizes_mib: publishedSizes };
