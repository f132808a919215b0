import type { Steps } from '../../../scheduling/in-turns.ts';
import { anchorFinder } from '../markdown/anchors.ts';
import { type AnchorMover, anchorsIn, keyOf, type PageAnchorsInText } from './merged-anchors.ts';

/**
 * Finds the anchors of a page that an edit leads elsewhere: those without a target now, and those that name
 * another section. Null if there can be none. A section is the same as before if its heading is; if several
 * have that heading, if its text is the same too; else they are matched in order.
 */
export function* editedAnchors(before: string, after: string): Steps<AnchorMover | null> {
  const [was, now] = [yield* anchorsIn(before), yield* anchorsIn(after)];
  if (samePlaces(was, now) && !hasTwins(was)) return null;
  const [find, findNow] = [anchorFinder(was), anchorFinder(now)];
  const places = samePlacesOf(sectionsOf(before, was), sectionsOf(after, now));
  return (anchor, kind) => {
    const found = find(anchor, kind);
    if (found === null) return { anchor, was: false, isKept: true };
    const led = findNow(anchor, kind);
    if (led === null) return { anchor, was: true, isKept: false, isLost: true };
    const isKept =
      found.kind !== 'heading' || (led.kind === 'heading' && led.index === places.get(found.index));
    return { anchor, was: true, isKept };
  };
}

function samePlaces(was: PageAnchorsInText, now: PageAnchorsInText): boolean {
  const namesOf = ({ headings, blocks, ids }: PageAnchorsInText) =>
    JSON.stringify([headings.map(keyOf), blocks, ids]);
  return namesOf(was) === namesOf(now);
}

/** True if headings are alike. The texts below them may then have changed places. */
function hasTwins({ headings }: PageAnchorsInText): boolean {
  return new Set(headings.map(keyOf)).size < headings.length;
}

interface Section {
  level: number;
  text: string;
  /** The text from its heading to the next. */
  whole: string;
}

function sectionsOf(text: string, { headings }: PageAnchorsInText): Section[] {
  return headings.map(({ level, text: heading, start }, index) => {
    return { level, text: heading, whole: text.slice(start, headings[index + 1]?.start).trim() };
  });
}

function samePlacesOf(before: readonly Section[], after: readonly Section[]): Map<number, number> {
  const known = new Map<number, number>();
  const byText = (sections: readonly Section[]) =>
    Map.groupBy(sections.keys(), (index) => sections[index]?.whole);
  const there = byText(after);
  for (const [whole, [was, ...others]] of byText(before)) {
    const [now, ...more] = there.get(whole) ?? [];
    if (was !== undefined && now !== undefined && others.length + more.length === 0) known.set(was, now);
  }
  const taken = new Set(known.values());
  const free = Map.groupBy(
    after.keys().filter((place) => !taken.has(place)),
    (place) => keyOf(after[place] as Section),
  );
  for (const [index, section] of before.entries()) {
    const place = known.has(index) ? undefined : free.get(keyOf(section))?.shift();
    if (place !== undefined) known.set(index, place);
  }
  return known;
}
