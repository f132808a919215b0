import { LRUCache } from 'lru-cache';
import type { FootnoteDefinition, Nodes, Root, RootContent } from 'mdast';
import type { Chunk } from './cut-page.ts';
import { type KeptBlock, plainBlocks } from './kept-blocks.ts';
import { parseText } from './parse-text.ts';
import type { WikiSpans } from './wiki-spans.ts';

/** A chunk as if the text began with it. It is shared: nobody may change it. */
export interface ParsedChunk {
  root: Root;
  /** The offsets of the spans that nodes stand for. */
  spans: ReadonlyMap<Nodes, { at: number; isBlock: boolean }>;
  lines: number;
  /** Links in other chunks may refer to these: the text of each up to the end of its label. */
  labels: readonly string[];
  /** False if the following text may belong to its last block. */
  isClosed: boolean;
  /** The cached blocks whose HTML depends only on themselves and their links. */
  blocks: ReadonlyMap<Nodes, KeptBlock>;
  hasHtml: boolean;
}

/** `defined` are labels that the chunk may name, as they are defined in another one. */
export function parsedChunk(
  text: string,
  { start, end, spans }: Chunk,
  wikiSpans: WikiSpans,
  defined: string,
): ParsedChunk {
  const source = text.slice(start, end);
  const places = spans.map(({ at, isBlock, span }) => [at - start, span.end - start, span.kind, isBlock]);
  const key = `${source}\0${defined}\0${places.join(';')}`;
  const kept = KEPT.get(key) ?? parseChunk(source, start, wikiSpans, spans, defined);
  KEPT.set(key, kept);
  return kept;
}

const KEPT = new LRUCache<string, ParsedChunk>({
  maxSize: 1_000_000,
  maxEntrySize: 50_000,
  sizeCalculation: (_, key) => key.length,
});

function parseChunk(
  source: string,
  start: number,
  wikiSpans: WikiSpans,
  spans: Chunk['spans'],
  defined: string,
): ParsedChunk {
  const places = new Map(spans.map(({ at, isBlock, span }) => [span, { at: at - start, isBlock }]));
  const found = parseText(source + defined, start, wikiSpans);
  const { root } = found;
  root.children = root.children.filter((node) => (node.position?.start.offset ?? 0) < source.length);
  const shownAs = Array.from(
    found.spans,
    ([node, span]) => [node, places.get(span) ?? { at: -1, isBlock: false }] as const,
  );
  return {
    root,
    spans: new Map(shownAs),
    lines: source.match(/\r\n|\n|\r/g)?.length ?? 0,
    labels: labelsIn(root, source),
    isClosed: isClosed(root.children.at(-1), source),
    ...plainBlocks(root, found.spans),
  };
}

function labelsIn(parent: Nodes, source: string): string[] {
  if (parent.type === 'definition') return [labelOf(parent, source)];
  const own = parent.type === 'footnoteDefinition' ? [labelOf(parent, source)] : [];
  return 'children' in parent
    ? [...own, ...parent.children.flatMap((child) => labelsIn(child, source))]
    : own;
}

function labelOf({ position }: FootnoteDefinition | Nodes, source: string): string {
  const written = source.slice(position?.start.offset, position?.end.offset);
  return written.slice(0, written.indexOf(']:') + 2);
}

/** Code and HTML continue if nothing ends them. */
function isClosed(last: RootContent | undefined, source: string): boolean {
  if (last?.type === 'html') return false;
  if (last?.type !== 'code') return true;
  const lines = source.slice(last.position?.start.offset, last.position?.end.offset).split(/\r\n|\n|\r/);
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0] ?? '')?.[1];
  if (fence === undefined) return true;
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
  return lines.length > 1 && closing[0] === fence[0] && closing.length >= fence.length;
}
