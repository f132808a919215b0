import { z } from 'zod';
import { jitterRecord, publishedSizes } from './record.ts';

/** One step of the study: one read. */
export const jitterEntry = jitterRecord.extend({ step: z.string() });
export type JitterEntry = z.infer<typeof jitterEntry>;

export interface JitterPlan {
  readonly sizes_mib: readonly [number, ...number[]];
  readonly bursts: Burst;
}

/** So many tasks at once, each reading a file of this size from EFS, after every so many rounds. */
export interface Burst {
  readonly tasks: number;
  readonly size_mib: number;
  readonly everyRounds: number;
}

/** A burst of tasks made the authors of the published study look. Its number is not known here: ten is our choice. */
const publishedBurst: Burst = { tasks: 10, size_mib: 500, everyRounds: 10 };

export const publishedPlan: JitterPlan = { sizes_mib: publishedSizes, bursts: publishedBurst };
