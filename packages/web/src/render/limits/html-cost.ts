import type { Nodes } from 'hast';

/**
 * Estimates the time that the HTML in a page costs its parser, in about milliseconds of an idle core. Reads the tree, not
 * the text: tags in code cost nothing. Infinity for nesting so deep that the parser would run out of stack.
 *
 * @param blocks the number of spans of prose, which the parser places within the open elements.
 * @param most the cost beyond which nobody asks how high it is.
 */
export function htmlCost(tree: Nodes, { blocks, most }: { blocks: number; most: number }): number {
  const attributes = new AttributeCounter(most);
  const tags = new TagCounter();
  addTo([attributes, tags], tree);
  return attributes.cost + tags.costBefore(blocks);
}

interface Counter {
  addHtml(html: string): void;
  addElement?(): void;
}

function addTo(counters: readonly Counter[], node: Nodes): void {
  for (const counter of counters) {
    if (node.type === 'raw') counter.addHtml(node.value);
    else if (node.type === 'element') counter.addElement?.();
  }
  if ('children' in node) for (const child of node.children) addTo(counters, child);
}

const TAG = 0.03;
const MAX_OPEN = 1_000;
const NESTED = 0.0001;
const REOPENED = 0.01;

/**
 * The parser reopens each unclosed formatting element in each following block, and looks up through all other open
 * elements there. As in a browser, the slash in `<Since />` closes nothing.
 */
class TagCounter implements Counter {
  #tags = 0;
  #open = 0;
  #formatting = 0;
  #isTooDeep = false;

  addHtml(html: string): void {
    for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
      this.#tags += 1;
      const tag = name.toLowerCase();
      const step = slash === '' ? 1 : -1;
      if (!VOID.has(tag)) this.#open = Math.max(0, this.#open + step);
      if (FORMATTING.has(tag)) this.#formatting = Math.max(0, this.#formatting + step);
      this.#isTooDeep ||= this.#open > MAX_OPEN;
    }
  }

  costBefore(blocks: number): number {
    if (this.#isTooDeep) return Number.POSITIVE_INFINITY;
    return this.#tags * TAG + (this.#formatting * REOPENED + this.#open * NESTED) * (this.#tags + blocks);
  }
}

const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr', 'col', 'p', 'li', 'td', 'th', 'tr', 'dt', 'dd']);

const PAIR = 0.000003;
const COPY = 0.001;
const COMPARISON = 0.0001;
/** Quotes that end nowhere make each tag look longer than it is. */
const SCANNED = 0.00005;

/**
 * The parser compares each attribute with those before it in the tag, and copies those of unclosed formatting elements
 * into each following block.
 */
class AttributeCounter implements Counter {
  cost = 0;
  readonly #most: number;
  readonly #open = new Map<string, number[]>();
  #openCount = 0;

  constructor(most: number) {
    this.#most = most;
  }

  addElement(): void {
    this.cost += this.#openCount * COPY;
  }

  addHtml(html: string): void {
    for (const tag of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
      if (this.cost > this.#most) return;
      const [written, slash, name = ''] = tag;
      this.cost += this.#openCount * COPY;
      if (slash === '/') this.#close(name.toLowerCase());
      else this.#addTag(name.toLowerCase(), html, tag.index + written.length);
    }
  }

  #addTag(name: string, html: string, start: number): void {
    let count = 0;
    ATTRIBUTE.lastIndex = start;
    for (let end = start; ATTRIBUTE.test(html); end = ATTRIBUTE.lastIndex) {
      count += 1;
      this.cost += (ATTRIBUTE.lastIndex - end) * SCANNED;
    }
    this.cost += count * count * PAIR;
    if (!FORMATTING.has(name)) return;
    const same = this.#open.get(name) ?? [];
    this.cost += same.length * count * COMPARISON;
    this.#open.set(name, same);
    same.push(count);
    this.#openCount += count;
  }

  #close(name: string): void {
    this.#openCount -= this.#open.get(name)?.pop() ?? 0;
  }
}

const ATTRIBUTE = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'>][^\s>]*)?)?/y;
/** The parser reopens these after a block that ended before them. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
