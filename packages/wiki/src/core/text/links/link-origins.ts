import type { Steps } from '../../../scheduling/in-turns.ts';
import type { Link } from '../markdown/markdown.ts';
import { linkSteps } from '../markdown/markdown-links.ts';
import { textOfLink } from './link-text.ts';

/** A text before a change, and the tree path of its page at that time. */
export interface LinkSource {
  from: string;
  text: string;
}

/**
 * For each link of a text, the page on which it was before, or null if it is new. Those in the common end of both texts
 * were there. The others are matched by their written form, in order.
 */
export function* linkOrigins(
  text: string,
  links: readonly Link[],
  source: LinkSource,
): Steps<(string | null)[]> {
  if (source.text === text) return links.map(() => source.from);
  const old = (yield* linkSteps(source.text)).map((link) => textOfLink(link, source.text));
  const written = links.map((link) => textOfLink(link, text));
  const most = Math.min(text.length, source.text.length) - commonStart(text, source.text);
  const end = text.length - commonEnd(text, source.text, most);
  let tail = 0;
  while ((links.at(-1 - tail)?.start ?? -1) >= end && written.at(-1 - tail) === old.at(-1 - tail)) tail += 1;
  const others = Map.groupBy(old.slice(0, old.length - tail), (each) => each);
  return written.map((each, place) => {
    const isKnown = place >= written.length - tail || others.get(each)?.pop() !== undefined;
    return isKnown ? source.from : null;
  });
}

export function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

export function commonEnd(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}
