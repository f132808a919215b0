import { blockIdFor, idFor } from '@pagetree/wiki/anchor-ids';
import type { PageHeading, PageLinkText } from '@pagetree/wiki/page-text';
import type { ElementContent } from 'hast';
import type {
  Code,
  Heading,
  InlineCode,
  Nodes,
  Paragraph,
  Parent,
  PhrasingContent,
  Root,
  RootContent,
  Text,
} from 'mdast';
import { blockIdAlone } from './block-ids.ts';
import { shapeCallout } from './callouts.ts';
import type { KeptBlock } from './kept-blocks.ts';
import { pairMarks } from './marks.ts';
import type { OwnElement, OwnElements } from './own-elements.ts';
import type { PagePart } from './page-part.ts';
import type { ParsedPart } from './parse-part.ts';
import { LinkShaper } from './shape-links.ts';

/** The unfinished parts of elements, which need another page or a library. */
export interface Unfinished {
  embeds: { element: OwnElement; link: PageLinkText }[];
  code: { element: OwnElement; language: string; value: string }[];
  math: { element: OwnElement; value: string; display: boolean }[];
  headings: PageHeading[];
  hasHtml: boolean;
  hasDiagrams: boolean;
}

/**
 * Turns the wiki's additions to Markdown into nodes that become the right HTML. Unchanged blocks get the HTML that was
 * kept; `finish` makes the HTML of other blocks that can be kept.
 */
export function shapePart(
  parsed: ParsedPart,
  part: PagePart,
  own: OwnElements,
  finish: (nodes: RootContent[]) => string,
): Unfinished {
  const shaper = new PartShaper(parsed, part, own);
  shaper.shapeBlocks(finish);
  return shaper.unfinished;
}

class PartShaper {
  readonly unfinished: Unfinished = {
    embeds: [],
    code: [],
    math: [],
    headings: [],
    hasHtml: false,
    hasDiagrams: false,
  };
  readonly #parsed: ParsedPart;
  readonly #part: PagePart;
  readonly #own: OwnElements;
  readonly #links: LinkShaper;
  readonly #headings: ReadonlyMap<number, PageHeading>;

  constructor(parsed: ParsedPart, part: PagePart, own: OwnElements) {
    this.#parsed = parsed;
    this.#part = part;
    this.#own = own;
    this.#links = new LinkShaper(part, own, parsed);
    this.#headings = new Map(part.page.headings.map((heading) => [heading.line, heading]));
  }

