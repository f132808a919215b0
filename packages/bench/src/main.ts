import { AwsFailure } from './aws/aws-failure.ts';
import type { AwsCommand } from './aws/commands.ts';
import { StudyError, type StudyErrorCode } from './studies/study-error.ts';
import type { RunStudy } from './studies/surroundings.ts';

/** `pnpm bench SUITE ...`: each suite is loaded only when it is asked for, and answers with its report. */
const suites: Record<string, () => Promise<(args: readonly string[]) => Promise<string>>> = {
  growth: async () => (await import('./growth/bench-growth.ts')).benchGrowth,
  index: async () => (await import('./index/bench-index.ts')).benchIndex,
  storage: async () => (await import('./storage/bench-storage.ts')).benchStorage,
  'native-extras': async () =>
    (await import('./storage/native-extras/bench-native-extras.ts')).benchNativeExtras,
  'index-engines': async () => (await import('./index/compare-engines.ts')).benchEngines,
  lambda: async () => (await import('./lambda/bench-lambda.ts')).benchLambda,
  start: async () => (await import('./start/bench-start.ts')).benchStart,
  'search-quality': async () => (await import('./search-quality/search-quality.ts')).benchSearchQuality,
};

/** As the shell has it: 130 after Ctrl-C. */
const exitStatus: Record<StudyErrorCode, number> = {
  interrupted: 130,
  step_failed: 1,
  misused: 2,
  other_results: 2,
};

/** `pnpm bench STUDY ...`: long work that tells its progress, and that Ctrl-C stops so that it can go on later. */
const studies: Record<string, () => Promise<RunStudy>> = {
  phase0: async () => (await import('./studies/command.ts')).benchPhase0,
  jitter: async () => (await import('./studies/command.ts')).benchJitter,
  throughput: async () => (await import('./studies/command.ts')).benchThroughput,
  deploy: () => awsCommand('deploy'),
  destroy: () => awsCommand('destroy'),
  status: () => awsCommand('status'),
  collect: () => awsCommand('collect'),
};

const [name = '', ...args] = process.argv.slice(2);
const [suite, study] = [suites[name], studies[name]];
if (suite !== undefined) {
  const run = await suite();
  process.stdout.write(`${await run(args)}\n`);
} else if (study !== undefined) {
  process.exitCode = await runInterruptibly(await study());
} else {
  process.stderr.write(`Usage: pnpm bench ${Object.keys({ ...suites, ...studies }).join('|')} [options]\n`);
  process.exitCode = 2;
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

async function awsCommand(command: AwsCommand): Promise<RunStudy> {
  const { runAwsCommand } = await import('./aws/commands.ts');
  const terminal = { input: process.stdin, output: process.stderr };
  return (given, { signal }) => runAwsCommand(command, given, terminal, signal);
}
