import fc from 'fast-check';
import type { Scope } from '../../../../src/contract/scope.ts';
import { openScopedWiki, type Question } from './model-wiki.ts';
import { type Asked, always, asked, questionAbout } from './questions.ts';
import {
  firstFiles,
  type Last,
  lastSteps,
  make,
  questionOf,
  SCOPES,
  type Step,
  stateOf,
  steps,
} from './random-steps.ts';

/** The counts of a run, for printing. */
export interface Tally {
  wikis: number;
  steps: number;
  compared: number;
}

interface Run {
  scope: Scope;
  files: Record<string, string>;
  parts: readonly { steps: readonly Step[]; asked: readonly Asked[]; last: Last }[];
}

/** `asks` is the number of questions after each part. */
export function runs(size: { parts: number; steps: number; asks: number }): fc.Arbitrary<Run> {
  const part = fc.record({
    steps: fc.array(steps, { minLength: 2, maxLength: size.steps }),
    asked: fc.array(asked, { minLength: size.asks, maxLength: size.asks }),
    last: lastSteps,
  });
  return fc.record({
    scope: fc.constantFrom(...SCOPES),
    files: firstFiles,
    parts: fc.array(part, { minLength: 1, maxLength: size.parts }),
  });
}

/** Makes random steps. After each part, the wiki and its model answer alike, and take the same write alike. */
export async function run({ scope, files, parts }: Run, tally: Tally): Promise<void> {
  const wiki = await openScopedWiki(files, scope);
  tally.wikis += 1;
  try {
    for (const part of parts) {
      for (const step of part.steps) await make(wiki, step);
      tally.steps += part.steps.length;
      const state = await stateOf(wiki);
      const questions = [...always, ...part.asked.map((each) => questionAbout(state, each))];
      const last = questionOf(state, part.last);
      tally.compared += await wiki.compare(questions, last && mayWrite(scope, last) ? last : undefined);
    }
  } finally {
    await wiki.close();
  }
}

/** A refused write is shown in scope.test.ts: the model refuses nothing. */
function mayWrite({ read, write }: Scope, { name, input }: Question): boolean {
  if (name === 'revert_commit') return read.every((folder) => write.includes(folder));
  return write.some((folder) => `${input.path}`.startsWith(folder));
}

export function printed(seed: number, tally: Tally): string {
  return `${JSON.stringify({ seed, ...tally })}\n`;
}
