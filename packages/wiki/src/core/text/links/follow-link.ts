import { rewriteString } from '../frontmatter/frontmatter-links.ts';
import type { Link } from '../markdown/markdown.ts';
import type { AnchorMover, MovedAnchor } from '../merging/merged-anchors.ts';
import { anchorLike, destinationForm, inlineForms, readForm, wikiForms } from './link-forms.ts';
import type { LinkAddress } from './link-names.ts';
import type { LinkResolver, ResolvedLink } from './link-resolver.ts';
import { styleOf } from './link-target.ts';
import { barAt, destinationOf, textOfLink } from './link-text.ts';
import type { LinkForm } from './link-to-write.ts';
import { showsOldName } from './old-names.ts';
import { isNewDetour, rebased } from './rebased-link.ts';
import { asWholeLink, wikilinkBehind } from './stand-ins.ts';

/** The effect of a change on links. All paths are tree paths. */
export interface LinkChange {
  before: LinkResolver;
  after: LinkResolver;
  /** New paths of moved pages and files, by the old ones. */
  moved: ReadonlyMap<string, string>;
  /** Old paths of pages that became part of another page: links to them keep their shown text. */
  merged: ReadonlySet<string>;
  /** Paths of deleted pages at which other pages lie now: links to them are reported, whatever their anchors. */
  replaced: ReadonlySet<string>;
  /** The new path of a path that was empty: it moves with its folder. */
  placeOf(path: string): string;
  /** The new names of anchors in pages that became part of another page, by the old paths of those pages. */
  anchors: ReadonlyMap<string, AnchorMover>;
  /** Paths at which nothing lies any more. New links of the change to them are reported. */
  removed: ReadonlySet<string>;
  /** True if links to the page or file formerly at a path are rewritten to keep leading to it. */
  follows(place: string): boolean;
  /**
   * True if there may be pages that nobody here sees. Such a page may have any name, so a rewritten link
   * needs the whole path.
   */
  isBlind?: boolean;
}

/** The link was on a page at `from` and is on one at `at`. */
export interface Following extends LinkChange {
  from: string;
  at: string;
  /** A link in a heading keeps its shown text: anchors name the heading by its text. */
  inHeading: boolean;
}

export interface Rewrite {
  start: number;
  end: number;
  text: string;
  /** The whole link after the rewrite. */
  link: string;
}

export interface RetargetedLink {
  /** The link as written in the text. */
  link: string;
  oldTarget: string | null;
  newTarget: string | null;
  /** Set only if the anchor leads elsewhere. */
  anchors?: { old: string | null; now: string | null };
}

export interface FollowedLink {
  rewrite: Rewrite | null;
  retargeted: RetargetedLink | null;
}

/** True if a link leads to the page or file to which it led, whatever its anchor. */
export function leadsToSamePage(
  led: ResolvedLink,
  leads: ResolvedLink,
  { moved, replaced }: Pick<LinkChange, 'moved' | 'replaced'>,
): boolean {
  return leads.path === (moved.get(led.path) ?? led.path) && !replaced.has(led.path);
}

/** The change to one link of a page; null if it stays and leads to the same place. */
export function followLink(link: Link, page: string, following: Following): FollowedLink | null {
  const { before, after, from, at } = following;
  const led = before.resolve(link, from);
  const leads = after.resolve(link, at);
  if (led === null) return followBroken(link, page, leads, following);
  const named = movedAnchor(link, led, following);
  const anchorStays = named.isKept && named.anchor === led.anchor;
  if (led.by === 'self' && anchorStays) return null;
  const stays = named.anchor === led.anchor && keepsForm(link, led, leads, following);
  if (stays && named.isKept) return null;

  const wanted = led.by === 'self' ? at : (following.moved.get(led.path) ?? led.path);
  const isOwnAnchor = led.by === 'self' && named.anchor === led.anchor;
  const mayRewrite =
    following.follows(led.path) && !stays && !isOwnAnchor && !following.replaced.has(led.path);
  const rewrite = mayRewrite ? rewriteTo(wanted, link, page, { led, named }, following) : null;
  const about = { oldTarget: led.path, newTarget: wanted };
  if (rewrite !== null) {
    const anchors = reported(named, led, named.anchor);
    return { rewrite, retargeted: named.isKept ? null : { ...about, link: rewrite.link, anchors } };
  }
  const shown = { ...about, link: textOfLink(link, page) };
  const leadsThere = led.by === 'self' || leadsAsBefore(led, leads, following);
  if (!leadsThere) return report({ ...shown, newTarget: leads?.path ?? null });
  return anchorStays ? null : report({ ...shown, anchors: reported(named, led, led.anchor) });
}

