import type { Steps } from '../../../scheduling/in-turns.ts';
import { MAX_YAML_CHARACTERS } from '../frontmatter/frontmatter.ts';
import type { Link } from '../markdown/markdown.ts';
import { blockSteps, type MarkdownBlocks } from '../markdown/markdown-blocks.ts';
import { inlineSteps } from '../markdown/markdown-links.ts';
import { originsOf, type Run } from '../text-runs.ts';
import {
  type FollowedLink,
  followLink,
  type LinkChange,
  type RetargetedLink,
  type Rewrite,
} from './follow-link.ts';
import { type LinkSource, linkOrigins } from './link-origins.ts';
import { textOfLink } from './link-text.ts';

/** The text of a page after the change. */
export interface LinkedText {
  text: string;
  /** The page's place after the change. */
  at: string;
  /**
   * The pages from which its parts come, or the old text for a comparison if the parts are not known. A new
   * link means its target after the change.
   */
  origins: readonly Run[] | LinkSource;
}

export interface FollowedLinks {
  text: string;
  /** The number of rewritten links. */
  count: number;
  /** The links that lead elsewhere now. */
  retargeted: RetargetedLink[];
}

/**
 * Rewrites the links of a page that would lead elsewhere after the change, so that each leads to the same
 * place as before, and reports those for which that is impossible. A rewritten link keeps its style, its text
 * and its anchor. `concerns` selects the links that the change can affect; by default all.
 */
export function* followLinks(
  { text, at, origins }: LinkedText,
  change: LinkChange,
  concerns: (link: Link) => boolean = () => true,
): Steps<FollowedLinks> {
  const blocks = yield* blockSteps(text);
  const { links } = yield* inlineSteps(text, blocks);
  const stoodOn = 'text' in origins ? yield* linkOrigins(text, links, origins) : originsOf(links, origins);
  const retargeted: RetargetedLink[] = [];
  const rewritten: Rewrite[] = [];
  const room = { characters: roomForYaml(blocks) };
  let title = 0;
  for (const [index, link] of links.entries()) {
    if (index % LINKS_AT_ONCE === 0) yield;
    const from = stoodOn[index] ?? null;
    if (from === null) {
      const oldTarget = lostTarget(link, { ...change, at });
      if (oldTarget !== null) retargeted.push({ link: textOfLink(link, text), oldTarget, newTarget: null });
      continue;
    }
    if (!concerns(link)) continue;
    while ((blocks.titles[title]?.end ?? Infinity) <= link.start) title += 1;
    const inHeading = (blocks.titles[title]?.start ?? Infinity) <= link.start;
    const followed = followWithin(room, link, text, { ...change, from, at, inHeading });
    if (followed?.rewrite) rewritten.push(followed.rewrite);
    if (followed?.retargeted) retargeted.push(followed.retargeted);
  }
  return { text: applyRewrites(text, rewritten), count: rewritten.length, retargeted };
}

/** Takes about a millisecond. */
const LINKS_AT_ONCE = 50;

/**
 * The room that is left in the frontmatter: beyond its limit it is not interpreted, and would lose all its
 * aliases and tags.
 */
function roomForYaml({ frontmatter }: MarkdownBlocks): number {
  return frontmatter === null ? 0 : MAX_YAML_CHARACTERS - (frontmatter.yamlEnd - frontmatter.yamlStart);
}

/** Follows a link. A link in the frontmatter stays as it is if it would exceed the room that is left. */
function followWithin(
  room: { characters: number },
  link: Link,
  text: string,
  following: Parameters<typeof followLink>[2],
): FollowedLink | null {
  const followed = followLink(link, text, following);
  if (!followed?.rewrite || link.property === null) return followed;
  const growth = growthOf(followed.rewrite);
  if (growth > room.characters) return followLink(link, text, { ...following, follows: () => false });
  room.characters -= growth;
  return followed;
}

function growthOf({ start, end, text }: Rewrite): number {
  return Math.max(0, text.length - (end - start));
}

/** The former target of a new link, if the change moved or removed it; else null. */
function lostTarget(link: Link, { before, after, removed, at }: LinkChange & { at: string }): string | null {
  if (removed.size === 0 || after.resolve(link, at) !== null) return null;
  const led = before.resolve(link, at);
  return led !== null && removed.has(led.path) ? led.path : null;
}

function applyRewrites(text: string, rewritten: readonly Rewrite[]): string {
  const pieces: string[] = [];
  let kept = 0;
  for (const rewrite of rewritten.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(kept, rewrite.start), rewrite.text);
    kept = rewrite.end;
  }
  return pieces.join('') + text.slice(kept);
}
