import type { PageText } from '@pagetree/wiki/page-text';
import type { WikiSpan, WikiSpans } from './wiki-spans.ts';

/**
 * A part of a page that begins and, as far as can be known before parsing, ends between blocks. Offsets are
 * the page's.
 */
export interface Chunk {
  start: number;
  end: number;
  spans: SpanAt[];
}

export interface SpanAt {
  at: number;
  isBlock: boolean;
  span: WikiSpan;
}

/**
 * Cuts a page from `base` on into chunks that can be parsed separately: before headings and, if a chunk is
 * long, before paragraphs. Such a line after a blank one ends every list, quote and note. It may still be
 * inside code that only the parser sees, so the caller must check that the chunk before it ended.
 */
export function cutPage(text: string, base: number, page: PageText, wikiSpans: WikiSpans): Chunk[] {
  const spans = inOrder(wikiSpans);
  const headings = new Set(page.headings.map(({ start }) => start));
  const inside = new Places([...page.raws, ...spans.map(({ at, span }) => ({ start: at, end: span.end }))]);
  const chunks: Chunk[] = [];
  let start = base;
  let nextSpan = 0;
  const cut = (end: number) => {
    const from = nextSpan;
    while ((spans[nextSpan]?.at ?? end) < end) nextSpan += 1;
    chunks.push({ start, end, spans: spans.slice(from, nextSpan) });
    start = end;
  };
  const line = /\n[ \t]*\r?\n(?=[#\p{L}])/gu;
  line.lastIndex = base;
  for (let match = line.exec(text); match !== null; match = line.exec(text)) {
    const at = line.lastIndex;
    // The line feed that ends a line may be the one that begins the next match.
    line.lastIndex -= 1;
    const least = headings.has(at) ? SHORT : text[at] === '#' ? Number.POSITIVE_INFINITY : LONG;
    if (at - start >= least && !inside.has(at)) cut(at);
  }
  if (start < text.length || chunks.length === 0) cut(text.length);
  return chunks;
}

/** More chunks cost more at first, longer ones more to parse again. */
const SHORT = 250;
const LONG = 500;

function inOrder({ inline, blocks }: WikiSpans): SpanAt[] {
  const all = [
    ...Array.from(inline, ([at, span]) => ({ at, isBlock: false, span })),
    ...Array.from(blocks, ([at, span]) => ({ at, isBlock: true, span })),
  ];
  return all.sort((one, other) => one.at - other.at || Number(one.isBlock) - Number(other.isBlock));
}

/** Decides for ascending offsets whether they are within one of the spans. */
class Places {
  readonly #spans: readonly { start: number; end: number }[];
  #next = 0;
  #end = 0;

  constructor(spans: readonly { start: number; end: number }[]) {
    this.#spans = [...spans].sort((one, other) => one.start - other.start);
  }

  has(at: number): boolean {
    for (let span = this.#spans[this.#next]; span !== undefined && span.start < at; ) {
      this.#end = Math.max(this.#end, span.end);
      this.#next += 1;
      span = this.#spans[this.#next];
    }
    return at < this.#end;
  }
}
