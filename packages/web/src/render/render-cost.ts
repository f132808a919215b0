import type { PageText } from '@pagetree/wiki/page-text';
import { emphasisCost } from './limits/emphasis-cost.ts';
import type { RenderedPage } from './page-part.ts';

/** A text beyond one of these is shown as it is written. */
export const MAX_CHARACTERS = 500_000;
export const MAX_COST = 800;

/**
 * Estimates the time to render a text without its HTML (see `htmlCost`), in about milliseconds of an idle core. Counts,
 * in one pass, the constructs on which the libraries spend their time; a test compares it with the times of hostile
 * texts. Infinity for nesting so deep that the libraries would run out of stack.
 */
export function costOf(text: string, { prose }: PageText): number {
  const marks = prose.reduce((cost, { start, end }) => cost + spanCost(text.slice(start, end)), 0);
  return text.length * CHARACTER + linesCost(text) + marks;
}

const CHARACTER = 0.0005;
const SPAN = 0.03;
const MARK = 0.005;
const LINK = 0.06;
/** Links look for their beginnings through all before them, depending on their content. */
const LINK_PAIR = 0.00002;
const LABEL_PAIR = 0.000002;
const NESTED_LINK = 0.0004;

function spanCost(text: string): number {
  let marks = 0;
  let closed = 0;
  let links = 0;
  let open = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (!MARKS.has(unit)) continue;
    marks += 1;
    if (unit === OPENING) {
      open += 1;
      deepest = Math.max(deepest, open);
    } else if (unit === CLOSING || unit === AT) {
      closed += 1;
      if (unit === AT || text.charCodeAt(at + 1) === PARENTHESIS) links += 1;
      open = Math.max(0, open - 1);
    }
  }
  const pairs = closed * closed * LABEL_PAIR + links * (LINK + links * LINK_PAIR + deepest * NESTED_LINK);
  return SPAN + marks * MARK + emphasisCost(text) + pairs + openCost(text);
}

/** Each run of backticks, comment or instruction that is never closed is followed to the end of the text. */
function openCost(text: string): number {
  const open = new Set<number>();
  for (const { 0: run } of text.matchAll(/`+/g)) if (!open.delete(run.length)) open.add(run.length);
  let unclosed = 0;
  for (const [opening, closing] of UNCLOSED) {
    const rest = text.slice(text.lastIndexOf(closing) + 1);
    unclosed += rest.split(opening).length - 1;
  }
  return (open.size * OPEN_CODE + unclosed * OPEN_HTML) * text.length;
}

const OPEN_CODE = 0.00008;
const OPEN_HTML = 0.00001;
const UNCLOSED = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
] as const;
const MARKS = unitsOf('!"#$%&()*:<=>@[\\]^_`{|}~');
const OPENING = 91;
const CLOSING = 93;
const PARENTHESIS = 40;
/** Addresses of mail look for their beginning as links do. */
const AT = 64;

function unitsOf(characters: string): Set<number> {
  return new Set([...characters].map((character) => character.charCodeAt(0)));
}

const LINE = 0.02;
const CONTAINER = 0.04;
const MAX_CONTAINERS = 100;
const CELL = 0.022;
const EMPTY_CELL = 0.005;
/** The parser moves what comes after it for each item of a list within a list. */
const NESTED_PAIR = 0.00005;

function linesCost(text: string): number {
  let cost = 0;
  let columns = 0;
  let nested = 0;
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const line = text.slice(start, end);
    const containers = containersOf(line);
    if (containers > MAX_CONTAINERS) return Number.POSITIVE_INFINITY;
    if (containers > 1) nested += 1;
    // Each row of a table has as many cells as its head, whatever it contains.
    const isBlank = line.trim() === '';
    const cells = columns > 0 || DELIMITER_ROW.test(line) ? line.split('|').length : 0;
    columns = isBlank ? 0 : DELIMITER_ROW.test(line) ? Math.max(columns, cells) : columns;
    cost += LINE + containers * CONTAINER + columns * EMPTY_CELL + Math.min(cells, columns) * CELL;
    start = end + 1;
  }
  return cost + nested * nested * NESTED_PAIR;
}

/** Quotes and list items that a line opens, or may be in by its indentation. */
function containersOf(line: string): number {
  const [opening = ''] = CONTAINERS.exec(line) ?? [];
  if (opening === '') return 0;
  const markers = opening.match(/[>*+-]|\d+/g) ?? [];
  return markers.length + (opening.match(/[ \t]/g)?.length ?? 0) / 8;
}

const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const DELIMITER_ROW = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[ \t|:-]*$/;

/** A page as it is written, with the reason. */
export function plainText(markdown: string, why = 'takes too long to'): RenderedPage {
  const notice = `This page ${why} be shown with its formatting. This is its text as it is written.`;
  // The library takes 300 ms for a page of two megabytes, and all else waits for it.
  const escaped = markdown.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;');
  const html = `<p class="notice">${notice}</p><pre class="plain-text">${escaped}</pre>`;
  return { html, outline: [], uses: { math: false, diagrams: false } };
}
