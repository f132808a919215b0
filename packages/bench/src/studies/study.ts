import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JournalHead } from './journal.ts';
import { describeMachine } from './machine.ts';
import { type Report, writeReport } from './report/write-report.ts';
import type { Surroundings } from './surroundings.ts';

export const targets = ['local', 'lab', 'aws'] as const;
export type TargetName = (typeof targets)[number];

type OnEachTarget<Value> = Readonly<Record<TargetName, Value>>;

export interface StudyOptions {
  readonly target: TargetName;
  readonly rounds: number;
  /** The directory of results and report, made if it is missing. */
  readonly out: string;
  /** Added to each round trip in the lab. */
  readonly roundTripMs: number;
  /** The place on AWS: the region, undefined for AWS's own settings, and the wiki's stack. */
  readonly aws: { readonly region: string | undefined; readonly stack: string };
}

/** The target of a study, and the place of its results. */
export interface Job<Plan> {
  readonly options: StudyOptions;
  readonly plan: Plan;
  /** Its results: nobody else writes into it. */
  readonly file: string;
  /** The head of the results. */
  readonly head: Omit<JournalHead, 'began'>;
}

export interface Study<Plan> {
  readonly name: string;
  /** Rounds of the whole study, by default. */
  readonly rounds: number;
  readonly plan: Plan;
  /** Measures what the file of results lacks. */
  readonly collect: OnEachTarget<(job: Job<Plan>, surroundings: Surroundings) => Promise<void>>;
  /** The substitutes for AWS, in sentences. */
  readonly standIns: OnEachTarget<readonly string[]>;
  /** The report of a results file. @param command The command that a person types to repeat it. */
  report(text: string, name: string, command: string, standIns: readonly string[]): Promise<Report>;
}

/**
 * Runs a study, or what is left of it, and writes its report.
 * @returns the file of the report.
 * @throws StudyError if it did not come to its end; what was measured is kept.
 */
export async function runStudy<Plan>(
  study: Study<Plan>,
  options: StudyOptions,
  plan: Plan,
  surroundings: Surroundings,
): Promise<string> {
  const out = resolve(options.out);
  await mkdir(out, { recursive: true });
  const name = `${study.name}-${options.target}`;
  const file = join(out, `${name}.ndjson`);
  const { target, roundTripMs } = options;
  const parameters = { plan, ...(target === 'lab' && { round_trip_ms: roundTripMs }) };
  await study.collect[target](
    { options, plan, file, head: { study: study.name, target, machine: describeMachine(), parameters } },
    surroundings,
  );
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const report = await study.report(
    text,
    `${name}.ndjson`,
    commandOf(study, options),
    study.standIns[target],
  );
  return writeReport(out, name, report);
}

function commandOf({ name }: { name: string }, { target, rounds, roundTripMs }: StudyOptions): string {
  const roundTrip = target === 'lab' ? ` --round-trip ${roundTripMs}` : '';
  return `pnpm bench ${name} --target ${target} --rounds ${rounds}${roundTrip}`;
}
