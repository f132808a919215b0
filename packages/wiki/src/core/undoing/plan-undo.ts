import { throwIfCancelled } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { compareText } from '../text/text-order.ts';
import { mergeText } from '../text/three-way/merge-text.ts';
import { Draft } from '../writing/draft.ts';
import { isSame, leftSince, nameOf, putBack, type UndoneChange } from './restored-files.ts';

/** A file that the undone commits changed. */
export interface UndoneFile {
  /** Its tree path. */
  path: string;
  /** The changes to take back, newest first, of which some were made at another path. */
  runs: UndoneChange[];
  state: 'undone' | 'merged' | 'conflict' | 'same';
}

export interface UndoPlan {
  /** Sorted by path. */
  files: UndoneFile[];
  /** The base without what the commits did, as far as that can be. */
  draft: Draft;
}

/**
 * Takes the changes out of the base. Where others changed a page as well, the lines that only the commits
 * changed go back, and the others' stay.
 */
export async function planUndo(
  { index, call }: Session,
  base: Snapshot,
  changes: ReadonlyMap<string, readonly UndoneChange[]>,
): Promise<UndoPlan> {
  const draft = new Draft(base);
  const files: UndoneFile[] = [];
  const gone: FileChange[] = [];
  const puts: UndoneChange[] = [];
  for (const [path, runs] of changes) {
    throwIfCancelled(call.signal);
    const state = await takeBack(draft, path, runs);
    files.push({ path, runs: [...runs], state });
    const [newest] = runs;
    if (newest === undefined) continue;
    if (state === 'undone') puts.push(newest);
    const wasThere = newest.before === null && newest.after !== null && pagePathOf(path) !== null;
    if (wasThere && (await base.entry(path)) === null) gone.push(newest);
  }
  const left = await leftSince(index, base, { gone, puts, changes: files.flatMap(({ runs }) => runs) });
  const inTheWay = new Set(left.map(({ path }) => path));
  for (const file of files) if (inTheWay.has(file.path)) file.state = 'conflict';
  return { files: files.sort((one, other) => compareText(one.path, other.path)), draft };
}

/** The files of a plan that change, without those that the caller leaves as they are. */
export async function writesOf(
  { files, draft }: UndoPlan,
  isLeft: (file: Pick<UndoneFile, 'path'>) => boolean,
): Promise<FileWrite[]> {
  const changing = new Set(files.filter((file) => isChanging(file) && !isLeft(file)).map(({ path }) => path));
  return draft.writes().filter(({ path }) => changing.has(path));
}

function isChanging({ state }: UndoneFile): boolean {
  return state === 'undone' || state === 'merged';
}

/** Leaves the file in the draft as the runs found it if one of them cannot be taken back. */
async function takeBack(
  draft: Draft,
  path: string,
  runs: readonly UndoneChange[],
): Promise<UndoneFile['state']> {
  const steps = new Draft(draft);
  const first = await draft.entry(path);
  let isMerged = false;
  for (const run of runs) {
    const present = await steps.entry(path);
    if (isSame(present, run.before)) continue;
    if (mayComeFromElsewhere(run)) return 'conflict';
    if (isSame(present, run.after)) {
      steps.write([putBack({ ...run, path })]);
      continue;
    }
    const merged = await withoutRun(steps, { ...run, path });
    if (merged === null) return 'conflict';
    steps.write([merged]);
    isMerged = true;
  }
  if (isSame(await steps.entry(path), first)) return 'same';
  draft.write(steps.writes());
  return isMerged ? 'merged' : 'undone';
}

/**
 * True for a file that came by a commit of which the caller sees only a part. It may have been moved here, and taking it
 * away would not put it back there.
 */
export function mayComeFromElsewhere({ before, isInPart }: UndoneChange): boolean {
  return before === null && isInPart;
}

/** The page that others changed too, without what the run did to its lines; null if both changed the same place. */
async function withoutRun(draft: Draft, { path, before, after }: FileChange): Promise<FileWrite | null> {
  const present = await draft.entry(path);
  if (before === null || after === null || present === null || pagePathOf(path) === null) return null;
  const [old, undone, now] = await Promise.all([after, before, present].map(({ oid }) => draft.blob(oid)));
  if (old === undefined || undone === undefined || now === undefined) return null;
  const content = mergeText(old, undone, now);
  if (content === null || content.length > limits.pageBytes) return null;
  return { path, content, mode: present.mode };
}

/** True if the caller leaves the file as it is: by the path of its page, or by its tree path. */
export function leaves(leave: readonly string[]): (file: Pick<UndoneFile, 'path'>) => boolean {
  const left = new Set(leave);
  return (file) => left.has(nameOf(file)) || left.has(file.path);
}
