import type { Mention } from '../mentions/find-mentions.ts';
import { followLink } from '../text/links/follow-link.ts';
import type { LinkResolver } from '../text/links/link-resolver.ts';
import type { Link } from '../text/markdown/markdown.ts';

/** A piece of a page's text, and what takes its place. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/**
 * The link written so that it leads to the page or file at the tree path `wanted`, by a path that no other
 * one has. It keeps its style, its text and its anchor. Null if that cannot be written.
 */
export function leadTo(
  link: Link,
  text: string,
  {
    at,
    wanted,
    resolver,
    inHeading,
  }: { at: string; wanted: string; resolver: LinkResolver; inHeading: boolean },
): Replacement | null {
  const { anchor, query } = link;
  const followed = followLink(link, text, {
    from: at,
    at,
    inHeading,
    // As if the link had led to a place that moved: then it is rewritten as in every move.
    before: { resolve: () => ({ path: FORMER_PLACE, anchor, query, by: 'path' }) },
    after: { resolve: (address, from) => (address === link ? null : resolver.resolve(address, from)) },
    moved: new Map([[FORMER_PLACE, wanted]]),
    merged: new Set(),
    replaced: new Set(),
    placeOf: (path) => path,
    anchors: new Map(),
    removed: new Set(),
    follows: () => true,
    isBlind: true,
  });
  return followed?.rewrite ?? null;
}

/** No page has this path. */
const FORMER_PLACE = '\0.md';

/** The words as a link to the page at the tree path `wanted`; they stay what a reader sees. Null if that cannot be written. */
export function linkMention(
  { start, end, draft, link }: Mention,
  target: { at: string; wanted: string; resolver: LinkResolver },
): Replacement | null {
  // As in a heading, where a link whose target is what it shows has no other text.
  const led = leadTo(link, draft, { ...target, inHeading: true });
  if (led === null) return null;
  const text = draft.slice(link.start, led.start) + led.text + draft.slice(led.end, link.end);
  return { start, end, text };
}

/** The text that a link shows, in place of the link. Null for one that is no text, such as one in a property. */
export function asPlainText(
  { kind, embed, property, alias, start, end, destination }: Link,
  text: string,
): Replacement | null {
  if (property !== null || embed || (kind !== 'wiki' && kind !== 'inline')) return null;
  const shown = alias ?? text.slice(destination.start, destination.end);
  return { start, end, text: shown.trim() };
}
