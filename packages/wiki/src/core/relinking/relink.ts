import { inBatches } from '../../scheduling/in-batches.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Index } from '../index-port.ts';
import { encodePage } from '../pages/page-content.ts';
import { folderOf, pagePathOf } from '../paths/page-path.ts';
import type { FileWrite, Snapshot, TreeEntry } from '../ports.ts';
import {
  isRetargeted,
  type LinkChange,
  leadsToSamePage,
  type RetargetedLink,
} from '../text/links/follow-link.ts';
import { followLinks } from '../text/links/follow-links.ts';
import { nameKey, nameKeysOf } from '../text/links/link-names.ts';
import { createLinkResolver, type LinkNames } from '../text/links/link-resolver.ts';
import { namesMovedFolder } from '../text/links/rebased-link.ts';
import { linkSteps } from '../text/markdown/markdown-links.ts';
import { decodeText } from '../text/text-encoding.ts';
import { compareText } from '../text/text-order.ts';
import { pagesOfRuns, type Run, wholeText } from '../text/text-runs.ts';
import { anchorMovers } from './anchor-movers.ts';
import { anchorsInEditedPages } from './anchors-in-edited-pages.ts';
import { changedNames, namesAfter } from './changed-names.ts';
import { findHiddenLinks, type HiddenLink } from './newly-hidden-links.ts';

/** A change of a wiki, before its links are examined. All paths are tree paths. */
export interface ChangedTree {
  before: Snapshot;
  after: Snapshot;
  /** Every file that was written, moved or removed, by its old and its new path. */
  paths: readonly string[];
  moved: ReadonlyMap<string, string>;
  merged: ReadonlySet<string>;
  /** Pages that were deleted and whose paths other pages of `before` have now. */
  replaced: ReadonlySet<string>;
  /**
   * Pages that became part of another one, each with a map from the old ids of its blocks to the new ones.
   */
  joined: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The new path of a path that was empty. */
  placeOf(path: string): string;
  /** True if links are rewritten that lead to the page or file formerly at this path, or that are on it. */
  follows(place: string): boolean;
  /**
   * The old pages from which the text of one of `paths` comes; empty if the caller gave the content. If it is
   * unknown which parts changed, the path of the old page to compare the text with.
   */
  runsAt(path: string): readonly Run[] | { comparedWith: string };
  /** True if new links of the change that lead to pages it moves or removes are reported. */
  reportsNew: boolean;
}

/** A link that leads elsewhere than before, on a page that the request did not write. */
export interface Retargeted extends RetargetedLink {
  /** The tree path of its page. */
  page: string;
}

/** The queries of the search index that relinking needs. */
export type LinkIndex = Pick<Index, 'seesEveryPage' | 'linksNamed' | 'namesLike'>;

export interface Relinked {
  /** Pages with rewritten links. */
  files: FileWrite[];
  retargeted: Retargeted[];
}

/**
 * Rewrites the links that a change would lead elsewhere, if it follows them, and reports all others. Reads
 * only pages that the change touched and pages whose links lead elsewhere; the index finds these.
 */
export async function relink(index: LinkIndex, tree: ChangedTree): Promise<Relinked> {
  const { commit } = tree.before;
  if (commit === null) return nothing;
  const edited = await anchorsInEditedPages(tree);
  const names = await changedNames({ ...tree, edited });
  const folders = placesOfFolders(tree);
  for (const [from] of folders) names.keys.add(nameKey(from));
  const hidden = await findHiddenLinks(tree);
  if (names.keys.size === 0 && tree.moved.size === 0 && hidden.length === 0) return nothing;

  // A new link can have lost its target only if the change removed a name.
  const reportsNew = tree.reportsNew && names.removed.size > 0;
  const touched = await touchedPages(tree, reportsNew);
  const placed = await index.linksNamed(commit, [...names.keys]);
  const links: Parameters<typeof nameKeysOf>[0][] = [...placed, ...hidden].map(({ link }) => link);
  links.push(...hidden.flatMap(({ by }) => by ?? []));
  for (const { text } of touched) links.push(...(await inTurns(linkSteps(text))));
  const yieldIfDue = yielding();
  const places = [...tree.moved.values(), ...folders.values()];
  const keys = new Set([...names.keys, ...places.map(nameKey)]);
  for (const link of links) {
    await yieldIfDue();
    for (const key of nameKeysOf(link)) keys.add(key);
  }
  const known = await namesFor(index, commit, keys);
  const after = namesAfter(known, names);
  const { moved, merged, replaced, placeOf, follows } = tree;
  const change: LinkChange = {
    before: createLinkResolver(known.treePaths, known.aliases),
    after: createLinkResolver(after.treePaths, after.aliases),
    moved,
    merged,
    replaced,
    placeOf,
    anchors: new Map([...edited, ...(await anchorMovers(tree, touched))]),
    removed: reportsNew ? names.removed : new Set<string>(),
    follows,
    isBlind: !index.seesEveryPage,
  };

  const written = new Set(tree.paths);
  const others = new Set<string>();
  for (const { from, link } of placed) {
    await yieldIfDue();
    if (written.has(from)) continue;
    if (isRetargeted(link, from, change) || namesMovedFolder(link, from, change)) others.add(from);
  }
  const concerns = (link: Parameters<typeof nameKeysOf>[0]) =>
    nameKeysOf(link).some((key) => names.keys.has(key));
  const followed = [
    ...(await inBatches(touched, (page) => follow(page, change))),
    ...(await inBatches([...others], async (path) => {
      const entry = await tree.after.entry(path);
      if (entry === null) return nothing;
      const page = await readPage(tree.after, entry);
      return follow({ ...page, pages: [path], origins: wholeText(path) }, change, concerns);
    })),
  ];
  const rows = followed.flatMap(({ retargeted }) => retargeted);
  const { shadowed = [], text = [] } = Object.groupBy(hidden, (each) =>
    each.isShadowed ? 'shadowed' : 'text',
  );
  const retargeted = [...withShadowed(rows, hiddenNow(shadowed, change)), ...hiddenNow(text, change)];
  return {
    files: followed.flatMap(({ files }) => files),
    retargeted: retargeted.sort((one, other) => compareText(one.page, other.page)),
  };
}

