import type { Nodes } from 'hast';

/** Largest HTML of a page, in about characters. It is kept in memory many times over until it is sent. */
const MAX_HTML = 5_000_000;

/** The HTML of a page would be too large to send. */
export class TooMuchHtml extends Error {}

/** Counts what a page's HTML will consist of, before it is made: a short page may repeat a long text many times. */
export class HtmlBudget {
  #left = MAX_HTML;

  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooMuchHtml('The HTML of the page is too large.');
  }

  takeTree(node: Nodes): void {
    if ('value' in node) this.take(node.value.length);
    if (node.type === 'element') {
      this.take(2 * node.tagName.length + TAG);
      for (const [name, value] of Object.entries(node.properties)) {
        this.take(name.length + String(value).length + ATTRIBUTE);
      }
    }
    if ('children' in node) for (const child of node.children) this.takeTree(child);
  }
}

const TAG = '<></>'.length;
const ATTRIBUTE = ' =""'.length;