function reported(named: ReturnType<typeof movedAnchor>, led: ResolvedLink, now: string | null) {
  return { old: named.was ? led.anchor : null, now: named.isLost ? null : (now ?? '') };
}

/** True if a link leads to the same place and need not be rewritten. */
function keepsForm(link: Link, led: ResolvedLink, leads: ResolvedLink | null, following: Following): boolean {
  const { from, at } = following;
  return (
    leads !== null &&
    (led.by !== 'relative' || leads.by === 'relative') &&
    leadsAsBefore(led, leads, following) &&
    !isNewDetour(link, led, from, at) &&
    !showsOldName(link, led, leads)
  );
}

/** True if a link of a page that is not rewritten would lead elsewhere. */
export function isRetargeted(link: Parameters<LinkResolver['resolve']>[0], page: string, change: LinkChange) {
  const led = change.before.resolve(link, page);
  const leads = change.after.resolve(link, page);
  if (led === null || leads === null) return led !== leads;
  if (led.by === 'self') return false;
  if (!leadsAsBefore(led, leads, change) || (led.by === 'relative' && leads.by !== 'relative')) return true;
  const moved = led.anchor === null ? undefined : change.anchors.get(led.path)?.(led.anchor, link.kind);
  const changesAnchor = moved !== undefined && !(moved.isKept && moved.anchor === led.anchor);
  return changesAnchor || showsOldName(link, led, leads);
}

function followBroken(
  link: Link,
  page: string,
  leads: ResolvedLink | null,
  following: Following,
): FollowedLink | null {
  const written = destinationOf(link, page);
  const text = following.follows(following.from) ? rebased(link, written, following) : null;
  if (text !== null) {
    const shown = following.inHeading && link.kind === 'wiki' && link.alias === null;
    const form = {
      text: shown ? text + barAt(link, page) + written : text,
      replaces: 'destination' as const,
    };
    return { rewrite: rewriteAs(plainest(form, link, page, following), link, page), retargeted: null };
  }
  if (leads === null) return null;
  return report({ link: textOfLink(link, page), oldTarget: null, newTarget: leads.path });
}

function report(retargeted: RetargetedLink): FollowedLink {
  return { rewrite: null, retargeted };
}

function movedAnchor(
  { kind }: Link,
  { path, anchor }: ResolvedLink,
  { anchors }: Following,
): Omit<MovedAnchor, 'anchor'> & { anchor: string | null } {
  const moved = anchor === null ? undefined : anchors.get(path)?.(anchor, kind);
  return moved ?? { anchor, was: true, isKept: true };
}

interface Leading {
  led: ResolvedLink;
  named: { anchor: string | null };
}

function rewriteTo(
  wanted: string,
  link: Link,
  page: string,
  leading: Leading,
  following: Following,
): Rewrite | null {
  for (const each of formsOf(link, page, leading, wanted, following)) {
    const form = plainest(each, link, page, following);
    const read = readForm(form, link, page);
    if (read !== null && leadsTo(read, wanted, leading.named.anchor, following))
      return rewriteAs(form, link, page);
  }
  return null;
}

/**
 * In a heading, if a rename back finds the text left by the rename before it: a link without a text that it
 * shows anyway.
 */
