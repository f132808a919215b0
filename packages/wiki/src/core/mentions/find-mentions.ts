import type { Steps } from '../../scheduling/in-turns.ts';
import { lineCounter } from '../text/lines.ts';
import { barAt } from '../text/links/link-text.ts';
import { literal } from '../text/literal.ts';
import { isDelimiterRow } from '../text/markdown/block-syntax.ts';
import type { Link, Span } from '../text/markdown/markdown.ts';
import { blockSteps } from '../text/markdown/markdown-blocks.ts';
import { inlineSteps, linkSteps, MAX_LINKS } from '../text/markdown/markdown-links.ts';
import { normalForm } from '../text/normal-form.ts';
import { unlinkableSteps } from './unlinkable-places.ts';

/** Words of a page that name another page and can become a link, with the link that they would be. */
export interface Mention extends Span {
  line: number;
  /** The page's text with a link in the place of each mention. It leads nowhere yet. */
  draft: string;
  /** The link in the draft. */
  link: Link;
}

/**
 * The first mentions of these names in a text, or in one line of it: as whole words in any case, outside of frontmatter,
 * code, comments, links, formulas and tags. Headings are left out too: their text is the anchor by which others link to
 * them. So is the header of a table: its bars decide whether it is one.
 */
export function* mentionSteps(text: string, names: readonly string[], line?: number): Steps<Mention[]> {
  const pattern = patternOf(names);
  if (pattern === null) return [];
  const blocks = yield* blockSteps(text);
  yield;
  const { links, tags } = yield* inlineSteps(text, blocks);
  if (links.length >= MAX_LINKS) return [];
  const wanted = line === undefined ? { start: 0, end: text.length } : lineAt(text, line);
  const isTaken = meets([...links, ...tags, ...blocks.titles]);
  const isInHeader = tableHeaders(text);
  const found: Span[] = [];
  for (const { start, end } of blocks.prose) {
    if (end <= wanted.start || start >= wanted.end || found.length >= MAX_FOUND) continue;
    const spans = yield* spansIn(text.slice(start, end), pattern, start);
    const fits = (span: Span) =>
      span.start >= wanted.start && span.end <= wanted.end && !isTaken(span) && !isInHeader(span.end);
    found.push(...spans.filter(fits).take(MAX_FOUND - found.length));
  }
  return yield* thatBecomeLinks(text, found);
}

/** Where a paragraph that begins at `offset` names a page, without places that cannot become a link. */
function* spansIn(prose: string, pattern: RegExp, offset: number): Steps<IteratorObject<Span>> {
  yield;
  if (prose.search(pattern) === -1) return [].values();
  yield;
  const isUnlinkable = meets(yield* unlinkableSteps(prose));
  return prose
    .matchAll(pattern)
    .map(({ 0: { length }, index }) => ({ start: index, end: index + length }))
    .filter((span) => !isUnlinkable(span))
    .map(({ start, end }) => ({ start: offset + start, end: offset + end }));
}

/** Whether a line belongs to a table is searched anew for each. */
const MAX_FOUND = 100;

function lineAt(text: string, line: number): Span {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const lineFeed = text.indexOf('\n', start);
    if (lineFeed === -1) return { start: text.length, end: text.length };
    start = lineFeed + 1;
  }
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

/** Only a scan of the text with the links in it says which of them are in code, in a comment or in a tag of HTML. */
function* thatBecomeLinks(text: string, found: readonly Span[]): Steps<Mention[]> {
  const pieces: string[] = [];
  const places = new Map<number, Span>();
  let done = 0;
  let length = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const span of found) {
    add(text.slice(done, span.start));
    places.set(length, span);
    const bar = barAt({ ...span, destination: span, property: null }, text);
    add(`[[${STAND_IN}${bar}${text.slice(span.start, span.end)}]]`);
    done = span.end;
  }
  const draft = pieces.join('') + text.slice(done);
  yield;
  const numberOf = lineCounter(text);
  return (yield* linkSteps(draft)).flatMap((link) => {
    const span = places.get(link.start);
    const isWhole =
      span !== undefined && link.kind === 'wiki' && link.alias === text.slice(span.start, span.end);
    return isWhole ? [{ ...span, line: numberOf(span.start), draft, link }] : [];
  });
}

/** Returns a check whether an offset is in the line above the dashes of a table. Offsets must come in ascending order. */
function tableHeaders(text: string): (offset: number) => boolean {
  let lineEnd = -1;
  let isHeader = false;
  return (offset) => {
    if (offset <= lineEnd) return isHeader;
    const lineFeed = text.indexOf('\n', offset);
    lineEnd = lineFeed === -1 ? text.length : lineFeed;
    const next = text.indexOf('\n', lineEnd + 1);
    const below = text.slice(lineEnd + 1, next === -1 ? text.length : next);
    isHeader = isDelimiterRow(below.replace(/^[ >]+/, ''));
    return isHeader;
  };
}

const STAND_IN = 'x';

/** Returns a check whether a span meets one of these. Spans must come in ascending order. */
function meets(places: readonly Span[]): (span: Span) => boolean {
  const sorted = places.toSorted((a, b) => a.start - b.start);
  let at = 0;
  let lastEnd = 0;
  return ({ start, end }) => {
    for (let place = sorted[at]; place !== undefined && place.start < end; place = sorted[at]) {
      lastEnd = Math.max(lastEnd, place.end);
      at += 1;
    }
    return lastEnd > start;
  };
}

/** Null if none of the names can be searched for. The longest one that fits is a mention. */
function patternOf(names: readonly string[]): RegExp | null {
  const forms = names.flatMap((name) => [name.trim(), normalForm(name.trim()), name.trim().normalize('NFD')]);
  const usable = [...new Set(forms)]
    .filter((name) => /[\p{L}\p{N}]/u.test(name) && name.length <= MAX_NAME && !/[[\]|`\\<>\r\n]/.test(name))
    .sort((one, other) => other.length - one.length);
  if (usable.length === 0) return null;
  const alternatives = usable.map((name) => literal(name).replace(/\s+/g, '[ \\t]+')).join('|');
  return new RegExp(
    `(?<!${LETTER}|[#@^&=\\/\\\\\\-])(?:${alternatives})(?!${LETTER}|[=\\/\\\\\\-]|\\.${LETTER})`,
    'giv',
  );
}

const MAX_NAME = 300;

/** In scripts without spaces every letter can begin a word. */
const LETTER =
  '[[\\p{L}\\p{N}\\p{M}_]--[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]';
