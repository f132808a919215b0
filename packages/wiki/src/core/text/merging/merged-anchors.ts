import type { Steps } from '../../../scheduling/in-turns.ts';
import {
  anchorFinder,
  type PageAnchors,
  parentsOf,
  scanIds,
  slugOf,
  withoutId,
} from '../markdown/anchors.ts';
import type { Heading, Link } from '../markdown/markdown.ts';
import { blockSteps } from '../markdown/markdown-blocks.ts';
import { MAX_HEADINGS_FOUND, plainText } from '../markdown/outline.ts';
import { originsOf, type Run } from '../text-runs.ts';
import { blockKey } from './merged-labels.ts';

/** The new name of an anchor in the page into which its page was merged. */
export interface MovedAnchor {
  anchor: string;
  /** `was`: it had a target before. `isKept`: its new name leads to the same place. */
  was: boolean;
  isKept: boolean;
  /** True if it leads nowhere now. */
  isLost?: boolean;
}

export type AnchorMover = (anchor: string, kind: Link['kind']) => MovedAnchor;

interface MergedPage {
  /** The tree path of the page and its text before. */
  from: string;
  text: string;
  /** The text of the target page, and the pages from which its parts come. */
  now: { text: string; runs: readonly Run[] };
  /** New ids of blocks, by the old ones (see blockKey). */
  blocks: ReadonlyMap<string, string>;
}

/**
 * Returns a function to the new names of a merged page's anchors. An anchor that is the first of its name
 * stays. A heading with another one of its name before it is named by the headings above it or, in a Markdown
 * link, by its number.
 */
export function* anchorMover({ from, text, now, blocks }: MergedPage): Steps<AnchorMover> {
  const before = yield* anchorsIn(text);
  const after = yield* anchorsIn(now.text);
  const [find, findNow] = [anchorFinder(before), anchorFinder(after)];
  const places = placesOf(before.headings, ownHeadings(after.headings, now.runs, from));
  const namesOf = headingNames(after.headings);
  const ids = Map.groupBy(after.ids, blockKey);

  function otherAnchor(anchor: string, kind: 'page' | 'id' | 'block'): MovedAnchor {
    if (kind === 'page') return { anchor, was: true, isKept: true };
    if (kind === 'id') return { anchor, was: true, isKept: ids.get(blockKey(anchor))?.length === 1 };
    const at = anchor.lastIndexOf('^') + 1;
    const id = blocks.get(blockKey(anchor.slice(at)));
    return { anchor: id === undefined ? anchor : anchor.slice(0, at) + id, was: true, isKept: true };
  }

  return (anchor, kind) => {
    const found = find(anchor, kind);
    const led = findNow(anchor, kind);
    if (found === null) return { anchor, was: false, isKept: led === null };
    if (found.kind !== 'heading') return otherAnchor(anchor, found.kind);
    const index = places.get(found.index);
    // The change itself removed the heading.
    if (index === undefined) return { anchor, was: true, isKept: led === null };
    const leads = (name: string) => {
      const there = findNow(name, kind);
      return there?.kind === 'heading' && there.index === index;
    };
    if (leads(anchor)) return { anchor, was: true, isKept: true };
    const name = namesOf(index, kind).find(leads);
    return { anchor: name ?? anchor, was: true, isKept: name !== undefined };
  };
}

/**
 * Returns a check for the anchors of a page that took in others (`joined`): which of them now lead to text
 * that these brought. They were broken before. They cannot be corrected, only reported.
 */
export function* takenAnchors({
  text,
  now,
  joined,
}: Pick<MergedPage, 'text' | 'now'> & { joined: { has(from: string): boolean } }): Steps<AnchorMover> {
  const find = anchorFinder(yield* anchorsIn(text));
  const after = yield* anchorsIn(now.text);
  const findNow = anchorFinder(after);
  const headings: readonly Heading[] = after.headings;
  const origins = headingOrigins(headings, now.runs);
  return (anchor, kind) => {
    const led = findNow(anchor, kind);
    const was = find(anchor, kind) !== null;
    if (led?.kind !== 'heading') return { anchor, was, isKept: was || led === null };
    const from = origins[led.index] ?? null;
    return { anchor, was, isKept: from === null || !joined.has(from) };
  };
}

export type PageAnchorsInText = Omit<PageAnchors, 'headings'> & { headings: Heading[] };

export function* anchorsIn(text: string): Steps<PageAnchorsInText> {
  const blocks = yield* blockSteps(text);
  yield;
  return { headings: blocks.headings.slice(0, MAX_HEADINGS_FOUND), ...scanIds(text, blocks) };
}

/** The headings of a text that come from a page. */
function ownHeadings(headings: readonly Heading[], runs: readonly Run[], from: string) {
  const origins = headingOrigins(headings, runs);
  return headings.flatMap(({ level, text }, place) =>
    origins[place] === from ? [{ level, text, place }] : [],
  );
}

function headingOrigins(headings: readonly Heading[], runs: readonly Run[]) {
  return originsOf(
    headings.map(({ start }) => ({ start, end: start + 1 })),
    runs,
  );
}

/** The new positions of a page's headings, in their order. A removed or rewritten heading has none. */
function placesOf(
  headings: readonly Heading[],
  now: readonly { level: number; text: string; place: number }[],
): Map<number, number> {
  const places = new Map<number, number>();
  const alike = Map.groupBy(now, keyOf);
  const used = new Map<string, number>();
  let next = 0;
  for (const [index, heading] of headings.entries()) {
    const key = keyOf(heading);
    const same = alike.get(key) ?? [];
    let at = used.get(key) ?? 0;
    while ((same[at]?.place ?? next) < next) at += 1;
    used.set(key, at);
    const found = same[at];
    if (found === undefined) continue;
    places.set(index, found.place);
    next = found.place + 1;
  }
  return places;
}

export function keyOf({ level, text }: Pick<Heading, 'level' | 'text'>): string {
  return `${level} ${text}`;
}

/** Names for headings with the same text, shortest first. */
function headingNames(headings: readonly Heading[]): (index: number, kind: Link['kind']) => string[] {
  const parents = parentsOf(headings);
  const seen = new Map<string, number>();
  const texts = headings.map(({ text }) => plainText(withoutId(text)));
  const slugs = texts.map((text) => {
    const slug = slugOf(text);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const textOf = (index: number) => (texts[index] ?? '').replace(/[[\]|#^]+/g, ' ').trim();

  return (index, kind) => {
    const above: number[] = [];
    for (let at = parents[index]; at !== undefined; at = parents[at]) above.push(at);
    const nested = above.map((parent) => `${textOf(parent)}#${textOf(index)}`);
    const whole = above.map((_, depth) =>
      [...above.slice(0, depth + 1).toReversed(), index].map(textOf).join('#'),
    );
    return [kind === 'wiki' ? textOf(index) : (slugs[index] ?? ''), ...nested, ...whole];
  };
}
