import { z } from 'zod';

export const modes = ['elastic', 'bursting'] as const;
export type Mode = (typeof modes)[number];

/** The files to write: 10 of each size, sizes in bytes. */
export interface FileSet {
  readonly name: string;
  readonly bytes: number;
  readonly files: number;
}

export const publishedSets: readonly FileSet[] = [
  { name: '1 KB', bytes: 1_000, files: 10 },
  { name: '1 MB', bytes: 1_000_000, files: 10 },
  { name: '100 MB', bytes: 100_000_000, files: 10 },
];

/** The request to the function: to write one set of files. */
export const throughputRequest = z.object({
  bytes: z.int().positive(),
  files: z.int().positive(),
  /** The start of `TokenBucket`. Given only if the limits of a file system are modelled. */
  bucket: z
    .object({ credits_mib: z.number(), baseline_mib_per_s: z.number(), burst_mib_per_s: z.number() })
    .optional(),
});
export type ThroughputRequest = z.infer<typeof throughputRequest>;

/** The answer of the function, which it also logs as one line of JSON. */
export const throughputRecord = z.object({
  /** When the first file was begun. */
  time: z.iso.datetime({ offset: true }),
  bytes: z.int().positive(),
  files: z.int().positive(),
  /** Time for all files together, spent in open, write and close alone. */
  duration_ms: z.number().positive(),
  instance: z.string(),
  /** The credits in the model's bucket afterwards. */
  credits_mib: z.number().optional(),
});
export type ThroughputRecord = z.infer<typeof throughputRecord>;
