import type { Output } from '../../contract/operations.ts';
import type { CommitInfo } from '../commit-info.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { diffBetween } from '../writing/write.ts';
import type { UndoneFile, UndoPlan } from './plan-undo.ts';
import { actionOf, nameOf, subjectOf } from './restored-files.ts';

type Described = Output<'undo_changes'>['files'][number];

interface Undone {
  commits: readonly CommitInfo[];
  plan: UndoPlan;
  isLeft(file: UndoneFile): boolean;
}

/** The files of an undo, those that stand in its way first. */
export async function describeUndone(
  session: Session,
  base: Snapshot,
  { commits, plan, isLeft }: Undone,
): Promise<Described[]> {
  const undone = new Set(commits.map(({ oid }) => oid));
  const isInTheWay = ({ state }: UndoneFile) => state === 'conflict';
  const inOrder = [...plan.files.filter(isInTheWay), ...plan.files.filter((file) => !isInTheWay(file))].slice(
    0,
    MAX_SHOWN,
  );
  const described: Described[] = [];
  for (const file of inOrder) {
    const isMixed = file.state === 'conflict' || file.state === 'merged';
    described.push({
      path: nameOf(file),
      is_page: pagePathOf(file.path) !== null,
      action: await actionIn(base, plan, file),
      state: file.state,
      left: isLeft(file),
      ...(await diffsOf(base, plan, file)),
      others: isMixed ? await othersOf(session, base, undone, file) : [],
    });
  }
  return described;
}

const MAX_SHOWN = 200;

async function actionIn(base: Snapshot, { draft }: UndoPlan, file: UndoneFile): Promise<Described['action']> {
  const [newest] = file.runs;
  if (file.state === 'conflict' && newest !== undefined) return actionOf(newest);
  return actionOf({ before: await draft.entry(file.path), after: await base.entry(file.path) });
}

/** Both sides of a file, as unified diffs. Those of attachments are empty. */
async function diffsOf(
  base: Snapshot,
  { draft }: UndoPlan,
  { path, runs, state }: UndoneFile,
): Promise<Pick<Described, 'diff' | 'theirs'>> {
  const [newest] = runs;
  if (pagePathOf(path) === null || newest === undefined) return { diff: '', theirs: '' };
  const present = (await base.entry(path))?.oid ?? null;
  const then = newest.after?.oid ?? null;
  const between = (old: string | null, now: string | null) =>
    diffBetween({ before: base, after: draft }, old, now);
  const theirs = state === 'conflict' || state === 'merged' ? await between(then, present) : '';
  if (state === 'conflict') return { diff: await between(then, newest.before?.oid ?? null), theirs };
  return { diff: await between(present, (await draft.entry(path))?.oid ?? null), theirs };
}

/** The commits of others that changed the file after the first undone change of it, newest first. */
async function othersOf(
  { index }: Session,
  base: Snapshot,
  undone: ReadonlySet<string>,
  { path }: UndoneFile,
): Promise<Described['others']> {
  if (base.commit === null) return [];
  const query = { commit: base.commit, path: nameOf({ path }), offset: 0, limit: LOOKED_AT, pagesMost: 0 };
  const { entries } = await index.history(query);
  const oldest = entries.findLastIndex(({ commit }) => undone.has(commit.oid));
  return entries
    .slice(0, oldest === -1 ? entries.length : oldest)
    .filter(({ commit }) => !undone.has(commit.oid))
    .slice(0, MAX_OTHERS)
    .map(({ commit }) => describeCommit(commit));
}

const LOOKED_AT = 50;
const MAX_OTHERS = 10;

export function describeCommit(commit: CommitInfo): Described['others'][number] {
  const { oid, author, agent } = commit;
  return {
    commit: oid,
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: subjectOf(commit),
  };
}
