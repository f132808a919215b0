import { randomUUID } from 'node:crypto';
import type { Journal } from '../journal.ts';
import { runSteps, type Step } from '../run-steps.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Kind, kinds, type Phase0Entry, type Phase0Plan, type System } from './entry.ts';
import type { Phase0Call, Phase0Target } from './target.ts';

export interface Phase0System {
  readonly name: System;
  /** The kinds to measure; all by default. */
  readonly kinds?: readonly Kind[];
  open(): Promise<Phase0Target>;
}

type Measured = Pick<Phase0Entry, 'calls' | 'errors' | 'landed'>;

/** Measures what the journal lacks, one system after another; each is opened when it is needed, and closed. */
export async function collectPhase0(
  rounds: number,
  plan: Phase0Plan,
  systems: readonly Phase0System[],
  journal: Journal<Phase0Entry>,
  surroundings: Surroundings,
): Promise<void> {
  for (const system of systems) {
    const opened = openLate(system.open);
    try {
      await runSteps(stepsOf(system, rounds, plan, opened), journal, surroundings);
    } finally {
      await opened.close();
    }
  }
}

function stepsOf(
  { name: system, kinds: measured = kinds }: Phase0System,
  rounds: number,
  plan: Phase0Plan,
  { warm, any }: LateTarget,
) {
  const steps: Step<Phase0Entry>[] = [];
  const { readers, writers } = plan;
  const add = (round: number, kind: Kind, count: number, measure: () => Promise<Measured>) => {
    for (let number = 1; measured.includes(kind) && number <= count; number += 1) {
      const run = async () => ({ time: new Date().toISOString(), system, kind, ...(await measure()) });
      steps.push({ name: `${system}, round ${round}, ${labels[kind]} ${number}`, run });
    }
  };
  for (let round = 1; round <= rounds; round += 1) {
    add(round, 'cold', plan.colds, async () => {
      const target = await any();
      await target.forceCold();
      return one(await target.initCommitReadLog(newName()));
    });
    add(round, 'read', plan.reads, async () => one(await (await warm()).read()));
    add(round, 'write', plan.writes, async () => one(await (await warm()).initAndCommit(newName())));
    add(round, 'reads', readers.rounds, async () => {
      const target = await warm();
      return together(readers.atOnce, () => target.read());
    });
    add(round, 'writes', writers.rounds, async () => {
      const target = await warm();
      const paths = Array.from({ length: writers.atOnce }, newName);
      const measured = await together(writers.atOnce, (index) => target.commit(paths[index] ?? ''));
      return { ...measured, landed: (await target.landed(paths)).length };
    });
  }
  return steps;
}

const labels: Record<Kind, string> = {
  cold: 'cold start',
  read: 'warm read',
  write: 'warm write',
  reads: 'simultaneous reads',
  writes: 'simultaneous writes',
};

interface LateTarget {
  any(): Promise<Phase0Target>;
  /** One that has read and written once in this run, which is not measured: a break may have cooled it. */
  warm(): Promise<Phase0Target>;
  close(): Promise<void>;
}

function openLate(open: () => Promise<Phase0Target>): LateTarget {
  let opened: Promise<Phase0Target> | null = null;
  let warmed: Promise<Phase0Target> | null = null;
  const any = () => {
    opened ??= open();
    return opened;
  };
  const warmUp = async () => {
    const target = await any();
    await target.read();
    await target.initAndCommit(newName());
    await target.commit(newName());
    return target;
  };
  return {
    any: () => {
      // A cold start leaves a new environment behind.
      warmed = null;
      return any();
    },
    warm: () => {
      warmed ??= warmUp();
      return warmed;
    },
    close: async () => {
      await (await opened)?.close();
    },
  };
}

function one(call: Phase0Call): Measured {
  return { calls: [call], errors: [] };
}

/** Calls that begin at once; one that fails is reported beside the others. */
async function together(count: number, call: (index: number) => Promise<Phase0Call>): Promise<Measured> {
  const settled = await Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));
  return {
    calls: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    errors: settled.flatMap((each) => (each.status === 'rejected' ? [messageOf(each.reason)] : [])),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A name that nobody has used, for a repository or a page. */
function newName(): string {
  return `phase0-${randomUUID()}`;
}