function plainest<Form extends Pick<LinkForm, 'text' | 'replaces'>>(
  form: Form,
  link: Link,
  page: string,
  { inHeading }: Following,
): Form | LinkForm {
  if (!inHeading) return form;
  const { link: whole } = rewriteAs(form, link, page);
  const opening = whole.startsWith('!') ? '![[' : '[[';
  const bar = whole.indexOf('|');
  if (bar === -1 || !whole.startsWith(opening) || !whole.endsWith(']]')) return form;
  const target = whole.slice(opening.length, bar).replace(/\\$/, '').trim();
  if (target === '' || target !== whole.slice(bar + 1, -2).trim()) return form;
  const text = `${opening}${target}]]`;
  return { text, replaces: 'link', sample: text };
}

function* formsOf(
  link: Link,
  page: string,
  { led, named: { anchor } }: Leading,
  wanted: string,
  { from, at, merged, inHeading }: Following,
): Generator<LinkForm> {
  const written = destinationOf(link, page);
  const shownAs = (text: string | null) => (text === null ? null : { text, bar: barAt(link, page) });
  if (led.by === 'self') {
    const hasText = link.kind !== 'wiki' || link.alias !== null || (link.embed && !inHeading);
    return yield ownForm(
      link,
      written,
      { led, anchor },
      shownAs(hasText ? null : inHeading ? written : led.anchor),
    );
  }
  const keepsShown = merged.has(led.path) || inHeading;
  const behind = wikilinkBehind(link, page, led, from);
  if (behind !== null) {
    const shown = shownAs(keepsShown ? behind.shown : behind.link.alias);
    for (const form of wikiForms({ ...behind, anchor, wanted, at, shown })) yield asWholeLink(form, link);
  }
  const toWrite = { link, written, led, anchor, wanted, at };
  if (link.kind !== 'wiki') return yield* inlineForms({ ...toWrite, shown: null });
  const keepsText = link.alias === null && (!link.embed || inHeading) && (led.by === 'alias' || keepsShown);
  yield* wikiForms({ ...toWrite, shown: shownAs(keepsText ? written : null) });
}

/** A link to a place in its own page. */
function ownForm(
  link: Link,
  written: string,
  anchors: { led: ResolvedLink; anchor: string | null },
  shown: { text: string; bar: string } | null,
): LinkForm {
  if (link.kind === 'wiki') {
    const text = `#${anchors.anchor}${shown === null ? '' : shown.bar + shown.text}`;
    return { text, replaces: 'destination', sample: `[[${text}]]` };
  }
  return destinationForm(link, anchorLike(written, anchors, styleOf(link, written)));
}

function leadsAsBefore(
  led: ResolvedLink,
  leads: ResolvedLink | null,
  change: Pick<LinkChange, 'moved' | 'replaced'>,
): boolean {
  return leads !== null && leadsToSamePage(led, leads, change) && leads.anchor === led.anchor;
}

function leadsTo(
  link: LinkAddress,
  wanted: string,
  anchor: string | null,
  { after, at, isBlind }: Following,
): boolean {
  const leads = after.resolve(link, at);
  if (isBlind && leads?.by === 'name') return false;
  return leads?.path === wanted && leads.anchor === anchor;
}

function rewriteAs(form: Pick<LinkForm, 'text' | 'replaces'>, link: Link, page: string): Rewrite {
  const { start, end, destination, property } = link;
  const whole = property ?? page.slice(start, end);
  const offset = property === null ? start : 0;
  const written =
    form.replaces === 'link'
      ? form.text
      : whole.slice(0, destination.start - offset) + form.text + whole.slice(destination.end - offset);
  if (property !== null) {
    return { start, end, text: rewriteString(page.slice(start, end), written), link: written };
  }
  // Only the changed part: an image within the text of a link may be rewritten too.
  const place = form.replaces === 'link' ? { start, end } : destination;
  return { start: place.start, end: place.end, text: form.text, link: written };
}
