import type { Heading } from './markdown.ts';

export interface Section {
  heading: Heading;
  /** From the heading's line on. */
  start: number;
  /** Where its content begins, after the heading. */
  bodyStart: number;
  /** Where its first subsection begins; `end` where it has none. */
  ownEnd: number;
  /** After its subsections. */
  end: number;
}

export type SectionSearch =
  | { kind: 'found'; section: Section }
  | { kind: 'missing' }
  /** Paths that each find one of them, in order. */
  | { kind: 'ambiguous'; paths: string[] };

/**
 * The section under a heading, named by its text or by a path of headings such as `One/Sub`: whole texts, in
 * this case if one has it, else in any. A leading `/` says that the path is complete, and `[2]` at its end means
 * the second of that name. Headings are those of `scanBlocks`, `length` is the text's.
 */
export function findSection(headings: readonly Heading[], length: number, wanted: string): SectionSearch {
  const nodes = withPaths(headings);
  const found = matching(nodes, wanted);
  const [only] = found;
  if (only === undefined) return { kind: 'missing' };
  if (found.length === 1) return { kind: 'found', section: sectionAt(headings, only.index, length) };
  return { kind: 'ambiguous', paths: found.map((node) => distinctPath(nodes, node)) };
}

/** The paths of all headings, such as `One/Sub`, in order. */
export function headingPaths(headings: readonly Heading[]): string[] {
  return withPaths(headings).map(({ path }) => path);
}

/** A heading's text as a reader sees it: links by their text, no marks of emphasis or code. */
export function plainText(heading: string): string {
  return heading
    .slice(0, longestCompared)
    .replace(/!?\[\[(?:[^\][|]*\|)?([^\][|]*)\]\]/g, '$1')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\*+|~~|`+/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Bounds the cost of comparing headings on a page that has an endless one. */
const longestCompared = 1_000;

interface Node {
  index: number;
  /** The headings that it is below and its own, as plain text. */
  path: string;
}

function withPaths(headings: readonly Heading[]): Node[] {
  const above: { level: number; path: string }[] = [];
  return headings.map(({ level, text }, index) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const parent = above.at(-1);
    const path = parent === undefined ? plainText(text) : `${parent.path}/${plainText(text)}`;
    above.push({ level, path });
    return { index, path };
  });
}

function matching(nodes: readonly Node[], wanted: string): Node[] {
  const whole = matchingPath(nodes, wanted);
  if (whole.length > 0) return whole;
  const ordinal = /^(.*)\[(\d{1,6})\]$/s.exec(wanted);
  if (ordinal !== null) {
    const nth = matchingPath(nodes, ordinal[1] ?? '')[Number(ordinal[2]) - 1];
    return nth === undefined ? [] : [nth];
  }
  const marks = /^\s*#{1,6}\s+/.exec(wanted)?.[0];
  return marks === undefined ? [] : matchingPath(nodes, wanted.slice(marks.length));
}

function matchingPath(nodes: readonly Node[], wanted: string): Node[] {
  const path = plainText(wanted).normalize('NFC');
  const complete = path.startsWith('/');
  const matches = (fold: (text: string) => string) => {
    const folded = fold(complete ? path.slice(1) : path);
    return nodes.filter((node) => {
      const candidate = fold(node.path.normalize('NFC'));
      return candidate === folded || (!complete && candidate.endsWith(`/${folded}`));
    });
  };
  const exact = path === '' || path === '/' ? [] : matches((text) => text);
  return exact.length > 0 || path === '' || path === '/' ? exact : matches((text) => text.toLowerCase());
}

/** A path that finds this heading and no other. */
function distinctPath(nodes: readonly Node[], node: Node): string {
  const same = nodes.filter(({ path }) => path === node.path);
  const path = matchingPath(nodes, node.path).length === same.length ? node.path : `/${node.path}`;
  return same.length === 1 ? path : `${path}[${same.indexOf(node) + 1}]`;
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
