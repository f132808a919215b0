import { readPageText } from '@pagetree/wiki/page-text';
import type { Element, ElementContent, Root } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { toHast } from 'mdast-util-to-hast';
import { finishHtml, NOTES } from './finish-html.ts';
import { renderFormulas } from './formulas/formulas.ts';
import { highlight } from './highlight.ts';
import { htmlCost } from './limits/html-cost.ts';
import { HtmlBudget, TooMuchHtml } from './limits/html-size.ts';
import { OwnElements } from './own-elements.ts';
import { type PagePart, pagePart, type RenderContext, type RenderedPage } from './page-part.ts';
import { parsePart } from './parse-part.ts';
import { costOf, MAX_CHARACTERS, MAX_COST, plainText } from './render-cost.ts';
import { SCHEMA } from './sanitizer-schema.ts';
import { shapePart, type Unfinished } from './shape-part.ts';

/** The body of a page as HTML that is safe in our origin, no matter who wrote the page. */
export async function renderPage(markdown: string, context: RenderContext): Promise<RenderedPage> {
  if (markdown.length > MAX_CHARACTERS) return plainText(markdown);
  const rendering = new Rendering(context);
  try {
    const page = readPageText(markdown);
    const children = await rendering.render(pagePart(markdown, page, context, 0), [context.path]);
    if (children === null) return plainText(markdown);
    return { html: htmlOf(children), outline: rendering.outline, uses: rendering.uses };
  } catch (error) {
    // The libraries recurse: nesting deeper than the estimate saw ends here.
    if (error instanceof RangeError) return plainText(markdown);
    if (error instanceof TooMuchHtml) return plainText(markdown, 'is too large to');
    if (error instanceof UnreadableHtml) return plainText(markdown, 'has HTML that cannot');
    throw error;
  }
}

class Rendering {
  readonly outline: RenderedPage['outline'] = [];
  readonly uses = { math: false, diagrams: false };
  readonly #context: RenderContext;
  readonly #ids = new Set<string>();
  #costLeft = MAX_COST;
  #embedsLeft = MAX_EMBEDS;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  /**
   * Null if rendering would take too long. `within` contains the paths of the pages that embed it, and its
   * own.
   */
  async render(part: PagePart, within: readonly string[]): Promise<ElementContent[] | null> {
    this.#costLeft -= costOf(part.text, part.page);
    const left = this.#costLeft;
    if (left < 0) return null;
    // The embeds within take numbers of their own.
    const notes = part.depth === 0 ? NOTES : `${NOTES}${this.#embedsLeft}.`;
    const own = new OwnElements();
    const parsed = parsePart(part);
    const options = { allowDangerousHtml: true, clobberPrefix: own.notePrefix };
    const unfinished = shapePart(parsed, part, own, (nodes) => {
      const tree = toHast({ type: 'root', children: nodes }, options) as Root;
      return htmlOf(finishHtml(tree, { own, ids: this.#ids, notes: NOTES }));
    });
    const { headings, hasHtml } = unfinished;
    if (part.depth === 0) {
      for (const { level, text, id } of headings) this.outline.push({ depth: level, text, id });
      for (const { id } of headings) this.#ids.add(id);
    }
    await this.#complete(unfinished, part, within);
    const tree = toHast(parsed.root, options) as Root;
    const cost = hasHtml ? htmlCost(tree, { blocks: part.page.prose.length, most: left }) : 0;
    // An embedded page that costs too much is a link, and takes nothing from the page around it.
    if (cost > left) return null;
    this.#costLeft -= cost;
    return finishHtml(hasHtml ? await parseHtml(tree) : tree, { own, ids: this.#ids, notes });
  }

  async #complete(unfinished: Unfinished, part: PagePart, within: readonly string[]): Promise<void> {
    this.uses.math ||= unfinished.math.length > 0;
    this.uses.diagrams ||= unfinished.hasDiagrams;
    await highlight(unfinished.code);
    await renderFormulas(unfinished.math);
    for (const { element, link } of unfinished.embeds) {
      const embedded = await this.#embed(link.written, part.depth, within);
      if (embedded !== null) element.children = [...sourceOf(element.children ?? []), ...embedded];
    }
  }

  async #embed(written: string, depth: number, within: readonly string[]): Promise<ElementContent[] | null> {
    if (depth >= MAX_DEPTH || this.#embedsLeft <= 0) return null;
    this.#embedsLeft -= 1;
    const found = await this.#context.embed(written, within.at(-1) ?? this.#context.path);
    if (found === null || found.markdown.length > MAX_CHARACTERS || within.includes(found.path)) return null;
    const page = readPageText(found.markdown);
    const part = pagePart(found.markdown, page, found, depth + 1);
    return this.render(part, [...within, found.path]).catch((error: unknown) => {
      if (error instanceof UnreadableHtml) return null;
      throw error;
    });
  }
}

/**
 * The tree with its HTML parsed. Begins with an element: after a `<col>` at the beginning, the parser would ignore the rest
 * of the page, which readers other than people would see. Most pages have no HTML: they do not load the parser.
 */
async function parseHtml({ children }: Root): Promise<Root> {
  const { raw } = await import('hast-util-raw');
  try {
    const [, ...parsed] = (raw({ type: 'root', children: [BEGIN, ...children] }) as Root).children;
    return { type: 'root', children: parsed };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // Some tags that are not closed confuse the library.
    throw new UnreadableHtml('The HTML cannot be parsed.', { cause: error });
  }
}

class UnreadableHtml extends Error {}

const BEGIN: Element = { type: 'element', tagName: 'wbr', properties: {}, children: [] };

/** Pages within pages within a page; deeper ones are links. */
const MAX_DEPTH = 2;
const MAX_EMBEDS = 50;

function sourceOf(children: ElementContent[]): ElementContent[] {
  return [{ type: 'element', tagName: 'p', properties: { className: ['embed-source'] }, children }];
}

/** The sanitizer is last: only blocks that went through it before are taken as they are. */
function htmlOf(children: readonly ElementContent[]): string {
  const budget = new HtmlBudget();
  for (const child of children) budget.takeTree(child);
  let html = '';
  let next: ElementContent[] = [];
  const add = () => {
    if (next.length > 0) html += toHtml(sanitize({ type: 'root', children: next }, SCHEMA), TO_HTML);
    next = [];
  };
  for (const child of children) {
    if (child.type === 'raw') {
      add();
      html += child.value;
    } else next.push(child);
  }
  add();
  return html;
}

const TO_HTML = { characterReferences: { useNamedReferences: false } };
