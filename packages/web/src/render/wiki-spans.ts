import type { PageLinkText, PageText } from '@pagetree/wiki/page-text';

/** Syntax beyond CommonMark and GFM, found before parsing, so that the parser and the wiki agree where it is. */
export type WikiSpan =
  | { kind: 'link'; link: PageLinkText; end: number }
  | { kind: 'math'; value: string; display: boolean; end: number }
  | { kind: 'comment'; end: number }
  | { kind: 'mark'; opens: boolean; closes: boolean; end: number };

export interface WikiSpans {
  /** Spans of inline text, by the offset where they start. */
  inline: Map<number, WikiSpan>;
  /** `$$` and `%%` on lines of their own, with what is between them. Only outside of quotes and lists. */
  blocks: Map<number, WikiSpan>;
}

/** Takes time linear in the length of the text: a mark that was searched in vain is not searched again. */
export function findWikiSpans(text: string, page: PageText): WikiSpans {
  const inline = new Map<number, WikiSpan>();
  for (const link of page.links) {
    if (link.kind === 'wiki') inline.set(link.start, { kind: 'link', link, end: link.end });
  }
  if (!SPECIAL.test(text)) return { inline, blocks: new Map() };
  const links = new LinkPlaces(page.links);
  for (const { start, end } of page.prose) scanProse(text, start, end, { inline, links });
  return { inline, blocks: findBlocks(text, page) };
}

const SPECIAL = /\$|%%|==/;

interface Found {
  inline: Map<number, WikiSpan>;
  links: LinkPlaces;
}

class LinkPlaces {
  readonly #ends: ReadonlyMap<number, number>;
  readonly #starts: readonly number[];

  constructor(links: readonly PageLinkText[]) {
    this.#ends = new Map(links.map(({ start, end }) => [start, end]));
    this.#starts = links.map(({ start }) => start);
  }

  endOf(start: number): number | undefined {
    return this.#ends.get(start);
  }

  isAnyWithin(start: number, end: number): boolean {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (this.#starts[low] ?? end) < end;
  }
}

function scanProse(page: string, start: number, end: number, { inline, links }: Found): void {
  const text = page.slice(start, end);
  if (!SPECIAL.test(text)) return;
  const special = /\\[\s\S]|`+|!?\[|\${1,2}|%%|=+/g;
  const codeEnds = endsOfCode(text);
  const missing = new Set<string>();
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const [mark] = match;
    const at = match.index;
    if (mark.startsWith('`')) special.lastIndex = codeEnds.get(at) ?? special.lastIndex;
    else if (mark.endsWith('[')) {
      special.lastIndex = (links.endOf(start + at) ?? start + special.lastIndex) - start;
    } else if (mark === '==') {
      inline.set(start + at, { kind: 'mark', ...flanks(text, at), end: start + at + 2 });
    } else if (isPaired(mark)) {
      const close = closeUnless(missing, text, at, mark);
      if (close === -1 || isAroundLink(mark, start + at, start + close, links)) continue;
      special.lastIndex = close + mark.length;
      const span = spanBetween(mark, text.slice(at + mark.length, close));
      inline.set(start + at, { ...span, end: start + special.lastIndex });
    }
  }
}

/**
 * Remembers marks that are `missing`: otherwise each of many marks that are never closed would take a search
 * of the text.
 */
function closeUnless(missing: Set<string>, text: string, at: number, mark: PairedMark): number {
  if (missing.has(mark)) return -1;
  const close = closeOf(text, at, mark);
  if (close === -1 && mark !== '$') missing.add(mark);
  return close;
}

/** A link of the wiki stays one, whatever stands around it, but for a comment. */
function isAroundLink(mark: PairedMark, start: number, end: number, links: Found['links']): boolean {
  return mark !== '%%' && links.isAnyWithin(start, end);
}

type PairedMark = '$' | '$$' | '%%';

function isPaired(mark: string): mark is PairedMark {
  return mark === '$' || mark === '$$' || mark === '%%';
}

function spanBetween(mark: PairedMark, value: string) {
  if (mark === '%%') return { kind: 'comment' as const };
  return { kind: 'math' as const, value, display: mark === '$$' };
}

function flanks(text: string, at: number): { opens: boolean; closes: boolean } {
  return { opens: /\S/.test(text[at + 2] ?? ' '), closes: /\S/.test(text[at - 1] ?? ' ') };
}

/** The offset of the mark that closes the one at an offset. `$5 and $10` is not a formula, as in Pandoc. */
function closeOf(text: string, at: number, mark: PairedMark): number {
  if (mark !== '$') return text.indexOf(mark, at + mark.length);
  if (/\s/.test(text[at + 1] ?? ' ')) return -1;
  const closing = /\\[\s\S]|\$/g;
  closing.lastIndex = at + 1;
  let match = closing.exec(text);
  while (match !== null && match[0] !== '$') match = closing.exec(text);
  if (match === null) return -1;
  const { index } = match;
  return /\S/.test(text[index - 1] ?? ' ') && !/[\d$]/.test(text[index + 1] ?? '') ? index : -1;
}

/** For each run of backticks that begins code: where the run that ends it has its end. */
function endsOfCode(text: string): Map<number, number> {
  const next = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].toReversed()) {
    const end = next.get(run.length);
    if (end !== undefined) ends.set(index, end);
    next.set(run.length, index + run.length);
  }
  return ends;
}

function findBlocks(text: string, { bodyStart, prose }: PageText): Map<number, WikiSpan> {
  const found = new Map<number, WikiSpan>();
  const missing = new Set<string>();
  const line = /^ {0,3}(\$\$|%%)[ \t]*$/gm;
  line.lastIndex = bodyStart;
  let inProse = 0;
  for (let match = line.exec(text); match !== null; match = line.exec(text)) {
    const [whole, mark = ''] = match;
    const at = match.index + whole.indexOf(mark);
    while ((prose[inProse]?.end ?? Number.POSITIVE_INFINITY) <= at) inProse += 1;
    // Code and HTML are not prose.
    if (missing.has(mark) || (prose[inProse]?.start ?? Number.POSITIVE_INFINITY) > at) continue;
    const bodyAt = match.index + whole.length;
    const close = mark === '$$' ? /^ {0,3}\$\$[ \t]*$/gm : /^ {0,3}%%[ \t]*$/gm;
    close.lastIndex = bodyAt;
    const closing = close.exec(text);
    if (closing === null) {
      missing.add(mark);
      continue;
    }
    line.lastIndex = close.lastIndex;
    const value = text.slice(bodyAt, closing.index).trim();
    const end = closing.index + closing[0].length;
    found.set(at, mark === '%%' ? { kind: 'comment', end } : { kind: 'math', value, display: true, end });
  }
  return found;
}
