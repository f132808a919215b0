import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { foldCase } from '../fold-case.ts';
import { normalForm } from '../normal-form.ts';
import type { Heading, Link, Span } from './markdown.ts';
import type { MarkdownBlocks } from './markdown-blocks.ts';
import { MAX_HEADINGS_FOUND, plainText } from './outline.ts';

/** The targets of anchors in one page. */
export interface PageAnchors {
  headings: readonly Pick<Heading, 'level' | 'text'>[];
  /** `^block` ids, without `^`. */
  blocks: readonly string[];
  /** Ids from HTML, or from `{#id}` after a heading. */
  ids: readonly string[];
}

export type FoundAnchor = { kind: 'heading'; index: number } | { kind: 'block' | 'id' | 'page' };

/** The ids of blocks and elements in prose. */
export function scanIds(text: string, blocks: MarkdownBlocks): Omit<PageAnchors, 'headings'> {
  return atOnce(idSteps(text, blocks));
}

/** The same for a page of any size. */
export function* idSteps(
  text: string,
  { headings, prose }: MarkdownBlocks,
): Steps<Omit<PageAnchors, 'headings'>> {
  const blocks: string[] = [];
  const ids = headings.flatMap((heading) => customId.exec(heading.text.slice(-MAX_ID))?.[1] ?? []);
  const hasBlocks = text.includes('^');
  const hasIds = /\b(?:id|name)\s*=/i.test(text);
  if (!hasBlocks && !hasIds) return { blocks, ids: ids.slice(0, MAX_HEADINGS_FOUND) };
  yield;
  for (const [place, { start, end }] of prose.entries()) {
    const span = text.slice(start, end);
    if (hasBlocks) for (const [, id] of span.matchAll(blockId)) blocks.push(id ?? '');
    if (hasIds) for (const [, a, b, c] of span.matchAll(elementId)) ids.push(a ?? b ?? c ?? '');
    if (place % SPANS_AT_ONCE === 0) yield;
  }
  return { blocks: blocks.slice(0, MAX_HEADINGS_FOUND), ids: ids.slice(0, MAX_HEADINGS_FOUND) };
}

const SPANS_AT_ONCE = 100;
const MAX_ID = 200;
const customId = /\{#([^\s{}]+)\}$/;
const blockId = /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t\r]*$/gm;
const elementId =
  /<[a-z][a-z0-9-]*\s[^<>]*?\b(?:id|name)\s*=\s*(?:"([^"<>]{1,200})"|'([^'<>]{1,200})'|([^\s"'<>]{1,200}))/gi;

/**
 * Returns a function that finds the target of an anchor. A wikilink names a heading by its text, as in
 * Obsidian (without marks and punctuation, in any case, `#A#B` for B below A), or a block (`#^block`). A
 * Markdown link may also name a heading by its slug (`#some-heading`, `-1` for the second) or an element by
 * its id.
 */
