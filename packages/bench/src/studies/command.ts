import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { readOptions } from '../options.ts';
import { reportJitter } from './jitter/report.ts';
import { jitter } from './jitter/study.ts';
import { phase0 } from './phase0/study.ts';
import { writeReport } from './report/write-report.ts';
import { runStudy, type Study, type StudyOptions, targets } from './study.ts';
import { StudyError } from './study-error.ts';
import type { Surroundings } from './surroundings.ts';
import { throughput } from './throughput/study.ts';

/** `pnpm bench phase0 ...`. Resolves with the final message: the path of the report. @throws StudyError */
export async function benchPhase0(args: readonly string[], surroundings: Surroundings): Promise<string> {
  return bench(phase0, args, surroundings);
}

/** `pnpm bench jitter ...`, or with `--log FILE` the report of a log that is there. @throws StudyError */
export async function benchJitter(args: readonly string[], surroundings: Surroundings): Promise<string> {
  const { log, out } = parsed(jitter.name, args);
  return log === undefined ? bench(jitter, args, surroundings) : reportLog(log, out);
}

/** `pnpm bench throughput ...`. @throws StudyError */
export async function benchThroughput(args: readonly string[], surroundings: Surroundings): Promise<string> {
  return bench(throughput, args, surroundings);
}

async function reportLog(log: string, out: string): Promise<string> {
  const name = basename(log);
  const report = await reportJitter(await readLog(log), name, `pnpm bench jitter --log ${name}`, []);
  return `The report is ${await writeReport(resolve(out), 'jitter-log', report)}`;
}

async function readLog(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StudyError('misused', `${file} cannot be read.`, { cause: error });
  }
}

async function bench<Plan>(study: Study<Plan>, args: readonly string[], surroundings: Surroundings) {
  const options = optionsOf(study, args);
  const file = await runStudy(study, options, study.plan, surroundings);
  return `The report is ${file}`;
}

function optionsOf(
  { name, rounds }: Pick<Study<unknown>, 'name' | 'rounds'>,
  args: readonly string[],
): StudyOptions {
  const values = parsed(name, args);
  const number = (text: string, option: string, least: number) => {
    const value = Number(text);
    if (!Number.isFinite(value) || value < least) {
      throw new StudyError(
        'misused',
        `--${option} takes a number from ${least} on, not ${JSON.stringify(text)}.`,
      );
    }
    return value;
  };
  const target = targets.find((each) => each === values.target);
  if (target === undefined) {
    const known = targets.join(', ');
    throw new StudyError(
      'misused',
      `There is no target ${JSON.stringify(values.target)}. There are: ${known}.`,
    );
  }
  return {
    target,
    rounds: Math.floor(number(values.rounds ?? String(rounds), 'rounds', 1)),
    out: values.out,
    roundTripMs: number(values['round-trip'], 'round-trip', 0),
    aws: { region: values.region, stack: values.stack },
  };
}

function parsed(name: string, args: readonly string[]) {
  return readOptions(name, args, {
    target: { type: 'string', default: 'local' },
    rounds: { type: 'string' },
    out: { type: 'string', default: 'bench-results' },
    log: { type: 'string' },
    'round-trip': { type: 'string', default: '1' },
    region: { type: 'string' },
    stack: { type: 'string', default: 'Pagetree' },
  });
}
