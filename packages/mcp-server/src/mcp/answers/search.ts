import type { Output } from '@pagetree/wiki/contract';
import { lines, listHead, names, quoted, titleBeside } from './lines.ts';

type Hit = Output<'search_pages'>['hits'][number];
type Line = Hit['lines'][number];

/**
 * The best page first: neither its score nor its version helps to choose. Of a search for words that asks for no
 * context, the lines that say most about a page: the page itself is one call away.
 */
export function searchText(
  { hits, note, total, next_cursor }: Output<'search_pages'>,
  asked: Record<string, unknown>,
): string {
  const words = isForLines(asked) ? null : String(asked.query ?? '').match(WORDS);
  return lines(
    listHead('pages', hits.length, { total, next_cursor }),
    words !== null && hits.length > 0 && LEFT_OUT,
    note ?? null,
    hits.map((hit, rank) => {
      const said = hit.lines.filter((line) => saysSomething(line, hit));
      const most = rank < FIRST_PAGES ? FIRST_LINES : 1;
      const shown = words === null ? said : bestLines(said, words.map(fold), most);
      return lines(
        hitHead(hit),
        shown.map((line) => foundLine(line, hit.title)),
      );
    }),
  );
}

/** True if the call asks for lines or passages rather than for pages. */
function isForLines({ mode, context_lines }: Record<string, unknown>): boolean {
  return mode === 'regex' || mode === 'passages' || Number(context_lines ?? 0) > 0;
}

const WORDS = /[\p{L}\p{N}]+/gu;
/** The first pages are read most often, so more is shown of them. */
const FIRST_PAGES = 3;
const FIRST_LINES = 2;
const MAX_CHARACTERS = 120;
const LEFT_OUT = `up to ${FIRST_LINES} lines of the first ${FIRST_PAGES} pages, then 1; context_lines shows more`;

/** False for blank lines, for the title, which stands above, and for the targets of reference links. */
function saysSomething({ text }: Line, { title }: Hit): boolean {
  return (
    text !== `# ${title}` && text.split('\n').some((line) => line.trim() !== '' && !LINK_TARGET.test(line))
  );
}

const LINK_TARGET = /^\[[^\]]+\]: /;

function bestLines(found: readonly Line[], words: readonly string[], most: number): Line[] {
  const wordCount = ({ text }: Line) => words.filter((word) => fold(text).includes(word)).length;
  const best = found.toSorted((a, b) => wordCount(b) - wordCount(a)).slice(0, most);
  return found.filter((line) => best.includes(line)).map((line) => cutAround(line, words));
}

/** The part of a long line in which the first of the words stands. */
function cutAround(line: Line, words: readonly string[]): Line {
  const { text } = line;
  if (text.length <= MAX_CHARACTERS) return line;
  const places = words.map((word) => fold(text).indexOf(word)).filter((place) => place !== -1);
  const latest = text.length - MAX_CHARACTERS;
  const start = Math.min(Math.max(0, Math.min(...places, text.length) - BEFORE_WORD), latest);
  const end = start + MAX_CHARACTERS;
  const part = text.slice(start, end).toWellFormed();
  return { ...line, text: `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}` };
}

const BEFORE_WORD = 40;

function fold(text: string): string {
  return text.toLowerCase();
}

function hitHead({ path, title, superseded_by }: Hit): string {
  const successor = superseded_by === undefined ? '' : ` superseded by ${quoted(superseded_by)}`;
  return `- ${quoted(path)}${titleBeside(path, title)}${successor}`;
}

function foundLine({ line, text, heading, also = [] }: Line, title: string): string {
  const section = heading === undefined || heading === title ? '' : ` in ${quoted(below(title, heading))}`;
  const copies = also.length === 0 ? '' : ` (also in ${names(also)})`;
  return `${line}${section}: ${quoted(text)}${copies}`;
}

/** The headings below the title, which stands above. read_page finds a section by them. */
function below(title: string, heading: string): string {
  return heading.startsWith(`${title}/`) ? heading.slice(title.length + 1) : heading;
}
