import type { Input, Output } from '../../../contract/operations.ts';
import { describeMovedFiles } from '../../moving/moved-files.ts';
import { applyMove, parseMove } from '../../moving/moves.ts';
import { oncePerBase, settle } from '../../moving/settle.ts';
import { takeBack } from '../../moving/taken-back.ts';
import { describeRetargeted } from '../../relinking/retargeted.ts';
import { countThatFits, serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { NetChange } from '../../writing/net-change.ts';
import { type Apply, describePage, type Landed, land, preview } from '../../writing/write.ts';

export async function movePage(session: Session, input: Input<'move_page'>): Promise<Output<'move_page'>> {
  const { from, path, isFolder } = parseMove(input);
  const plan = oncePerBase(async (base) => {
    const net = new NetChange(base);
    await applyMove(session, net, input);
    const settled = await settle(session.index, net);
    return input.update_links ? takeBack(session, settled) : settled;
  });
  const apply: Apply = async (base) => ({
    message: input.message ?? `Move ${from} to ${path}`,
    files: (await plan(base)).files,
  });
  const landed = input.dry_run
    ? await preview(session, apply)
    : await land(session, 'move_page', input, apply);
  const done = landed.changed ? await plan(landed.before) : null;
  const updated = (done?.updated ?? []).filter((page) => page !== path);
  const described = {
    path,
    previous_path: from,
    ...(isFolder ? describeFolder(landed) : await describePage(landed, path, from)),
    ...describeMovedFiles(done),
    ...describeRetargeted(done?.retargeted ?? []),
  };
  const shown = countThatFits(updated, serializedLength(described) + 2_000);
  return { ...described, updated_pages: updated.slice(0, shown), updated_total: updated.length };
}

function describeFolder({ commit, changed }: Landed) {
  return { version: null, previous_version: null, commit, changed, diff: '' };
}