export function anchorFinder(page: PageAnchors): (anchor: string, kind: Link['kind']) => FoundAnchor | null {
  const byText = new Map<string, number[]>();
  const bySlug = new Map<string, number[]>();
  const parents = parentsOf(page.headings);
  const written: { form: string; index: number }[] = [];
  for (const [index, { text }] of page.headings.entries()) {
    const cut = withoutId(text.slice(0, MAX_COMPARED));
    const plain = plainText(cut);
    const form = stripped(plain);
    add(byText, form, index);
    if (stripped(cut) !== form) written.push({ form: stripped(cut), index });
    for (const slug of new Set([slugOf(plain), joined(plain)].map(foldCase))) add(bySlug, slug, index);
  }
  // Shown text takes precedence over written text: a rename changes the targets of links in headings, not the
  // text they show.
  for (const { form, index } of written) add(byText, form, index);
  const blocks = new Set(page.blocks.map(folded));
  const ids = new Set(page.ids.map(folded));

  function nested(parts: readonly string[]): number | undefined {
    const named = parts.map((part) => new Set(byText.get(stripped(part))));
    return [...(named.at(-1) ?? [])].find((index) => {
      let left = named.length - 2;
      for (let at = parents[index]; at !== undefined && left >= 0; at = parents[at]) {
        if (named[left]?.has(at)) left -= 1;
      }
      return left < 0;
    });
  }

  function bySlugOf(anchor: string): number | undefined {
    const slug = foldCase(joined(anchor));
    const direct = bySlug.get(slug)?.[0];
    if (direct !== undefined) return direct;
    const numbered = /^(.+)-(\d{1,6})$/.exec(slug);
    return bySlug.get(numbered?.[1] ?? '')?.[Number(numbered?.[2])];
  }

  return (written, kind) => {
    const anchor = written.slice(0, MAX_COMPARED).trim();
    const isMarkdown = kind !== 'wiki';
    if (anchor === '' || (isMarkdown && /^(top$|:~:)/i.test(anchor))) return { kind: 'page' };
    const [, block] = /(?:^|#)\^([^#]+)$/.exec(anchor) ?? [];
    if (block !== undefined) return blocks.has(folded(block)) ? { kind: 'block' } : null;
    const parts = anchor.split('#').filter((part) => part.trim() !== '');
    const index =
      first(byText.get(stripped(anchor))?.[0], parts.length > 1 ? nested(parts) : undefined) ??
      (isMarkdown ? bySlugOf(anchor) : undefined);
    if (index !== undefined) return { kind: 'heading', index };
    return isMarkdown && ids.has(folded(anchor)) ? { kind: 'id' } : null;
  };
}

/**
 * The earlier of a heading with the text of a whole anchor and one below the headings that the anchor names: text that is
 * added after both changes neither.
 */
function first(whole = Infinity, below = Infinity): number | undefined {
  const index = Math.min(whole, below);
  return index === Infinity ? undefined : index;
}

export interface BlockId {
  id: string;
  /** Offset of the id, after `^`. */
  start: number;
}

/** The ids of blocks in the prose of a text, with their positions. */
export function blockIds(text: string, { prose }: MarkdownBlocks): BlockId[] {
  return prose.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(blockId)].map(({ 0: found, 1: id = '', index }) => ({
      id,
      start: start + index + found.indexOf('^') + 1,
    })),
  );
}

/** The block of an id, in whole lines; null if no block has it. */
export function findBlock(text: string, { prose }: MarkdownBlocks, id: string): Span | null {
  for (const { start, end } of prose) {
    const span = text.slice(start, end);
    for (const match of span.matchAll(blockId)) {
      if (folded(match[1] ?? '') !== folded(id)) continue;
      const from = lineStart(text, start);
      const isAlone = span.trim() === `^${match[1]}`;
      return { start: isAlone ? blockBefore(text, from) : from, end: lineEnd(text, end) };
    }
  }
  return null;
}

/** If an id stands on a line by itself, the block above it: a list, a table, a quote. */
function blockBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && text.slice(lineStart(text, at - 1), at).trim() === '') at = lineStart(text, at - 1);
  while (at > 0 && text.slice(lineStart(text, at - 1), at).trim() !== '') at = lineStart(text, at - 1);
  return at;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

/** For each heading, the index of the heading that contains it. */
export function parentsOf(headings: PageAnchors['headings']): (number | undefined)[] {
  const above: number[] = [];
  return headings.map(({ level }, index) => {
    while (above.length > 0 && (headings[above.at(-1) ?? 0]?.level ?? 0) >= level) above.pop();
    const parent = above.at(-1);
    above.push(index);
    return parent;
  });
}

const MAX_COMPARED = 1_000;

function add(map: Map<string, number[]>, key: string, index: number): void {
  if (key === '') return;
  const same = map.get(key);
  if (same === undefined) map.set(key, [index]);
  else same.push(index);
}

/** A heading without the `{#id}` or `^block` after it. */
export function withoutId(heading: string): string {
  return /[}\w-]$/.test(heading) ? heading.replace(customId, '').replace(/\s\^[A-Za-z0-9-]+$/, '') : heading;
}

function folded(text: string): string {
  return foldCase(normalForm(text));
}

/** A heading in the form in which Obsidian compares it with an anchor. */
function stripped(text: string): string {
  return folded(text)
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A slug in GitHub's form, with runs of hyphens collapsed to one, as renderers differ in them. */
export function slugOf(text: string): string {
  return joined(text.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, ''));
}

function joined(text: string): string {
  return normalForm(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
