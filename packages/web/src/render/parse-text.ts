import type { Nodes, Paragraph, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { isImage } from './addresses.ts';
import type { WikiSpan, WikiSpans } from './wiki-spans.ts';
import { wikiFromMarkdown, wikiSyntax } from './wiki-syntax.ts';

/** The tree of a text that begins at `base` of its page, with the meaning of the nodes of our own syntax. */
export function parseText(
  text: string,
  base: number,
  wikiSpans: WikiSpans,
): { root: Root; spans: Map<Nodes, WikiSpan> } {
  const spans = new Map<Nodes, WikiSpan>();
  const keep = <Node extends Nodes>(node: Node, span: WikiSpan): Node => {
    spans.set(node, span);
    return node;
  };
  const build = {
    inline: (span: WikiSpan) => keep(nodeOf(span), span),
    block: (span: WikiSpan) => keep<Paragraph>({ type: 'paragraph', children: [] }, span),
  };
  const root = fromMarkdown(text, {
    extensions: [GFM, wikiSyntax(wikiSpans, base)],
    mdastExtensions: [GFM_NODES, wikiFromMarkdown(wikiSpans, base, build)],
  });
  return { root, spans };
}

const GFM = gfm();
/** Without the second search for addresses in the finished tree: micromark has found them, and it takes a twentieth of the time. */
const GFM_NODES = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

function nodeOf(span: WikiSpan) {
  if (span.kind === 'math') return { type: 'inlineCode' as const, value: span.value };
  if (span.kind !== 'link') return { type: 'break' as const };
  const { link } = span;
  const shown = link.alias ?? [link.target, ...(link.anchor ?? '').split('#')].filter(isShown).join(' > ');
  if (link.embed && isImage(link.target)) return { type: 'image' as const, url: '', alt: link.target };
  return { type: 'link' as const, url: '', children: [{ type: 'text' as const, value: shown }] };
}

function isShown(part: string): boolean {
  return part.trim() !== '';
}
