import { z } from 'zod';
import { type FileSet, modes, publishedSets, throughputRecord } from './record.ts';

/** One step of the study: one set of files, written by one function. */
export const throughputEntry = throughputRecord.extend({
  step: z.string(),
  mode: z.enum(modes),
  set: z.string(),
});
export type ThroughputEntry = z.infer<typeof throughputEntry>;

export interface ThroughputPlan {
  readonly sets: readonly FileSet[];
  readonly repetitions: number;
  /** Between two repetitions. */
  readonly pause_ms: number;
}

export const publishedPlan: ThroughputPlan = { sets: publishedSets, repetitions: 5, pause_ms: 10_000 };
