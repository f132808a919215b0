import type { Steps } from '../../../scheduling/in-turns.ts';
import { findFrontmatter } from '../frontmatter/frontmatter.ts';
import { commonEnd, commonStart } from '../links/link-origins.ts';
import { textOfLink } from '../links/link-text.ts';
import { originsOf, type Run } from '../text-runs.ts';
import type { Link } from './markdown.ts';
import { linkSteps } from './markdown-links.ts';

/**
 * Finds the links that a change hides: their lines stay as they are, but now belong to frontmatter, code or a
 * comment, or to frontmatter that cannot be read. `kept` selects the lines that come from the old text, if
 * only some do.
 */
export function* hiddenLinks(
  before: string,
  after: string,
  kept: { from: string; runs: readonly Run[] } | null,
): Steps<Link[]> {
  if (!mayHide(before, after)) return [];
  const links = yield* linkSteps(before);
  if (links.length === 0) return [];
  const now = { text: after, links: yield* linkSteps(after) };
  const hidden: Link[] = [];
  for (const reach of new Set(links.map((link) => lineCount(before, link)))) {
    if (reach <= MAX_LINES) hidden.push(...(yield* hiddenOver(reach, { text: before, links }, now, kept)));
  }
  return hidden.sort((a, b) => a.start - b.start);
}

interface Text {
  text: string;
  links: readonly Link[];
}

/** The hidden links that reach over so many lines. */
function* hiddenOver(
  reach: number,
  before: Text,
  after: Text,
  kept: Parameters<typeof hiddenLinks>[2],
): Steps<Link[]> {
  const old = yield* linkedLines(before, linesOf(before.text, reach));
  const lines = linesOf(after.text, reach);
  const origins = kept === null ? null : originsOf(lines, kept.runs);
  const own = origins === null ? lines : lines.filter((_, index) => origins[index] === kept?.from);
  const now = yield* linkedLines(after, own);
  return [...old].flatMap(([line, { count, links }]) =>
    [...links].flatMap(([written, places]) => {
      const there = now.get(line);
      const stillLinked = there?.links.get(written)?.length ?? 0;
      const unlinked = (there?.count ?? 0) - stillLinked - (count - places.length);
      const hidden = Math.min(places.length - stillLinked, unlinked);
      return hidden > 0 ? places.slice(-hidden).flat() : [];
    }),
  );
}

/** Nobody breaks a link over more lines. */
const MAX_LINES = 5;

function lineCount(text: string, { start, end }: Link): number {
  return text.slice(start, end).split('\n', MAX_LINES + 1).length;
}

/**
 * True if the change may hide links. Most changes hide nothing, and scanning both texts takes time. Hiding
 * needs frontmatter, a mark of code, comments or HTML, or text that depends on the lines before it, such as
 * indented text and definitions. Where a line leaves code or HTML open, whatever ends its paragraph moves the end of that.
 */
function mayHide(before: string, after: string): boolean {
  if (before === after || !/\[\[|\]\(|\]:|<(?:a|img|video|audio|source)\s/i.test(before)) return false;
  if (yamlOf(before) !== yamlOf(after) || /^(?: {4}|\t).*[[<]|^ {0,3}\[[^\]\n]+\]:/m.test(before))
    return true;
  if (leavesOpen(before)) return true;
  const begun = commonStart(before, after);
  const ended = commonEnd(before, after, Math.min(before.length, after.length) - begun);
  const start = begun === 0 ? 0 : before.lastIndexOf('\n', begun - 1) + 1;
  return [before, after].some((text) => {
    const lineFeed = text.indexOf('\n', text.length - ended);
    const changed = text.slice(start, lineFeed === -1 ? undefined : lineFeed);
    return /[`<>]|~~~|^(?:---|\+\+\+)/m.test(changed);
  });
}

/** True if a line has a mark of code or HTML whose end, if there is one, is on a later line. Fences end no paragraph. */
function leavesOpen(text: string): boolean {
  // Each mark is searched only up to the next one: a line may have as many as it has characters.
  if (/<[a-z!/?][^<>\n]*$/im.test(text)) return true;
  return text.matchAll(/^(?! {0,3}```).*`.*$/gm).some(([line]) => {
    let open: number | null = null;
    for (const [{ length }] of line.matchAll(/`+/g)) {
      if (open === null) open = length;
      else if (length === open) open = null;
    }
    return open !== null;
  });
}

function yamlOf(text: string): string | null {
  const block = findFrontmatter(text);
  return block === null ? null : text.slice(block.yamlStart, block.yamlEnd);
}

/** Several lines, one after another. */
interface Lines {
  start: number;
  end: number;
  /** The end of the first one. */
  firstEnd: number;
  /** The start of the last one. */
  lastStart: number;
}

/** Each line in which a link may begin, with those after it: so many in all. */
function linesOf(text: string, count: number): Lines[] {
  const lines: Lines[] = [];
  for (let start = 0; start < text.length; ) {
    const firstEnd = endOfLine(text, start);
    OPENING.lastIndex = start;
    const opening = OPENING.exec(text)?.index;
    if (opening === undefined) break;
    let [lastStart, end] = [start, firstEnd];
    let found = 1;
    for (; found < count && end < text.length; found += 1) {
      lastStart = end + 1;
      end = endOfLine(text, lastStart);
    }
    // The links of fewer lines are found among those.
    if (found < count) break;
    if (opening < firstEnd) lines.push({ start, end, firstEnd, lastStart });
    start = firstEnd + 1;
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const lineFeed = text.indexOf('\n', from);
  return lineFeed === -1 ? text.length : lineFeed;
}

const OPENING = /[[<]/g;

interface LinkedLines {
  /** How often these lines are there. */
  count: number;
  /** By the written form of each link: for each place of these lines that has it, its places there. */
  links: Map<string, Link[][]>;
}

/** The links from the first to the last of their lines, by the text of these lines. */
function* linkedLines({ text, links }: Text, lines: readonly Lines[]): Steps<Map<string, LinkedLines>> {
  const found = new Map<string, LinkedLines>();
  let next = 0;
  for (const [index, { start, end, firstEnd, lastStart }] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) yield;
    const key = text.slice(start, end);
    const line = found.get(key) ?? { count: 0, links: new Map() };
    line.count += 1;
    found.set(key, line);
    while ((links[next]?.start ?? Infinity) < start) next += 1;
    const here: Link[] = [];
    for (let link = links[next]; link !== undefined && link.start < firstEnd; link = links[next]) {
      if (link.end <= end && link.end > lastStart) here.push(link);
      next += 1;
    }
    for (const [written, same] of Map.groupBy(here, (link) => textOfLink(link, text)))
      line.links.set(written, [...(line.links.get(written) ?? []), same]);
  }
  return found;
}

const LINES_AT_ONCE = 500;
