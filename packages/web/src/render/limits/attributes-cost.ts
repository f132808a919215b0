import type { Nodes } from 'hast';

/**
 * Estimates the time that attributes cost the parser of HTML, in about milliseconds of an idle core. It compares each with
 * those before it in the tag, and copies those of unclosed formatting elements into each following block.
 */
export function attributesCost(tree: Nodes): number {
  const counter = new AttributeCounter();
  counter.add(tree);
  return counter.cost;
}

const PAIR = 0.000003;
const COPY = 0.001;
const COMPARISON = 0.0001;
/** Quotes that end nowhere make each tag look longer than it is. */
const SCANNED = 0.00002;
/** More than any page may cost. */
const ENOUGH = 1_000;

class AttributeCounter {
  cost = 0;
  readonly #open = new Map<string, number[]>();
  #openCount = 0;

  add(node: Nodes): void {
    if (node.type === 'raw') this.#addHtml(node.value);
    else if (node.type === 'element') this.cost += this.#openCount * COPY;
    if ('children' in node) for (const child of node.children) this.add(child);
  }

  #addHtml(html: string): void {
    for (const tag of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
      if (this.cost > ENOUGH) return;
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
export const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
