import type { Input, Output } from '../../../contract/operations.ts';
import type { Snapshot } from '../../ports.ts';
import { describeRetargeted, findRetargeted } from '../../relinking/retargeted.ts';
import { findUndoneMoves } from '../../relinking/undone-moves.ts';
import type { Session } from '../../session.ts';
import { changesOf, type UndoneChanges } from '../../undoing/changes-of-commits.ts';
import { describeCommit, describeUndone } from '../../undoing/describe-undone.ts';
import { leaves, planUndo, type UndoneFile, type UndoPlan, writesOf } from '../../undoing/plan-undo.ts';
import { cannotUndo } from '../../undoing/refuse-undo.ts';
import { isSame } from '../../undoing/restored-files.ts';
import { fixedMoment, requireSelection, selectCommits } from '../../undoing/select-commits.ts';
import { undoMessage } from '../../undoing/undo-message.ts';
import { type Apply, land, preview } from '../../writing/write.ts';

type Asked = Input<'undo_changes'>;

export async function undoChanges(session: Session, input: Asked): Promise<Output<'undo_changes'>> {
  requireSelection(input);
  const since = await fixedMoment(session, input.since);
  const asked = { ...input, since: since ?? undefined };
  const isLeft = leaves(input.leave);
  const apply: Apply = async (base) => {
    const { undone, plan } = await planFor(session, asked, base);
    await requireSameAsSeen(session, input, base, plan);
    const conflicts = plan.files.filter((file) => file.state === 'conflict' && !isLeft(file));
    if (conflicts.length > 0 && !input.dry_run) throw await cannotUndo(session, base, conflicts);
    const files = await writesOf(plan, isLeft);
    return { message: input.message || undoMessage(undone, asked, plan, isLeft), files };
  };
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'undo_changes', input, apply);
  const { undone, plan, mergesLeftOut } = await planFor(session, asked, landed.before);
  const paths = plan.files.map(({ path }) => path);
  const retargeted = landed.changed
    ? await findRetargeted(session.index, landed, paths, 'given', await findUndoneMoves(landed, paths))
    : [];
  return {
    as_of: input.as_of ?? landed.before.commit,
    since,
    commit: landed.commit,
    changed: landed.changed,
    commits: undone.commits.map(describeCommit),
    merges_left_out: mergesLeftOut,
    leaves_out_files: undone.leavesOutFiles,
    files: await describeUndone(session, landed.before, { commits: undone.commits, plan, isLeft }),
    files_total: plan.files.length,
    conflicts: plan.files.filter((file) => file.state === 'conflict' && !isLeft(file)).length,
    ...describeRetargeted(retargeted),
  };
}

async function planFor(
  session: Session,
  asked: Asked,
  base: Snapshot,
): Promise<{ undone: UndoneChanges; plan: UndoPlan; mergesLeftOut: number }> {
  const asOf = asked.as_of ?? base.commit;
  const { commits, mergesLeftOut } =
    asOf === null ? { commits: [], mergesLeftOut: 0 } : await selectCommits(session, asked, asOf);
  const undone = await changesOf(session, commits, base);
  return { undone, plan: await planUndo(session, base, undone.byPath), mergesLeftOut };
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
  const changed: UndoneFile[] = [];
  for (const file of plan.files) {
    if (isLeft(file)) continue;
    if (!isSame(await seen.entry(file.path), await base.entry(file.path))) changed.push(file);
  }
  if (changed.length > 0) throw await cannotUndo(session, base, changed);
}
