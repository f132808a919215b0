import { slugOf } from './markdown/anchors.ts';
import { plainText } from './markdown/outline.ts';

/**
 * The HTML id of a heading, a block or an element, derived from the anchor of a link to it. Derived without
 * reading that page: if two headings have the same text, the second has another id.
 */
export function idFor(anchor: string): string {
  const last = anchor.slice(anchor.lastIndexOf('#') + 1).trim();
  return last.startsWith('^') ? blockIdFor(last.slice(1)) : slugOf(plainText(last));
}

export function blockIdFor(id: string): string {
  return `^${id.toLowerCase()}`;
}
