import type { Nodes, Root } from 'mdast';
import { blockIdAlone } from './block-ids.ts';
import type { WikiSpan } from './wiki-spans.ts';

/** The HTML of a block, kept with its parsed chunk. `key` is what else it depends on: its links and its id. */
export interface KeptBlock {
  key: string | null;
  html: string;
}

/**
 * Finds the blocks of a chunk that look the same on every page: they are neither numbered with the rest of the page, as
 * notes are, nor completed by another page or a library.
 */
export function plainBlocks(
  root: Root,
  spans: ReadonlyMap<Nodes, WikiSpan>,
): { blocks: ReadonlyMap<Nodes, KeptBlock>; hasHtml: boolean } {
  const blocks = new Map<Nodes, KeptBlock>();
  for (const [index, node] of root.children.entries()) {
    const next = root.children[index + 1];
    // An id on a line of its own belongs to the block before it.
    if ([node, next].some((each) => each !== undefined && blockIdAlone(each) !== null)) continue;
    if (isPlain(node, spans, true)) blocks.set(node, { key: null, html: '' });
  }
  return { blocks, hasHtml: hasHtml(root) };
}

function isPlain(node: Nodes, spans: ReadonlyMap<Nodes, WikiSpan>, isTop: boolean): boolean {
  const span = spans.get(node);
  if (span?.kind === 'math' || (span?.kind === 'link' && span.link.embed)) return false;
  if (!PLAIN.has(node.type) && !(isTop && node.type === 'heading')) return false;
  if (node.type === 'code') return node.lang == null;
  return !('children' in node) || node.children.every((child) => isPlain(child, spans, false));
}

const PLAIN: ReadonlySet<Nodes['type']> = new Set([
  'paragraph',
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'code',
  'break',
  'thematicBreak',
  'blockquote',
  'list',
  'listItem',
  'table',
  'tableRow',
  'tableCell',
  'link',
  'image',
]);

function hasHtml(node: Nodes): boolean {
  return node.type === 'html' || ('children' in node && node.children.some(hasHtml));
}
