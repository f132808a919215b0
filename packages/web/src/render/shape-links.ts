import type { PageLinkText } from '@pagetree/wiki/page-text';
import type { Element, Properties } from 'hast';
import type {
  Code,
  Definition,
  Html,
  Image,
  ImageReference,
  InlineCode,
  Link,
  LinkReference,
  Nodes,
  Root,
  Text,
} from 'mdast';
import { FOREIGN_LINK, foreignAddress, isImage } from './addresses.ts';
import { HtmlBudget } from './limits/html-size.ts';
import type { OwnElement, OwnElements } from './own-elements.ts';
import { addressOfLink, type ImageSize, type PagePart } from './page-part.ts';

/**
 * Gives each link and image of a part its address. The wiki decides which text is one of its links, and where
 * it leads. Of all other links only those to the web and to mail addresses stay.
 */
export class LinkShaper {
  readonly #part: PagePart;
  readonly #own: OwnElements;
  readonly #base: number;
  readonly #links: ReadonlyMap<number, PageLinkText>;
  #next = 0;
  #nextOfBlock = 0;
  readonly #definitions = new Map<string, Definition>();
  readonly #budget = new HtmlBudget();

  constructor(part: PagePart, own: OwnElements, { root, base }: { root: Root; base: number }) {
    this.#part = part;
    this.#own = own;
    this.#base = base;
    this.#links = new Map(part.page.links.map((link) => [link.start, link]));
    this.#collectDefinitions(root);
  }

  /** A link or image that the text of a definition completes. */
  resolveReference(node: LinkReference | ImageReference): Link | Image {
    const definition = this.#definitions.get(node.identifier);
    const { url = '', title = null } = definition ?? {};
    this.#budget.take(url.length + (title?.length ?? 0));
    const mark = this.#markOf(definition ?? node, url, node.type === 'imageReference');
    if (node.type === 'imageReference') return { type: 'image', url, title, alt: node.alt ?? '', data: mark };
    return { type: 'link', url, title, children: node.children, data: mark };
  }

  shape(node: Link | Image): void {
    node.data = this.#markOf(node, node.url, node.type === 'image');
  }

  shapeWiki(node: Link | Image, link: PageLinkText): void {
    node.data = this.#mark(this.elementOf(link, node.type === 'image'));
  }

