import { randomBytes } from 'node:crypto';
import type { ElementContent, Properties } from 'hast';

/** Our replacement of an element, whatever HTML the page contains. */
export interface OwnElement {
  tagName?: string;
  properties?: Properties;
  /** Replaces its children. They are ours too. */
  children?: ElementContent[];
  /** A block that is finished and safe, in the place of the element. */
  html?: string;
}

/**
 * Elements that we make, distinguished from those in the page's own HTML by a random token, which no page can
 * know. Their addresses, ids and classes are kept here until the page's own HTML has been parsed and cleaned.
 */
export class OwnElements {
  readonly #token = randomBytes(12).toString('hex');
  readonly #elements: OwnElement[] = [];

  /** The properties that mark an element as this one. */
  mark(element: OwnElement): Properties {
    return { dataOwn: `${this.#token}-${this.#elements.push(element) - 1}` };
  }

  /** The same as an attribute in HTML. */
  attribute(element: OwnElement): string {
    return `data-own="${this.mark(element).dataOwn}"`;
  }

  /** The element that these properties mark; undefined for HTML in the page. */
  find({ dataOwn }: Properties): OwnElement | undefined {
    const [token, index] = String(dataOwn ?? '').split('-');
    return token === this.#token ? this.#elements[Number(index)] : undefined;
  }

  /** The prefix of the ids of footnotes until they get their final form. */
  get notePrefix(): string {
    return `${this.#token}-`;
  }
}
