import type { Nodes, Root, RootContent } from 'mdast';
import { type Chunk, cutPage } from './cut-page.ts';
import type { KeptBlock } from './kept-blocks.ts';
import type { PagePart } from './page-part.ts';
import { type ParsedChunk, parsedChunk } from './parse-chunk.ts';
import { parseText } from './parse-text.ts';
import { findWikiSpans, type WikiSpan, type WikiSpans } from './wiki-spans.ts';

/** A page as a tree of Markdown, with the meaning of the nodes of our own syntax. */
export interface ParsedPart {
  root: Root;
  spans: Map<Nodes, WikiSpan>;
  /** Blocks of the tree whose HTML may be kept. */
  blocks: ReadonlyMap<Nodes, KeptBlock>;
  /** The offset and the line in the page where the parsed text begins. */
  base: number;
  baseLine: number;
}

/**
 * Parses a page in chunks and caches them: parsing takes four fifths of the rendering time, and an edit
 * changes few chunks. The tree is the same as that of the whole text.
 */
export function parsePart({ text, page }: PagePart): ParsedPart {
  const wikiSpans = findWikiSpans(text, page);
  const { bodyStart } = page;
  // The parser leaves a byte order mark out and does not count it.
  const base = bodyStart + (text.charCodeAt(bodyStart) === 0xfeff ? 1 : 0);
  const chunks = parseChunks(text, cutPage(text, base, page, wikiSpans), wikiSpans);
  const part = chunks === null ? parseWhole(text, base, wikiSpans) : joined(chunks, base, wikiSpans);
  return { ...part, base, baseLine: text.slice(0, base).split('\n').length - 1 };
}

interface PlacedChunk {
  chunk: Chunk;
  parsed: ParsedChunk;
}

/** Null if only the whole page can be parsed. */
function parseChunks(text: string, chunks: readonly Chunk[], wikiSpans: WikiSpans): PlacedChunk[] | null {
  return parseWithGuess(text, chunks, wikiSpans) ?? parseTwice(text, chunks, wikiSpans);
}

/** Guesses from the lines which labels are defined, and parses once. Null if the guess was wrong. */
function parseWithGuess(text: string, chunks: readonly Chunk[], wikiSpans: WikiSpans): PlacedChunk[] | null {
  const guessed = new Set(Array.from(text.matchAll(LABEL_LINE), ([, label = '']) => label));
  const defined = definedBy([...guessed].sort());
  if (defined === '' || chunks.length === 1 || defined.length * chunks.length > text.length) return null;
  const parsed = chunks.map((chunk) => parsedWith(text, chunk, wikiSpans, defined));
  const labels = new Set(parsed.flatMap(({ parsed }) => parsed.labels));
  const isRight = labels.symmetricDifference(guessed).size === 0;
  return isRight && parsed.every(({ parsed }) => parsed.isClosed) ? parsed : null;
}

const LABEL_LINE = /^[ \t>]*(\[[^\\[\]\n\r]+\]:)/gm;

function parseTwice(text: string, chunks: readonly Chunk[], wikiSpans: WikiSpans): PlacedChunk[] | null {
  const alone = parseEach(text, chunks, wikiSpans);
  const labels = [...new Set(alone.flatMap(({ parsed }) => parsed.labels))].sort();
  if (labels.length === 0 || alone.length === 1) return alone;
  const defined = definedBy(labels);
  const isPlain = labels.every((label) => PLAIN_LABEL.test(label)) && alone.at(-1)?.parsed.isClosed;
  if (!isPlain || defined.length * alone.length > text.length) return null;
  return alone.map(({ chunk }) => parsedWith(text, chunk, wikiSpans, defined));
}

/** A reference is a link only if its label is defined, so each chunk gets the labels of all. */
function parsedWith(text: string, chunk: Chunk, wikiSpans: WikiSpans, defined: string): PlacedChunk {
  const hasReference = text.slice(chunk.start, chunk.end).includes('[');
  return { chunk, parsed: parsedChunk(text, chunk, wikiSpans, hasReference ? defined : '') };
}

function definedBy(labels: readonly string[]): string {
  return labels.map((label) => `\n\n${label} x`).join('');
}

const PLAIN_LABEL = /^\[[^\\[\]\n\r]+\]:$/;

function parseEach(text: string, chunks: readonly Chunk[], wikiSpans: WikiSpans): PlacedChunk[] {
  const each: PlacedChunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const found = parsedChunk(text, chunk, wikiSpans, '');
    const isLast = index === chunks.length - 1;
    if (!found.isClosed && !isLast) {
      const spans = chunks.slice(index).flatMap(({ spans }) => spans);
      const rest = { start: chunk.start, end: text.length, spans };
      return [...each, { chunk: rest, parsed: parsedChunk(text, rest, wikiSpans, '') }];
    }
    each.push({ chunk, parsed: found });
  }
  return each;
}

type Tree = Pick<ParsedPart, 'root' | 'spans' | 'blocks'>;

function parseWhole(text: string, base: number, wikiSpans: WikiSpans): Tree {
  return { ...parseText(text.slice(base), base, wikiSpans), blocks: new Map() };
}

/** One tree of copies of the chunks, since shaping a page changes its nodes. */
function joined(chunks: readonly PlacedChunk[], base: number, wikiSpans: WikiSpans): Tree {
  const spans = new Map<Nodes, WikiSpan>();
  const blocks = new Map<Nodes, KeptBlock>();
  // What HTML leaves open goes on in the blocks after it.
  const keepsBlocks = !chunks.some(({ parsed }) => parsed.hasHtml);
  const children: RootContent[] = [];
  let lines = 0;
  for (const { chunk, parsed } of chunks) {
    const { start } = chunk;
    const copy = <Node extends Nodes>(node: Node): Node => {
      const copied = { ...node, position: moved(node.position, start - base, lines) };
      if ('children' in copied) copied.children = copied.children.map(copy) as typeof copied.children;
      const place = parsed.spans.get(node);
      const span = place && (place.isBlock ? wikiSpans.blocks : wikiSpans.inline).get(start + place.at);
      if (span !== undefined) spans.set(copied, span);
      return copied;
    };
    for (const child of parsed.root.children) {
      const copied = copy(child);
      children.push(copied);
      const block = keepsBlocks ? parsed.blocks.get(child) : undefined;
      if (block !== undefined) blocks.set(copied, block);
    }
    lines += parsed.lines;
  }
  return { root: { type: 'root', children }, spans, blocks };
}

type Position = Nodes['position'];

function moved(position: Position, offset: number, lines: number): Position {
  if (position === undefined) return undefined;
  const { start, end } = position;
  const move = (point: typeof start) => ({
    line: point.line + lines,
    column: point.column,
    offset: (point.offset ?? 0) + offset,
  });
  return { start: move(start), end: move(end) };
}
