import fc from 'fast-check';
import type { OperationName } from '../../../../src/contract/operations.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import type { Question } from './comparison.ts';
import { liesIn } from './lies-in.ts';
import { makeStep } from './make-step.ts';
import { openScopedWiki } from './model-wiki.ts';
import { type Asked, always, asked, questionAbout } from './questions.ts';
import { SCOPES } from './random-pages.ts';
import { firstFiles, type Move, moves, type Step, steps, type Write, writes } from './random-steps.ts';
import { callOf } from './step-calls.ts';
import { type State, stateOf } from './wiki-state.ts';

/** The counts of a run, for printing. */
export interface Tally {
  wikis: number;
  steps: number;
  compared: Partial<Record<OperationName, number>>;
}

interface Run {
  scope: Scope;
  files: Record<string, string>;
  parts: readonly { steps: readonly Step[]; asked: readonly Asked[]; writes: readonly Write[]; move: Move }[];
}

/** `asks` and `writes` are the numbers of questions and of writes after each part. */
export function runs(size: {
  parts: number;
  steps: number;
  asks: number;
  writes: number;
}): fc.Arbitrary<Run> {
  const part = fc.record({
    steps: fc.array(steps, { minLength: 2, maxLength: size.steps }),
    asked: fc.array(asked, { minLength: size.asks, maxLength: size.asks }),
    writes: fc.array(writes, { minLength: size.writes, maxLength: size.writes }),
    move: moves,
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
      for (const step of part.steps) await makeStep(wiki, step);
      tally.steps += part.steps.length;
      const state = await stateOf(wiki);
      const asked = part.asked.map((each) => questionAbout(state, each));
      const questions = [...always, ...asked.filter((each) => isComparable(scope, each))];
      const written = (change: Write | Move) => (now: State) => {
        const write = callOf(writable(scope, now), change);
        return write && isComparable(scope, write) && mayWrite(scope, write) ? write : null;
      };
      const compared = await wiki.compare(questions, part.writes.map(written), written(part.move));
      for (const name of compared) tally.compared[name] = 1 + (tally.compared[name] ?? 0);
    }
  } finally {
    await wiki.close();
  }
}

/** Nothing is changed where the caller may not write: the model, which knows no such place, does it. */
function isComparable({ read, write }: Scope, { name, input }: Question): boolean {
  const { changes = [] } = input as { changes?: { op: string }[] };
  if (!REACHING_FAR.has(name) && !changes.some(({ op }) => op === 'move' || op === 'merge')) return true;
  return read.every((folder) => write.includes(folder));
}

/** Writes that change other pages than those that they name. */
const REACHING_FAR: ReadonlySet<OperationName> = new Set(['revert_commit', 'undo_changes', 'move_page']);

function writable({ write }: Scope, state: State): State {
  const isWritable = ({ path }: { path: string }) => liesIn(write, path);
  return { ...state, pages: state.pages.filter(isWritable), files: state.files.filter(isWritable) };
}

/** A refused write is shown in scope.test.ts: the model refuses nothing. */
function mayWrite({ write }: Scope, { name, input }: Question): boolean {
  if (name === 'revert_commit' || name === 'undo_changes') return true;
  const { changes, files, prefix, path, new_path } = input as {
    changes?: Named[];
    files?: Named[];
    prefix?: string;
  } & Partial<Named>;
  const named = changes ?? files ?? [{ path: prefix === undefined ? `${path}` : `${prefix}/`, new_path }];
  return named.every((each) => liesIn(write, each.path) && liesIn(write, each.new_path ?? each.path));
}

interface Named {
  path: string;
  new_path?: string | undefined;
}

export function printed(seed: number, tally: Tally): string {
  return `${JSON.stringify({ seed, ...tally })}\n`;
}
