import { z } from 'zod';

/** The services in which the probe runs, and the stores from which it reads. */
export const services = ['lambda', 'fargate'] as const;
export const stores = ['efs', 's3'] as const;
export type Service = (typeof services)[number];
export type Store = (typeof stores)[number];

/** Tasks that are started at once, as `tasks` of them, each to read the same file. */
const burst = z.object({ id: z.string(), tasks: z.int().positive() });

/** One read of one file from a cold start: a line of the probe's log, and of the study's results. */
export const jitterRecord = z.object({
  /** When the read began. */
  time: z.iso.datetime({ offset: true }),
  service: z.enum(services),
  store: z.enum(stores),
  size_mib: z.number().positive(),
  /** From opening the file, or asking for the object, to its last byte. */
  duration_ms: z.number().positive(),
  mib_per_s: z.number().positive(),
  /** True if nothing ran in this process before. */
  cold: z.boolean(),
  /** The execution environment or task. */
  instance: z.string(),
  /** The operating system and Node, which logs of earlier probes do not have. */
  system: z.string().optional(),
  burst: burst.optional(),
});
export type JitterRecord = z.infer<typeof jitterRecord>;

/** The request to the probe: the function gets it by its event, the task by its environment variables. */
export const jitterRequest = z.object({
  store: z.enum(stores),
  /** The sizes to choose from at random; there is a file of each, named by `fileOf`. */
  sizes_mib: z.array(z.number().positive()).nonempty(),
  burst: burst.optional(),
});
export type JitterRequest = z.infer<typeof jitterRequest>;

/** The sizes that are read by default. */
export const publishedSizes = [1, 5, 10, 25, 50, 100, 200, 300, 400, 500, 750, 1000] as const;

/** The name of the file, below the directory or in the bucket. */
export function fileOf(sizeMib: number): string {
  return `${sizeMib}-MiB.bin`;
}