/** The new paths of the folders that move, by the old ones: a link may name a folder. */
function placesOfFolders({ moved, placeOf }: Pick<ChangedTree, 'moved' | 'placeOf'>): Map<string, string> {
  const folders = new Set<string>();
  for (const from of moved.keys()) {
    for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder)) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const places = [...folders].map((folder) => [folder, placeOf(folder)] as const);
  return new Map(places.filter(([from, to]) => from !== to));
}

/** Hidden links: those that are text now lead nowhere, and definitions lead where the one that counts now leads. */
function hiddenNow(hidden: readonly HiddenLink[], change: LinkChange): Retargeted[] {
  return hidden.flatMap(({ link, by, written, from, page }): Retargeted[] => {
    const led = change.before.resolve(link, from);
    if (led === null) return [];
    const leads = by === null ? null : change.after.resolve(by, page);
    const about = { page, link: written, oldTarget: led.path, newTarget: leads?.path ?? null };
    if (leads === null || !leadsToSamePage(led, leads, change)) return [about];
    const anchors = { old: led.anchor, now: leads.anchor };
    return anchors.old === anchors.now ? [] : [{ ...about, anchors }];
  });
}

/** Adds shadowed definitions in place of their own rows: a definition that another one precedes leads elsewhere once. */
function withShadowed(rows: readonly Retargeted[], shadowed: readonly Retargeted[]): Retargeted[] {
  const keyOf = ({ page, link, oldTarget }: Retargeted) => JSON.stringify([page, link, oldTarget]);
  const counts = new Map<string, number>();
  for (const row of shadowed) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const others = rows.filter((row) => {
    const count = counts.get(keyOf(row)) ?? 0;
    counts.set(keyOf(row), count - 1);
    return count <= 0;
  });
  return [...others, ...shadowed];
}

/**
 * All files with these names, and all with the names of pages that have such an alias: a link to one may need
 * its path.
 */
async function namesFor(index: LinkIndex, commit: string, keys: ReadonlySet<string>): Promise<LinkNames> {
  const known = await index.namesLike(commit, [...keys]);
  const called = new Set(known.aliases.map(([, path]) => nameKey(path)));
  if (called.isSubsetOf(keys)) return known;
  const { treePaths } = await index.namesLike(commit, [...called]);
  return { ...known, treePaths: [...new Set([...known.treePaths, ...treePaths])] };
}

const nothing: Relinked = { files: [], retargeted: [] };

interface Page {
  entry: TreeEntry;
  path: string;
  text: string;
  bom: boolean;
  valid: boolean;
}

async function readPage(snapshot: Snapshot, entry: TreeEntry): Promise<Page> {
  const path = pagePathOf(entry.path) ?? entry.path;
  return { entry, path, ...decodeText(await snapshot.blob(entry.oid)) };
}

/** A page with the origins of its parts and the pages from which they come. */
interface TouchedPage extends Page {
  pages: readonly string[];
  origins: Parameters<typeof followLinks>[0]['origins'];
}

/** The pages that the change moved or wrote in part, and, if `reportsNew`, those that it wrote whole. */
async function touchedPages(tree: ChangedTree, reportsNew: boolean): Promise<TouchedPage[]> {
  const pages = await inBatches(tree.paths, async (path) => {
    if (pagePathOf(path) === null) return [];
    const runs = tree.runsAt(path);
    const isGiven = !('comparedWith' in runs) && pagesOfRuns(runs).length === 0;
    if (isGiven && !reportsNew) return [];
    const entry = await tree.after.entry(path);
    if (entry === null) return [];
    const page = await readPage(tree.after, entry);
    if (!('comparedWith' in runs)) {
      return [{ ...page, pages: pagesOfRuns(runs), origins: runs }];
    }
    const { comparedWith: from } = runs;
    const source = await tree.before.entry(from);
    if (source === null) return [];
    const { text } = decodeText(await tree.before.blob(source.oid));
    return [{ ...page, pages: [from], origins: { from, text } }];
  });
  return pages.flat();
}

async function follow(
  { entry, path, text, bom, valid, pages, origins }: TouchedPage,
  change: LinkChange,
  concerns?: Parameters<typeof followLinks>[2],
): Promise<Relinked> {
  // A rewrite would damage bytes that are not UTF-8.
  const mayWrite = valid && pages.every((from) => change.follows(from));
  const follows = mayWrite ? change.follows : () => false;
  const followed = await inTurns(
    followLinks({ text, at: entry.path, origins }, { ...change, follows }, concerns),
  );
  const rewritten: FileWrite[] =
    followed.count === 0
      ? []
      : [{ path: entry.path, content: encodePage(path, followed.text, bom), mode: entry.mode }];
  return {
    files: rewritten,
    retargeted: followed.retargeted.map((link) => ({ page: entry.path, ...link })),
  };
}
