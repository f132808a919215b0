import { z } from 'zod';
import { phase0Call } from './target.ts';

/** `empty` is a Node function that does nothing: it shows what the runtime itself costs. */
export const systems = ['ours', 'dulwich', 'empty'] as const;
export type System = (typeof systems)[number];

export const kinds = ['cold', 'read', 'write', 'reads', 'writes'] as const;
export type Kind = (typeof kinds)[number];

/** One step of phase 0: one call, or a round of simultaneous ones. */
export const phase0Entry = z.object({
  step: z.string(),
  time: z.iso.datetime(),
  system: z.enum(systems),
  kind: z.enum(kinds),
  calls: z.array(phase0Call),
  /** The message of each failed simultaneous call. */
  errors: z.array(z.string()),
  /** The number of simultaneous writes that were in the newest commit afterwards. */
  landed: z.int().optional(),
});
export type Phase0Entry = z.infer<typeof phase0Entry>;

/** The number of steps of each kind in one round. */
export interface Phase0Plan {
  readonly colds: number;
  readonly reads: number;
  readonly writes: number;
  readonly readers: { readonly rounds: number; readonly atOnce: number };
  readonly writers: { readonly rounds: number; readonly atOnce: number };
}

export const publishedPlan: Phase0Plan = {
  colds: 5,
  reads: 25,
  writes: 25,
  readers: { rounds: 5, atOnce: 3 },
  writers: { rounds: 3, atOnce: 5 },
};
