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
 * For each link of a text, the page on which it was before, or null if it is new. The common beginning and
 * end of both texts are compared link by link. In between, links are matched by their written form, in order.
 */
export function* linkOrigins(
  text: string,
  links: readonly Link[],
  source: LinkSource,
): Steps<(string | null)[]> {
  if (source.text === text) return links.map(() => source.from);
  const old = yield* linksOf(source);
  const origins: (string | null)[] = links.map(() => null);
  const written = links.map((link) => textOfLink(link, text));

  const begun = commonStart(text, source.text);
  let head = 0;
  while (isWithin(links[head]?.end, begun) && written[head] === old[head]?.written) {
    origins[head] = old[head]?.from ?? null;
    head += 1;
  }
  const ended = text.length - commonEnd(text, source.text, Math.min(text.length, source.text.length) - begun);
  let tail = 0;
  while (links.length - tail > head && old.length - tail > head) {
    const link = links.length - 1 - tail;
    const known = old[old.length - 1 - tail];
    if (!isWithin(ended, links[link]?.start) || written[link] !== known?.written) break;
    origins[link] = known?.from ?? null;
    tail += 1;
  }
  const between = Map.groupBy(old.slice(head, old.length - tail), (link) => link.written);
  for (let at = head; at < links.length - tail; at += 1) {
    origins[at] = between.get(written[at] ?? '')?.shift()?.from ?? null;
  }
  return origins;
}

function* linksOf({ from, text }: LinkSource): Steps<{ from: string; written: string }[]> {
  const links = yield* linkSteps(text);
  return links.map((link) => ({ from, written: textOfLink(link, text) }));
}

function isWithin(offset: number | undefined, bound: number | undefined): boolean {
  return offset !== undefined && bound !== undefined && offset <= bound;
}

export function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

export function commonEnd(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}
