import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { oncePerBase, type Settled, settle } from '../../moving/settle.ts';
import { findPage, pageNotFound, requirePage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot } from '../../ports.ts';
import { describeRetargeted } from '../../relinking/retargeted.ts';
import { countThatFits, serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { NetChange } from '../../writing/net-change.ts';
import {
  type Apply,
  describePage,
  describeWrite,
  diffBetween,
  type Landed,
  land,
  type PagePlan,
  preview,
} from '../../writing/write.ts';

export async function deletePage(
  session: Session,
  input: Input<'delete_page'>,
): Promise<Output<'delete_page'>> {
  const { path, apply: remove } = planDelete(session, input);
  const { links_to: keptPath, dry_run: isDryRun } = input;
  const plan = oncePerBase(async (base): Promise<Relinked> => {
    const { message, files } = await remove(base);
    if (keptPath === undefined) return { message, files, settled: null };
    const settled = await keepOther(session, base, { ...input, links_to: keptPath });
    return { message, files: settled.files, settled };
  });
  const landed = isDryRun ? await preview(session, plan) : await land(session, 'delete_page', input, plan);
  const settled = landed.changed ? (await plan(landed.before)).settled : null;
  const described =
    keptPath === undefined || settled === null
      ? await describeWrite(session, landed, path, 'given')
      : { path, ...(await describeKept(landed, path, keptPath, settled)) };
  const commit = landed.after.commit;
  const linked = commit === null ? [] : (await session.index.links(commit, path)).linkedFrom;
  // The index knows no dry run: there the links are as before.
  const links = isDryRun ? linked.filter((link) => !settled?.updated.includes(link.path)) : linked;
  const shown = countThatFits(links, serializedLength(described) + 2_000);
  return { ...described, broken_links: links.slice(0, shown), broken_total: links.length };
}

interface Relinked extends Awaited<ReturnType<Apply>> {
  /** Null if links to the page stay as they are. */
  settled: Settled | null;
}

export function planDelete(
  session: Session,
  input: Pick<Input<'delete_page'>, 'path' | 'version' | 'message'>,
): PagePlan {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await findPage(base, path);
    // No suggestions: a model that deletes a suggested page would delete one that nobody named.
    if (entry === null) throw pageNotFound(path);
    await requireVersion(session, base, path, entry, input.version);
    return { message: input.message ?? `Delete ${path}`, files: [{ path: entry.path, remove: true }] };
  };
  return { path, apply, content: 'given' };
}

/** Deletes a page that is there, and lets the links to it lead to another one. */
async function keepOther(
  session: Session,
  base: Snapshot,
  { path, links_to: keptPath, links_to_version: version }: Input<'delete_page'> & { links_to: string },
): Promise<Settled> {
  const kept = parsePagePath(keptPath);
  const page = await requirePage(base, parsePagePath(path), session.index);
  const other = await requirePage(base, kept, session.index);
  if (page.path === other.path) throw keepsItself(path);
  await requireVersion(session, base, kept, other, version);
  const net = new NetChange(base);
  await net.standIn(page.path, other.path);
  return settle(session.index, net);
}

async function describeKept(landed: Landed, path: string, keptPath: string, settled: Settled) {
  const { before } = landed;
  const described = { ...(await describePage(landed, path)), ...describeRetargeted(settled.retargeted) };
  const kept = await findPage(before, parsePagePath(keptPath));
  const snapshots = { before, after: before };
  const difference = await diffBetween(snapshots, described.previous_version, kept?.oid ?? null);
  const shown = countThatFits(settled.updated, serializedLength({ ...described, difference }) + 2_000);
  return {
    ...described,
    difference,
    updated_pages: settled.updated.slice(0, shown),
    updated_total: settled.updated.length,
  };
}

function keepsItself(path: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `Links to ${JSON.stringify(path)} cannot lead to the page itself: it would be gone.`,
    now: 'Nothing was changed.',
    next: 'Give another page as links_to, or leave it out.',
  });
}