  /** HTML with the links of the wiki that stand in it, and without elements whose content is no HTML. */
  shapeHtml(node: Html): void {
    const { start, end } = this.#rangeOf(node);
    const pieces: string[] = [];
    let done = 0;
    for (const link of this.#linksIn(start, end)) {
      const at = node.value.indexOf(link.written, done);
      if (at === -1) continue;
      pieces.push(withoutRawElements(node.value.slice(done, at)), this.#htmlOf(link));
      done = at + link.written.length;
    }
    node.value = pieces.join('') + withoutRawElements(node.value.slice(done));
  }

  /**
   * The pieces of a text in which the wiki sees links and the parser does not: if the two disagree, a link
   * that the wiki follows can still be clicked. Null if there are none, as in nearly all text.
   */
  piecesOf(node: Text | InlineCode | Code): (string | PageLinkText)[] | null {
    const { start, end } = this.#rangeOf(node);
    const links = this.#linksIn(start, end);
    if (links.length === 0) return null;
    const pieces: (string | PageLinkText)[] = [];
    let done = 0;
    for (const link of links) {
      const at = node.value.indexOf(link.written, done);
      if (at === -1) continue;
      pieces.push(node.value.slice(done, at), link);
      done = at + link.written.length;
    }
    return done === 0 ? null : [...pieces, node.value.slice(done)];
  }

  /** A link that replaces the text in which it is written. */
  linkFor(link: PageLinkText): Link {
    const element = this.elementOf(link, false);
    return {
      type: 'link',
      url: '',
      children: [{ type: 'text', value: shownText(link) }],
      data: this.#mark(element),
    };
  }

  elementFor(link: PageLinkText): Element {
    const { properties = {} } = this.elementOf(link, false);
    return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: link.written }] };
  }

  elementOf(link: PageLinkText, asImage: boolean): OwnElement {
    const href = addressOfLink(link, this.#part);
    const isBroken = href === null || this.#part.missing.has(link.written);
    if (!asImage) {
      const address = href === null ? {} : { href };
      return { properties: isBroken ? { ...address, className: ['link-broken'] } : address };
    }
    if (isBroken) {
      const children = [{ type: 'text' as const, value: link.alias ?? link.target }];
      return { tagName: 'span', properties: { className: ['image-broken'] }, children };
    }
    if (!isImage(link.target)) {
      return {
        tagName: 'a',
        properties: { href },
        children: [{ type: 'text', value: link.alias || link.target }],
      };
    }
    const { sizes } = this.#part;
    return { properties: { src: href, loading: 'lazy', ...textAndSizeOf(link, sizes.get(link.written)) } };
  }

  /** The links of a block and their addresses. Blocks come in order, as pieces of HTML do. */
  linksOfBlock(node: Nodes): string {
    const { start, end } = this.#rangeOf(node);
    const { page, sizes } = this.#part;
    const { links } = page;
    const found: string[] = [];
    while ((links[this.#nextOfBlock]?.start ?? end) < end) {
      const link = links[this.#nextOfBlock] as PageLinkText;
      const href = addressOfLink(link, this.#part);
      const { width = '', height = '' } = sizes.get(link.written) ?? {};
      const place = `${link.start - start} ${link.end - start}`;
      if (link.start >= start) found.push(`${place} ${link.kind} ${width}x${height} ${href}`);
      this.#nextOfBlock += 1;
    }
    return found.join('\n');
  }

  /** Pieces of HTML come in order, so each search continues where the one before ended. */
  #linksIn(start: number, end: number): PageLinkText[] {
    const { links } = this.#part.page;
    while ((links[this.#next]?.start ?? end) < start) this.#next += 1;
    const from = this.#next;
    while ((links[this.#next]?.start ?? end) < end) this.#next += 1;
    return links.slice(from, this.#next).filter(({ kind }) => kind !== 'definition');
  }

  #htmlOf(link: PageLinkText): string {
    const element = this.elementOf(
      link,
      link.embed && (isImage(link.target) || /^<img\s/i.test(link.written)),
    );
    const shown = shownText(link);
    const isShownAsImage = element.properties?.src !== undefined;
    const own = /^<(?:a|img)(?=\s)/i.exec(link.written)?.[0];
    // The tag stays, with its text and its title.
    if (own !== undefined) return `${own} ${this.#own.attribute(element)}${link.written.slice(own.length)}`;
    if (isShownAsImage) return `<img ${this.#own.attribute(element)}>`;
    const children = element.children ?? [{ type: 'text' as const, value: shown }];
    return `<a ${this.#own.attribute({ ...element, children })}></a>`;
  }

  #markOf(node: Nodes, url: string, asImage: boolean) {
    const link = this.#links.get(this.#offset(node));
    const isWikis = link !== undefined && link.kind !== 'wiki';
    return this.#mark(isWikis ? this.elementOf(link, asImage) : foreignElement(url, asImage));
  }

  #mark(element: OwnElement) {
    return { hProperties: this.#own.mark(element) };
  }

  #offset(node: Nodes): number {
    return this.#base + (node.position?.start.offset ?? Number.NaN);
  }

  #rangeOf(node: Nodes): { start: number; end: number } {
    return { start: this.#offset(node), end: this.#base + (node.position?.end.offset ?? Number.NaN) };
  }

  #collectDefinitions(parent: Nodes): void {
    if (parent.type === 'definition' && !this.#definitions.has(parent.identifier)) {
      this.#definitions.set(parent.identifier, parent);
    }
    if ('children' in parent) for (const child of parent.children) this.#collectDefinitions(child);
  }
}

/**
 * A link or image that does not belong to the wiki. A foreign image loads only after a click: it is a link to
 * itself.
 */
export function foreignElement(url: string, asImage: boolean): OwnElement {
  const href = foreignAddress(url);
  if (href === null) return asImage ? { tagName: 'span', properties: { className: ['image-broken'] } } : {};
  if (!asImage) return { properties: { href, ...FOREIGN_LINK, className: ['link-foreign'] } };
  return { tagName: 'a', properties: { href, ...FOREIGN_LINK, className: ['image-foreign'] } };
}

function shownText({ alias, target }: PageLinkText): string {
  return alias ?? target;
}

/** From `![[image.png|text|300x200]]` or `![text|300](image.png)`: the text and the size, which may be missing. */
function textAndSizeOf({ kind, alias, target }: PageLinkText, natural: ImageSize | undefined): Properties {
  const isWiki = kind === 'wiki';
  const written = alias ?? '';
  const [sized, before, width, height] = /^(?:(.*?)\\?\|)?(\d{1,4})(?:x(\d{1,4}))?$/s.exec(written) ?? [];
  const hasSize = sized !== undefined && (isWiki || (before !== undefined && kind !== 'html'));
  const alt = hasSize ? before?.trim() : isWiki ? written : undefined;
  return {
    ...((alt || isWiki) && { alt: alt || target }),
    ...shownSize(hasSize ? { width: Number(width), ...(height && { height: Number(height) }) } : {}, natural),
  };
}

/**
 * The width and height by which a browser reserves room for an image: those that are given, completed by the proportions
 * of the image, or its own. They do not complete a length in percent, which depends on the page around it. An image that is
 * given other proportions than its own is shown in exactly these, as in Obsidian.
 */
export function shownSize(
  given: Pick<Properties, 'width' | 'height'>,
  own: Pick<Properties, 'width' | 'height'> = {},
): Properties {
  const isGiven = given.width || given.height;
  const { width, height } = isGiven ? given : own;
  if (isGiven && own.width && own.height) {
    const ratio = Number(own.height) / Number(own.width);
    if (typeof width === 'number' && !height) return { width, height: length(width * ratio) };
    if (typeof height === 'number' && !width) return { width: length(height / ratio), height };
    const isOther = Math.abs(Number(width) * ratio - Number(height)) > 1;
    if (isOther) return { width, height, className: ['forced'] };
  }
  return { ...(width && { width }), ...(height && { height }) };
}

function length(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}

/**
 * Shows the tags of elements whose content is not HTML as text, as GFM does for the first ones: they would
 * swallow the following text. SVG and MathML too: a parser reads them by other rules, which attacks use.
 */
function withoutRawElements(html: string): string {
  return html.replace(RAW_ELEMENT, '&lt;');
}

const RAW_ELEMENT =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext|noscript|template|svg|math|select|frameset|listing|object|embed|applet)(?:[\s/>]|$))/gi;
