import { foldCase } from '../fold-case.ts';
import type { Heading } from './markdown.ts';
import { shownText } from './shown-text.ts';

export interface Section {
  heading: Heading;
  /** The start of the heading's line. */
  start: number;
  /** The start of its content, after the heading. */
  bodyStart: number;
  /** The start of its first subsection; `end` if it has none. */
  ownEnd: number;
  /** The end after its subsections. */
  end: number;
}

export type SectionSearch =
  | { kind: 'found'; section: Section }
  | { kind: 'missing' }
  /** The first few paths that each find one of them, in order. */
  | { kind: 'ambiguous'; paths: string[]; total: number };

/** A look-up by name or path finds at most this many headings: comparing more takes too long at once. */
export const MAX_HEADINGS_FOUND = 20_000;
/**
 * The number of headings that callers show. Naming all of a page with a hundred thousand would take seconds.
 */
const MAX_HEADINGS_NAMED = 30;

/**
 * The section under a heading, named by its text or by a path of headings such as `One/Sub`. Whole texts are
 * compared, first in the given case, then in any case. A leading `/` marks a complete path, and `[2]` at its
 * end means the second heading of that name. `headings` are those of `scanBlocks`, `length` is the text's.
 */
export function findSection(headings: readonly Heading[], length: number, wanted: string): SectionSearch {
  const nodes = nodesOf(headings.slice(0, MAX_HEADINGS_FOUND));
  const found = matching(nodes, wanted);
  const [only] = found;
  if (only === undefined) return { kind: 'missing' };
  if (found.length === 1) return { kind: 'found', section: sectionAt(headings, only.index, length) };
  const named = found.slice(0, MAX_HEADINGS_NAMED);
  return {
    kind: 'ambiguous',
    paths: named.map((node) => distinctPath(nodes, found, node)),
    total: found.length,
  };
}

/** The paths of the first headings, such as `One/Sub`, in order. */
export function headingPaths(headings: readonly Heading[]): string[] {
  return nodesOf(headings.slice(0, MAX_HEADINGS_NAMED)).map(pathOf);
}

/** A heading's text as a reader sees it: links by their text, without marks, tags, escapes and entities. */
export function plainText(heading: string): string {
  const text = heading.slice(0, longestCompared);
  return /[[\]*_~`\\<&\ue000-\uf8ff]|\s\s|[^\S ]/.test(text) ? shownText(text) : text.trim();
}

/** Bounds the cost of comparing headings on a page with a very long one. */
const longestCompared = 1_000;

/**
 * A heading in the tree of headings. Its path is never stored: a hundred thousand headings below five long
 * ones would need gigabytes.
 */
interface Node {
  index: number;
  text: string;
  parent: Node | null;
}

function nodesOf(headings: readonly Heading[]): Node[] {
  const above: { level: number; node: Node }[] = [];
  return headings.map(({ level, text }, index) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const node = { index, text: plainText(text).normalize('NFC'), parent: above.at(-1)?.node ?? null };
    above.push({ level, node });
    return node;
  });
}

/** The texts of its parent headings and its own. */
function pathOf({ text, parent }: Node): string {
  return parent === null ? text : `${pathOf(parent)}/${text}`;
}

function matching(nodes: readonly Node[], wanted: string): Node[] {
  const whole = matchingPath(nodes, wanted);
  if (whole.length > 0) return whole;
  const ordinal = /^(.*)\[(\d{1,6})\]$/s.exec(wanted.slice(0, longestCompared));
  if (ordinal !== null) {
    const nth = matchingPath(nodes, ordinal[1] ?? '')[Number(ordinal[2]) - 1];
    return nth === undefined ? [] : [nth];
  }
  const marks = /^\s*#{1,6}\s+/.exec(wanted)?.[0];
  return marks === undefined ? [] : matchingPath(nodes, wanted.slice(marks.length));
}

/** The path may be given as it is shown or, if there is none, as it is written. */
function matchingPath(nodes: readonly Node[], wanted: string): Node[] {
  const shown = wanted.slice(0, longestCompared).replace(/\s+/g, ' ').trim().normalize('NFC');
  const found = matchingShown(nodes, shown);
  return found.length > 0 ? found : matchingShown(nodes, plainText(wanted).normalize('NFC'));
}

function matchingShown(nodes: readonly Node[], path: string): Node[] {
  if (path === '' || path === '/') return [];
  const complete = path.startsWith('/');
  const matches = (fold: (text: string) => string) => {
    const folded = fold(complete ? path.slice(1) : path);
    return nodes.filter((node) => endsIn(node, folded, complete, fold));
  };
  const exact = matches((text) => text);
  return exact.length > 0 ? exact : matches(foldCase);
}

/** True if the path of a heading is this one or, unless `complete`, ends with it after a `/`. */
function endsIn(node: Node, path: string, complete: boolean, fold: (text: string) => string): boolean {
  let end = path.length;
  for (let at = node; ; ) {
    const text = fold(at.text);
    if (text.length === end) return path.startsWith(text) && !(complete && at.parent !== null);
    if (text.length > end) return !complete && text.endsWith(`/${path.slice(0, end)}`);
    if (!path.endsWith(text, end)) return false;
    end -= text.length + 1;
    if (at.parent === null || path[end] !== '/') return false;
    at = at.parent;
  }
}

/**
 * On larger pages the complete path is used at once: finding a shorter one would mean comparing every
 * heading.
 */
const MAX_HEADINGS_COMPARED = 10_000;

/** A path that finds this heading and no other. `found` contains at least all headings with the same path. */
function distinctPath(nodes: readonly Node[], found: readonly Node[], node: Node): string {
  const path = pathOf(node);
  const same = found.filter((each) => endsIn(each, path, true, (text) => text));
  const isEnough = nodes.length <= MAX_HEADINGS_COMPARED && matchingPath(nodes, path).length === same.length;
  const written = isEnough ? path : `/${path}`;
  return same.length === 1 ? written : `${written}[${same.indexOf(node) + 1}]`;
}

function sectionAt(headings: readonly Heading[], index: number, length: number): Section {
  const heading = headings[index] as Heading;
  const next = headings[index + 1]?.start ?? length;
  const sibling = headings.find((other, at) => at > index && other.level <= heading.level);
  return {
    heading,
    start: heading.start,
    bodyStart: heading.bodyStart,
    ownEnd: next,
    end: sibling?.start ?? length,
  };
}
