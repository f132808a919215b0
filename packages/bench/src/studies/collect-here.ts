import type { ZodType } from 'zod';
import { type Journal, openJournal } from './journal.ts';
import type { Job } from './study.ts';
import type { Surroundings } from './surroundings.ts';

/** Measures from this process what the file of results lacks: opens a target, and closes it however that ends. */
export async function collectHere<
  Plan,
  Entry extends { step: string },
  Target extends { close(): Promise<void> },
>(
  { file, head, options, plan }: Job<Plan>,
  entry: ZodType<Entry>,
  collect: Collect<Plan, Entry, Target>,
  open: () => Promise<Target>,
  surroundings: Surroundings,
): Promise<void> {
  const journal = openJournal(file, entry, head);
  const target = await open();
  try {
    await collect(options.rounds, plan, target, journal, surroundings);
  } finally {
    await target.close();
  }
}

type Collect<Plan, Entry extends { step: string }, Target> = (
  rounds: number,
  plan: Plan,
  target: Target,
  journal: Journal<Entry>,
  surroundings: Surroundings,
) => Promise<void>;
