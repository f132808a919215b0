import { WikiError } from '../../contract/errors.ts';
import { inBatches } from '../../scheduling/in-batches.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import type { PlacedLink } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, FileWrite, Snapshot, TreeEntry } from '../ports.ts';
import { changedNames, namesAfter } from '../relinking/changed-names.ts';
import type { LinkIndex } from '../relinking/relink.ts';
import type { Session } from '../session.ts';
import { nameKeysOf } from '../text/links/link-names.ts';
import { linkSteps } from '../text/markdown/markdown-links.ts';
import { decodeText } from '../text/text-encoding.ts';
import { compareText } from '../text/text-order.ts';
import type { NetChange } from '../writing/net-change.ts';
import { type Settled, settleLinks } from './settle.ts';

/**
 * Undoes a move: if a move reverses the one that made the newest commit, restores the tree before that
 * commit. Otherwise a link that the first move lengthened, because the moved page took over its short name,
 * would stay longer.
 *
 * Only a move's own work is undone, never a person's text. The first move is planned again on the tree before
 * it, and the commit must be exactly that plan, with each link leading where it led.
 */
export async function takeBack(session: Session, settled: Settled): Promise<Settled> {
  // Under a scope, the first move may have changed pages that this call may not write.
  if (session.call.scope !== undefined || settled.retargeted.length > 0) return settled;
  const first = await newestCommit(session, settled);
  if (first === null || !(await isMove(session, settled.net, first))) return settled;
  const { net } = settled;
  const { base } = net.draft;
  const updated: string[] = [];
  for (const { path } of net.draft.writes()) net.draft.write([fileOf(path, await base.entry(path))]);
  for (const { path, before } of first.changes) {
    net.draft.write([fileOf(path, before)]);
    const page = pagePathOf(path);
    const now = await base.entry(placeBefore(net, path));
    if (page !== null && before !== null && now?.oid !== before.oid) updated.push(page);
  }
  return { ...settled, files: await net.writes(), updated: updated.sort(compareText) };
}

function fileOf(path: string, entry: TreeEntry | null): FileWrite {
  return entry === null ? { path, remove: true } : { path, oid: entry.oid, mode: entry.mode };
}

interface NewestCommit {
  parent: Snapshot;
  changes: FileChange[];
}

/**
 * The newest commit, if it moved a page away from the path to which the page now returns. It may have changed
 * any number of pages. Examining them costs as much as the move that rewrote them, and less than the search
 * index takes to follow the commit.
 */
async function newestCommit({ repository, index }: Session, { net }: Settled): Promise<NewestCommit | null> {
  const { commit } = net.draft.base;
  const place = [...net.moved.values()].find((path) => pagePathOf(path) !== null);
  if (commit === null || place === undefined) return null;
  const path = pagePathOf(place) ?? place;
  const { entries } = await index.history({ commit, path, offset: 0, limit: 1, pagesMost: 0 });
  const [newest] = entries;
  if (newest?.commit.oid !== commit || newest.version !== null) return null;
  const [parent, ...others] = newest.commit.parents;
  if (parent === undefined || others.length > 0) return null;
  return { parent: await repository.at(parent), changes: await repository.changes(parent, commit) };
}

/** True if the commit is exactly the move that `net` reverses. */
async function isMove(session: Session, net: NetChange, first: NewestCommit): Promise<boolean> {
  if (!(await movesBack(net, first))) return false;
  const plan = await net.reversed(first.parent);
  let planned: Settled;
  try {
    planned = await settleLinks(indexBefore(session, net.draft.base, first), plan);
  } catch (error) {
    // The rewritten links would make a page too large: the commit is something else.
    if (error instanceof WikiError && error.code === 'too_large') return false;
    throw error;
  }
  if (planned.retargeted.length > 0 || planned.files.length !== first.changes.length) return false;
  for (const { path, after } of first.changes) {
    const entry = await plan.draft.entry(path);
    if (entry?.oid !== after?.oid || entry?.mode !== after?.mode) return false;
  }
  return true;
}

/**
 * True if everything that moves lay only at the place to which it returns, and if the commit made or removed
 * nothing else. Without this check, a page could be left behind that the parent lacks, or a deletion be
 * undone. Reads no page.
 */
async function movesBack({ moved }: NetChange, { parent, changes }: NewestCommit): Promise<boolean> {
  for (const [from, to] of moved) {
    if ((await parent.entry(to)) === null || (await parent.entry(from)) !== null) return false;
  }
  const places = new Set([...moved.keys(), ...moved.values()]);
  return changes.every(({ path, before, after }) => places.has(path) || (before !== null && after !== null));
}

/**
 * The queries that relinking needs, answered as of the commit before the newest one. The index itself stays
 * where it is.
 */
function indexBefore({ index }: Session, now: Snapshot, { parent, changes }: NewestCommit): LinkIndex {
  const paths = changes.map(({ path }) => path);
  const changed = new Set(paths);
  const nothing = {
    moved: new Map<string, string>(),
    joined: new Map<string, unknown>(),
    edited: new Set<string>(),
  };
  return {
    seesEveryPage: index.seesEveryPage,
    async linksNamed(_commit, names) {
      const links = await index.linksNamed(now.commit ?? '', names);
      const wanted = new Set(names);
      const before = await inBatches(changes, ({ before }) => linksNamedOn(parent, before, wanted));
      return [...links.filter(({ from }) => !changed.has(from)), ...before.flat()];
    },
    async namesLike(_commit, names) {
      const reverted = await changedNames({ before: now, after: parent, paths, ...nothing });
      return namesAfter(await index.namesLike(now.commit ?? '', names), reverted);
    },
  };
}

async function linksNamedOn(
  snapshot: Snapshot,
  entry: TreeEntry | null,
  names: ReadonlySet<string>,
): Promise<PlacedLink[]> {
  if (entry === null || pagePathOf(entry.path) === null) return [];
  const { text } = decodeText(await snapshot.blob(entry.oid));
  const links = await inTurns(linkSteps(text));
  const named = links.filter((link) => nameKeysOf(link).some((name) => names.has(name)));
  return named.map((link) => ({ from: entry.path, line: 0, link }));
}

/** The path before the move of what lies at `place` after it. */
function placeBefore({ moved }: NetChange, place: string): string {
  for (const [from, to] of moved) if (to === place) return from;
  return place;
}
