import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { MAX_UNDONE_FILES } from '../../contract/operations/batches.ts';
import type { CommitInfo } from '../commit-info.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { compareText } from '../text/text-order.ts';
import { mergeText } from '../text/three-way/merge-text.ts';
import { Draft } from '../writing/draft.ts';
import { isSame, leftSince, nameOf, putBack, type UndoneChange } from './restored-files.ts';
import { tooMany } from './select-commits.ts';

/** A file that the undone commits changed. */
export interface UndoneFile {
  /** Its tree path. */
  path: string;
  /** The changes to take back, newest first. Those that follow each other directly are one. */
  runs: UndoneChange[];
  state: 'undone' | 'merged' | 'conflict' | 'same';
}

export interface UndoPlan {
  /** Sorted by path. */
  files: UndoneFile[];
  /** The base without what the commits did, as far as that can be. */
  draft: Draft;
}

/** The changes of each file by these commits, newest first, by tree path. Throws `too_large`. */
export async function changesOf(
  { repository, call }: Session,
  commits: readonly CommitInfo[],
): Promise<Map<string, UndoneChange[]>> {
  const byPath = new Map<string, UndoneChange[]>();
  for (const { oid, parents } of commits) {
    throwIfCancelled(call.signal);
    const changes = await repository.changes(parents[0] ?? null, oid);
    // Under a scope, only versions of pages that were examined can be read.
    if (call.scope !== undefined) await examine(repository, [oid, ...parents], changes);
    for (const change of changes) {
      const runs = byPath.get(change.path) ?? [];
      const newer = runs.at(-1);
      // Taken back in one step: a part of the steps may be undone already.
      if (newer !== undefined && isSame(newer.before, change.after)) newer.before = change.before;
      else runs.push({ ...change, commit: oid });
      byPath.set(change.path, runs);
    }
    if (byPath.size > MAX_UNDONE_FILES) throw tooMany(`changes of more than ${MAX_UNDONE_FILES} files`);
  }
  return byPath;
}

async function examine(
  repository: Session['repository'],
  commits: readonly Oid[],
  changes: readonly FileChange[],
): Promise<void> {
  for (const commit of commits) {
    const snapshot = await repository.at(commit);
    for (const { path } of changes) await snapshot.entry(path);
  }
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
    const state = await takeBack(draft, runs);
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
async function takeBack(draft: Draft, runs: readonly UndoneChange[]): Promise<UndoneFile['state']> {
  const steps = new Draft(draft);
  const path = runs[0]?.path ?? '';
  const first = await draft.entry(path);
  let isMerged = false;
  for (const run of runs) {
    const present = await steps.entry(path);
    if (isSame(present, run.before)) continue;
    if (isSame(present, run.after)) {
      steps.write([putBack(run)]);
      continue;
    }
    const merged = await withoutRun(steps, run);
    if (merged === null) return 'conflict';
    steps.write([merged]);
    isMerged = true;
  }
  if (isSame(await steps.entry(path), first)) return 'same';
  draft.write(steps.writes());
  return isMerged ? 'merged' : 'undone';
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
