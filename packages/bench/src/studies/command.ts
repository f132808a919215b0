import { parseArgs } from 'node:util';
import { phase0 } from './phase0/study.ts';
import { runStudy, type Study, type StudyOptions, targets } from './study.ts';
import { StudyError } from './study-error.ts';
import type { Surroundings } from './surroundings.ts';

const usage = '[--target local|lab] [--rounds N] [--out DIR] [--round-trip MS]';

/** `pnpm bench phase0 ...`. Resolves with what to tell: where the report is. @throws StudyError */
export async function benchPhase0(args: readonly string[], surroundings: Surroundings): Promise<string> {
  return bench(phase0, args, surroundings);
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
  const { values } = parsed(name, args);
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
  if (target === undefined) throw misused(name, `There is no target ${JSON.stringify(values.target)}.`);
  return {
    target,
    rounds: Math.floor(number(values.rounds ?? String(rounds), 'rounds', 1)),
    out: values.out,
    roundTripMs: number(values['round-trip'], 'round-trip', 0),
  };
}

function parsed(name: string, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        target: { type: 'string', default: 'local' },
        rounds: { type: 'string' },
        out: { type: 'string', default: 'bench-results' },
        'round-trip': { type: 'string', default: '1' },
      },
    });
  } catch (error) {
    throw misused(name, error instanceof Error ? error.message : String(error));
  }
}

function misused(name: string, what: string): StudyError {
  return new StudyError('misused', `${what}\nUsage: pnpm bench ${name} ${usage}`);
}
