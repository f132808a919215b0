import { inTurns } from '../../scheduling/in-turns.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { type AnchorMover, anchorMover, takenAnchors } from '../text/merging/merged-anchors.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Run } from '../text/text-runs.ts';

interface ChangedPages {
  before: Snapshot;
  moved: ReadonlyMap<string, string>;
  joined: ReadonlyMap<string, ReadonlyMap<string, string>>;
  runsAt(path: string): readonly Run[] | { comparedWith: string };
}

interface PageAfter {
  entry: TreeEntry;
  text: string;
  /** The pages of the base from which its text comes. */
  pages: readonly string[];
}

/**
 * The new targets of anchors if pages become one, by the old paths of those pages: new names in merged pages,
 * and anchors of the target pages that now lead to merged text.
 */
export async function anchorMovers(
  tree: ChangedPages,
  touched: readonly PageAfter[],
): Promise<Map<string, AnchorMover>> {
  const movers = new Map<string, AnchorMover>();
  const movedTo = new Map(
    [...tree.moved].flatMap(([from, at]) => (tree.joined.has(from) ? [] : [[at, from] as const])),
  );
  for (const page of touched) {
    for (const [path, mover] of await moversAt(tree, page, movedTo)) movers.set(path, mover);
  }
  return movers;
}

/** `movedTo` has the old paths of pages that were moved and not merged, by their new paths. */
async function moversAt(
  tree: ChangedPages,
  page: PageAfter,
  movedTo: ReadonlyMap<string, string>,
): Promise<[path: string, AnchorMover][]> {
  const movers: [string, AnchorMover][] = [];
  const place = page.entry.path;
  const runs = tree.runsAt(place);
  if ('comparedWith' in runs) return movers;
  const now = { text: page.text, runs };
  const joined = page.pages.filter((from) => placeOfJoined(tree, from) === place);
  for (const from of joined) {
    const text = await textBefore(tree, from);
    const blocks = tree.joined.get(from) ?? new Map();
    if (text !== null) movers.push([from, await inTurns(anchorMover({ from, text, now, blocks }))]);
  }
  if (joined.length > 0) {
    const from = movedTo.get(place) ?? place;
    const text = tree.joined.has(from) ? null : await textBefore(tree, from);
    if (text !== null) movers.push([from, await inTurns(takenAnchors({ text, now, joined: tree.joined }))]);
  }
  return movers;
}

/**
 * The path of the page into which a merged page went; that may be its own old path. Null if it was not
 * merged.
 */
export function placeOfJoined(
  { moved, joined }: { moved: ReadonlyMap<string, string>; joined: { has(from: string): boolean } },
  from: string,
): string | null {
  return joined.has(from) ? (moved.get(from) ?? from) : null;
}

async function textBefore({ before }: ChangedPages, path: string): Promise<string | null> {
  const entry = await before.entry(path);
  return entry === null ? null : decodeText(await before.blob(entry.oid)).text;
}
