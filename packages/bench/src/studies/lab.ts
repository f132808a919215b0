import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { ZodType } from 'zod';
import { installRuntimeClient } from '../../../../labs/lambda-lab/runtime-client.ts';
import { type NfsLabOptions, runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { type Journal, type JournalHead, openJournal } from './journal.ts';
import { StudyError } from './study-error.ts';
import type { Surroundings } from './surroundings.ts';

/** The parameters of a study's program inside the lab. It gets them as JSON, its only argument. */
export interface LabJob<Plan> {
  readonly file: string;
  readonly head: Omit<JournalHead, 'began'>;
  readonly rounds: number;
  readonly plan: Plan;
}

/**
 * Runs a program of a study inside a new nfs-lab, beside its server. It writes its results into `file` and its
 * progress to standard error, so that both are there whenever it ends.
 */
export async function runStudyInLab(
  program: URL,
  job: LabJob<unknown>,
  options: Pick<NfsLabOptions, 'clients' | 'roundTripMs' | 'diskMib'>,
  { signal, progress }: Surroundings,
): Promise<void> {
  // Inside the lab this machine's disk can only be read: what the Lambda lab runs there is installed before.
  await installRuntimeClient();
  const said: string[] = [];
  const onErrorLine = (line: string) => {
    said.push(line);
    progress(line);
  };
  try {
    await runInNfsLab(['node', fileURLToPath(program), JSON.stringify(job)], {
      ...options,
      timeoutSeconds: 4 * 3600,
      writable: dirname(resolve(job.file)),
      onErrorLine,
      signal,
    });
  } catch (error) {
    const kept = 'What was measured is kept; the same command goes on from there.';
    if (signal.aborted) throw new StudyError('interrupted', `Stopped. ${kept}`, { cause: error });
    const reason = said.slice(-5).join('\n') || (error instanceof Error ? error.message : String(error));
    throw new StudyError('step_failed', `The lab ended early:\n${reason}\n${kept}`, { cause: error });
  }
}

/** The job of the program inside. */
export function labJob<Job extends LabJob<unknown>>(): Job {
  return JSON.parse(process.argv[2] ?? '');
}

/**
 * The program inside: measures what the file of results lacks, and ends the process, whatever the measuring has left
 * open. Nobody interrupts it: it ends with the whole lab.
 */
export async function measureInLab<Entry extends { step: string }>(
  { file, head }: Pick<LabJob<unknown>, 'file' | 'head'>,
  entry: ZodType<Entry>,
  measure: (journal: Journal<Entry>, surroundings: Surroundings) => Promise<void>,
): Promise<never> {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  try {
    await measure(openJournal(file, entry, head), { signal: new AbortController().signal, progress });
    process.exit(0);
  } catch (error) {
    progress(error instanceof StudyError ? error.message : inspect(error));
    process.exit(1);
  }
}
