import type { Index } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { type LinkIndex, type Retargeted, relink } from '../relinking/relink.ts';
import { compareText } from '../text/text-order.ts';
import type { NetChange } from '../writing/net-change.ts';
import { moveAttachments } from './moving-attachments.ts';
import { namingFinder } from './named-files.ts';

/** A net change with all its consequences. */
export interface Settled {
  net: NetChange;
  files: FileWrite[];
  /** Paths of the pages whose links were rewritten. */
  updated: string[];
  retargeted: Retargeted[];
  /** The files that moved along with their pages, by their old paths. */
  movedFiles: ReadonlyMap<string, string>;
}

/**
 * Moves attachments with their pages, and rewrites links to moved pages: resolved in the base, written for
 * the final state.
 */
export async function settle(index: Index, net: NetChange): Promise<Settled> {
  const merged = await net.merged();
  const isNamed = namingFinder(index, net);
  const movedFiles = new Map<string, string>();
  for (const page of [...net.moved.keys()]) {
    const isAlone = pagePathOf(page) !== null && !net.unfollowed.has(page) && !merged.has(page);
    if (!isAlone) continue;
    for (const [from, to] of await moveAttachments(index, net, page, isNamed)) movedFiles.set(from, to);
  }
  return { ...(await settleLinks(index, net)), movedFiles };
}

/** The same after attachments have moved already. */
export async function settleLinks(index: LinkIndex, net: NetChange): Promise<Settled> {
  const { files, retargeted } = await relink(index, {
    before: net.draft.base,
    after: net.draft,
    paths: net.draft.writes().map(({ path }) => path),
    moved: net.moved,
    merged: await net.merged(),
    replaced: await net.replaced(),
    placeOf: (path) => net.placeOf(path),
    follows: (place) => net.isFollowed && !net.unfollowed.has(place),
    joined: net.joined,
    runsAt: (path) => net.runsAt(path),
    reportsNew: true,
  });
  net.draft.write(files);
  return {
    net,
    files: await net.writes(),
    updated: files.flatMap(({ path }) => pagePathOf(path) ?? []).sort(compareText),
    retargeted,
    movedFiles: new Map(),
  };
}

/** Makes a plan once for each base, since the answer needs the plan that was carried out. */
export function oncePerBase<Plan>(
  plan: (base: Snapshot) => Promise<Plan>,
): (base: Snapshot) => Promise<Plan> {
  let last: { commit: string | null; made: Promise<Plan> } | null = null;
  return (base) => {
    if (last?.commit !== base.commit || last === null) last = { commit: base.commit, made: plan(base) };
    return last.made;
  };
}
