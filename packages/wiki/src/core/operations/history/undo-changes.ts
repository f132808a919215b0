import { WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { Snapshot } from '../../ports.ts';
import { describeRetargeted, findRetargeted } from '../../relinking/retargeted.ts';
import { findUndoneMoves } from '../../relinking/undone-moves.ts';
import type { Session } from '../../session.ts';
import { describeCommit, describeUndone } from '../../undoing/describe-undone.ts';
import { changesOf, leaves, planUndo, type UndoPlan, writesOf } from '../../undoing/plan-undo.ts';
import { isSame, nameOf, revertMessage, subjectOf } from '../../undoing/restored-files.ts';
import {
  fixedMoment,
  requireSelection,
  type SelectedCommits,
  selectCommits,
} from '../../undoing/select-commits.ts';
import { lastChange } from '../../writing/conflicts.ts';
import { type Apply, land, preview } from '../../writing/write.ts';

type Asked = Input<'undo_changes'>;

export async function undoChanges(session: Session, input: Asked): Promise<Output<'undo_changes'>> {
  requireSelection(input);
  const since = await fixedMoment(session, input.since);
  const asked = { ...input, since: since ?? undefined };
  const isLeft = leaves(input.leave);
  const apply: Apply = async (base) => {
    const { selected, plan } = await planFor(session, asked, base);
    await requireSameAsSeen(session, input, base, plan);
    const conflicts = plan.files.filter((file) => file.state === 'conflict' && !isLeft(file));
    if (conflicts.length > 0 && !input.dry_run) throw await cannotUndo(session, base, conflicts);
    const files = await writesOf(plan, isLeft);
    return { message: input.message || messageFor(selected, asked, plan, isLeft), files };
  };
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'undo_changes', input, apply);
  const { selected, plan } = await planFor(session, asked, landed.before);
  const paths = plan.files.map(({ path }) => path);
  const retargeted = landed.changed
    ? await findRetargeted(session.index, landed, paths, 'given', await findUndoneMoves(landed, paths))
    : [];
  return {
    as_of: input.as_of ?? landed.before.commit,
    since,
    commit: landed.commit,
    changed: landed.changed,
    commits: selected.commits.map(describeCommit),
    merges_left_out: selected.mergesLeftOut,
    files: await describeUndone(session, landed.before, { selected, plan, isLeft }),
    files_total: plan.files.length,
    conflicts: plan.files.filter((file) => file.state === 'conflict' && !isLeft(file)).length,
    ...describeRetargeted(retargeted),
  };
}

async function planFor(
  session: Session,
  asked: Asked,
  base: Snapshot,
): Promise<{ selected: SelectedCommits; plan: UndoPlan }> {
  const asOf = asked.as_of ?? base.commit;
  const selected =
    asOf === null ? { commits: [], mergesLeftOut: 0 } : await selectCommits(session, asked, asOf);
  return { selected, plan: await planUndo(session, base, await changesOf(session, selected.commits)) };
}

/** Throws `version_conflict` if a file of the plan changed after the dry run that the caller saw. */
async function requireSameAsSeen(
  session: Session,
  { as_of: asOf, leave, dry_run: isDry }: Asked,
  base: Snapshot,
  plan: UndoPlan,
): Promise<void> {
  if (asOf === undefined || asOf === base.commit || isDry) return;
  const [seen, isLeft] = [await session.repository.at(asOf), leaves(leave)];
  const changed: { path: string }[] = [];
  for (const file of plan.files) {
    if (isLeft(file)) continue;
    if (!isSame(await seen.entry(file.path), await base.entry(file.path))) changed.push(file);
  }
  if (changed.length > 0) throw await cannotUndo(session, base, changed);
}

async function cannotUndo(
  session: Session,
  base: Snapshot,
  inTheWay: readonly { path: string }[],
): Promise<WikiError> {
  const files = await Promise.all(
    inTheWay.slice(0, MAX_NAMED).map(async (file) => {
      const path = nameOf(file);
      return { path, ...(await lastChange(session, base, path)) };
    }),
  );
  const named = files.map(({ path, author, date }) =>
    author === undefined
      ? JSON.stringify(path)
      : `${JSON.stringify(path)} (by ${JSON.stringify(author)} at ${date})`,
  );
  const more = inTheWay.length > files.length ? ` and ${inTheWay.length - files.length} more` : '';
  return new WikiError(
    'version_conflict',
    {
      happened: `This cannot be undone: others changed ${named.join(', ')}${more} since.`,
      now: 'Nothing was changed.',
      next: 'Leave these as they are, or look at them and undo again.',
    },
    { files, files_total: inTheWay.length },
  );
}

function messageFor(
  { commits }: SelectedCommits,
  { commit, agent, author, since }: Asked,
  { files }: UndoPlan,
  isLeft: ReturnType<typeof leaves>,
): string {
  // Only counted: their paths may be hidden from those who see the message.
  const left = files.filter(isLeft).length;
  const rest = left === 0 ? '' : `\n\n${left} of ${files.length} files are left as they are.`;
  const [newest] = commits;
  if (commit !== undefined && newest !== undefined) return revertMessage(newest) + rest;
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
  const by = [agent && `through ${agent}`, author && `by ${author}`].filter(Boolean).join(' ');
  const head = `Undo ${count} ${by} since ${since?.slice(0, 16)}`.toWellFormed();
  const lines: string[] = [];
  let room = limits.messageCharacters - head.length - rest.length - ROOM_FOR_MORE;
  for (const each of commits) {
    const line = `This reverts commit ${each.oid} (${subjectOf(each)}).`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const more = commits.length - lines.length;
  if (more > 0) lines.push(`And ${more} more, back to ${commits.at(-1)?.oid}.`);
  return `${head}\n\n${lines.join('\n')}${rest}`;
}

const ROOM_FOR_MORE = 100;
const MAX_NAMED = 20;
