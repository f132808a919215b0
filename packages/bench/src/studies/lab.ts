import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { type NfsLabOptions, runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { StudyError } from './study-error.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Runs a program of a study inside a new nfs-lab, beside its server. It writes its results into `file` and its
 * progress to standard error, so that both are there whenever it ends.
 */
export async function runStudyInLab(
  program: URL,
  job: { readonly file: string },
  options: Pick<NfsLabOptions, 'clients' | 'roundTripMs' | 'diskMib'>,
  { signal, progress }: Surroundings,
): Promise<void> {
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

/**
 * The program inside: measures, and ends the process, whatever the measuring has left open. Nobody interrupts it, it
 * is ended with the whole lab.
 */
export async function measureInLab(measure: (surroundings: Surroundings) => Promise<void>): Promise<never> {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  try {
    await measure({ signal: new AbortController().signal, progress });
    process.exit(0);
  } catch (error) {
    progress(error instanceof StudyError ? error.message : inspect(error));
    process.exit(1);
  }
}
