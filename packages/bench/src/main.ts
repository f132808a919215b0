import { AwsFailure } from './aws/aws-failure.ts';
import { Usage } from './options.ts';
import { StudyError, type StudyErrorCode } from './studies/study-error.ts';
import type { RunStudy } from './studies/surroundings.ts';
import { studies, suites } from './suites.ts';

/** As the shell has it: 130 after Ctrl-C. */
const exitStatus: Record<StudyErrorCode, number> = {
  interrupted: 130,
  step_failed: 1,
  misused: 2,
  other_results: 2,
};

const [name = '', ...args] = process.argv.slice(2);
const [suite, study] = [suites[name], studies[name]];
try {
  if (suite !== undefined) {
    const run = await suite();
    process.stdout.write(`${await run(args)}\n`);
  } else if (study !== undefined) {
    process.exitCode = await runInterruptibly(await study());
  } else {
    const names = Object.keys({ ...suites, ...studies }).join('|');
    throw new Usage(`Usage: pnpm bench ${names} [options, or --help]`, name === '--help');
  }
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  if (error.wanted) process.stdout.write(`${error.message}\n`);
  else process.stderr.write(`${error.message}\n`);
  process.exitCode = error.wanted ? 0 : 2;
}

/** @returns the exit status. The first Ctrl-C asks the study to stop, the second one ends the process. */
async function runInterruptibly(run: RunStudy): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupt.abort());
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  try {
    process.stdout.write(`${await run(args, { signal: interrupt.signal, progress })}\n`);
    return 0;
  } catch (error) {
    if (error instanceof StudyError) {
      progress(error.message);
      return exitStatus[error.code];
    }
    if (!(error instanceof AwsFailure)) throw error;
    progress(error.message);
    return error.code === 'misused' ? 2 : 1;
  }
}