  shapeBlocks(finish: (nodes: RootContent[]) => string): void {
    const { root, blocks } = this.#parsed;
    const shaped: Nodes[] = [];
    for (const child of root.children) {
      const block = this.#part.depth === 0 ? blocks.get(child) : undefined;
      if (block === undefined) shaped.push(...this.#shape(child, shaped.at(-1)));
      else shaped.push(this.#shapeKept(child, block, finish));
    }
    root.children = shaped as RootContent[];
  }

  #shapeKept(node: RootContent, block: KeptBlock, finish: (nodes: RootContent[]) => string): Nodes {
    const heading = node.type === 'heading' ? this.#headingOf(node) : undefined;
    const key = `${heading?.id ?? ''}\n${this.#links.linksOfBlock(node)}`;
    if (block.key !== key) {
      block.html = finish(this.#shape(node, undefined) as RootContent[]);
      block.key = key;
    } else if (heading !== undefined) this.unfinished.headings.push(heading);
    const hProperties = this.#own.mark({ html: block.html });
    return { type: 'paragraph', children: [], data: { hName: 'div', hProperties } };
  }

  shapeChildren(parent: Root | Parent): void {
    const children = parent.children as Nodes[];
    const shaped: Nodes[] = [];
    for (const child of children) shaped.push(...this.#shape(child, shaped.at(-1)));
    parent.children = pairMarks(shaped, this.#parsed.spans) as typeof parent.children;
  }

  #shape(node: Nodes, before: Nodes | undefined): Nodes[] {
    const span = this.#parsed.spans.get(node);
    if (span?.kind === 'comment') return [];
    if (span?.kind === 'math') return [this.#shapeMath(node, span)];
    if (span?.kind === 'link' && (node.type === 'link' || node.type === 'image')) {
      this.#links.shapeWiki(node, span.link);
      return [node];
    }
    if (node.type === 'paragraph') return this.#shapeParagraph(node, before);
    if (node.type === 'text' && node.data === undefined) return this.#shapeText(node);
    if (node.type === 'linkReference' || node.type === 'imageReference') {
      const resolved = this.#links.resolveReference(node);
      if (resolved.type === 'link') this.shapeChildren(resolved);
      return [resolved];
    }
    this.#shapeInPlace(node);
    if ('children' in node) this.shapeChildren(node);
    return [node];
  }

  #shapeInPlace(node: Nodes): void {
    if (node.type === 'link' || node.type === 'image') this.#links.shape(node);
    else if (node.type === 'html') {
      this.unfinished.hasHtml = true;
      this.#links.shapeHtml(node);
    } else if (node.type === 'code') this.#shapeCode(node);
    else if (node.type === 'inlineCode') this.#shapeInlineCode(node);
    else if (node.type === 'heading') this.#shapeHeading(node);
    else if (node.type === 'tableCell') node.children = this.#withBlockIds(node.children);
    else if (node.type === 'blockquote') shapeCallout(node, this.#own, this.#parsed.spans);
  }

  #shapeParagraph(node: Paragraph, before: Nodes | undefined): Nodes[] {
    const embeds = this.#embedsIn(node);
    if (embeds !== null) return embeds.map((link) => this.#embed(link));
    const id = blockIdAlone(node);
    if (id !== null && before !== undefined && before.data === undefined && this.#part.depth === 0) {
      before.data = { hProperties: this.#own.mark({ properties: { id: blockIdFor(id) } }) };
      return [];
    }
    node.children = this.#withBlockIds(node.children);
    this.shapeChildren(node);
    return [node];
  }

  /** The pages that a paragraph embeds, if it contains nothing else. */
  #embedsIn({ children }: Paragraph): PageLinkText[] | null {
    const links: PageLinkText[] = [];
    for (const child of children) {
      const span = this.#parsed.spans.get(child);
      if (child.type === 'link' && span?.kind === 'link' && span.link.embed) links.push(span.link);
      else if (child.type !== 'text' || child.value.trim() !== '') return null;
    }
    return links.length === 0 ? null : links;
  }

  #embed(link: PageLinkText): Paragraph {
    const element: OwnElement = { tagName: 'div', properties: { className: ['embed'] } };
    const inner = this.#links.elementOf(link, false);
    const children = [{ type: 'text' as const, value: link.alias ?? link.written.slice(3, -2) }];
    element.children = [{ type: 'element', tagName: 'a', properties: inner.properties ?? {}, children }];
    this.unfinished.embeds.push({ element, link });
    return { type: 'paragraph', children: [], data: { hName: 'div', hProperties: this.#own.mark(element) } };
  }

  #shapeMath(node: Nodes, { value, display }: { value: string; display: boolean }): Nodes {
    const className = ['math', ...(display ? ['math-display'] : [])];
    const element: OwnElement = {
      tagName: 'span',
      properties: { className },
      children: [{ type: 'text', value }],
    };
    this.unfinished.math.push({ element, value, display });
    const data = { hName: 'span', hProperties: this.#own.mark(element) };
    const inline: InlineCode = { type: 'inlineCode', value, data };
    return node.type === 'paragraph' ? { type: 'paragraph', children: [inline] } : inline;
  }

  #shapeText(node: Text): Nodes[] {
    const pieces = this.#links.piecesOf(node) ?? [];
    if (pieces.length === 0) return [node];
    return pieces.map((piece) =>
      typeof piece === 'string' ? { type: 'text', value: piece } : this.#links.linkFor(piece),
    );
  }

  #shapeInlineCode(node: InlineCode): void {
    const children = this.#linkedCode(node);
    if (children !== null) node.data = { hProperties: this.#own.mark({ children }) };
  }

  /** Code in which the wiki sees links: it is shown with them and without colors. */
  #linkedCode(node: Code | InlineCode): ElementContent[] | null {
    const pieces = this.#links.piecesOf(node);
    if (pieces === null) return null;
    return pieces.map((piece) =>
      typeof piece === 'string' ? { type: 'text', value: piece } : this.#links.elementFor(piece),
    );
  }

  #shapeCode(node: Code): void {
    const linked = this.#linkedCode(node);
    if (linked !== null) {
      node.data = { hProperties: this.#own.mark({ children: [...linked, { type: 'text', value: '\n' }] }) };
      return;
    }
    const language = node.lang?.split(/\s/)[0] ?? '';
    const isDiagram = language === 'mermaid';
    if (language === '') return;
    const className = [`language-${language}`, ...(isDiagram ? ['diagram'] : [])];
    const element: OwnElement = { properties: { className } };
    if (isDiagram) this.unfinished.hasDiagrams = true;
    else this.unfinished.code.push({ element, language, value: `${node.value}\n` });
    node.data = { hProperties: this.#own.mark(element) };
  }

  #shapeHeading(node: Heading): void {
    const heading = this.#headingOf(node);
    node.children = this.#withBlockIds(node.children);
    if (heading === undefined) return;
    this.unfinished.headings.push(heading);
    node.data = { hProperties: this.#own.mark({ properties: { id: heading.id } }) };
  }

  #headingOf({ position }: Heading): PageHeading | undefined {
    const line = (position?.start.line ?? 0) + this.#parsed.baseLine;
    return this.#part.depth === 0 ? this.#headings.get(line) : undefined;
  }

  /** `^id` at the end of a line and `{#id}` at the end of a heading become places that links can name. */
  #withBlockIds(children: PhrasingContent[]): PhrasingContent[] {
    if (!children.some((child) => child.type === 'text' && /\^|\{#/.test(child.value))) return children;
    return children.flatMap((child, index): PhrasingContent[] => {
      if (child.type !== 'text') return [child];
      const isLast = index === children.length - 1;
      const parts: Text[] = [];
      let done = 0;
      for (const match of child.value.matchAll(BLOCK_ID)) {
        const end = match.index + match[0].length;
        if (!isLast && end === child.value.length) continue;
        const id = match[1] === undefined ? idFor(match[2] ?? '') : blockIdFor(match[1]);
        parts.push({ type: 'text', value: child.value.slice(done, match.index) });
        if (this.#part.depth === 0) parts.push(this.#place(id));
        done = end;
      }
      if (done === 0) return [child];
      return [...parts, { type: 'text', value: child.value.slice(done) }];
    });
  }

  #place(id: string): Text {
    const mark = this.#own.mark({ tagName: 'span', properties: { id }, children: [] });
    return { type: 'text', value: '', data: { hName: 'span', hProperties: mark } };
  }
}

const BLOCK_ID = /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$|[ \t]\{#([^\s{}]+)\}$/gm;
