import { expect } from 'vitest';
import type { Chunk } from './planned-changes.ts';
import type { Effect, Retarget } from './requests.ts';
import { blocksOf, type Place as Found, findSlowly, headingsOf, sectionsOf } from './slow-anchors.ts';
import { addressOf, type LinkWithTarget, type VaultState } from './vault-state.ts';

/**
 * An anchor of a page that was not merged names the same heading or block, whatever became of the links in headings;
 * one that was broken and names what another page brought in a merge is to be reported.
 */
export function checkOwnAnchor(
  { before, after, effect }: { before: VaultState; after: VaultState; effect: Effect },
  link: LinkWithTarget,
  now: LinkWithTarget,
  about: string,
): Omit<Retarget, 'page'> | null {
  const { leads } = link;
  const present = now.leads ?? '';
  if (!link.anchor || !leads?.endsWith('.md')) return null;
  if (effect.went.get(leads) !== present) return null;
  const was = findSlowly(`${before.files.get(leads)}`, link.anchor, link.kind);
  const is = findSlowly(`${after.files.get(present)}`, now.anchor ?? '', now.kind);
  const isKnown = effect.chunks?.get(present)?.some((chunk) => 'from' in chunk) ?? false;
  if (!isKnown) return checkEditedAnchor({ before, after }, { link, was }, { link: now, is });
  const parts = placesOf(effect.chunks?.get(present) ?? [], before, (is ?? was)?.kind);
  const isIn = ({ first, end }: { first: number; end: number }) =>
    is !== null && is.index >= first && is.index < end;
  for (const part of parts.filter(({ from }) => from === leads)) {
    const index = was === null ? null : was.index + part.first;
    if (index !== null || isIn(part)) expect(is?.index, `names another heading: ${about}`).toBe(index);
  }
  if (was !== null && is?.kind !== 'heading') return null;
  const isTaken = parts.some((part) => part.from !== null && part.from !== leads && isIn(part));
  if (!isTaken) return null;
  return { link: now.written, ...targets(leads, was && link.anchor, present, now.anchor) };
}

/** From which page each part of a merged page came, and which of its headings or blocks are in it. */
function placesOf(chunks: readonly Chunk[], before: VaultState, kind: 'block' | 'heading' | undefined) {
  const countIn = kind === 'block' ? blocksOf : headingsOf;
  let end = 0;
  return chunks.map((chunk) => {
    const from = 'from' in chunk ? chunk.from : null;
    const first = end;
    end += countIn('from' in chunk ? `${before.files.get(chunk.from)}` : chunk.text).length;
    return { from, first, end };
  });
}

function targets(leads: string, anchor: string | null | undefined, now: string, anchorNow: unknown) {
  return {
    old_target: addressOf(leads) + (anchor == null ? '' : `#${anchor}`),
    new_target: `${addressOf(now)}#${anchorNow}`,
  };
}

/** An anchor of a page that was edited is to be reported if it names nothing now, or the heading of another section. */
function checkEditedAnchor(
  { before, after }: { before: VaultState; after: VaultState },
  { link, was }: { link: LinkWithTarget; was: Found | null },
  { link: now, is }: { link: LinkWithTarget; is: Found | null },
): Omit<Retarget, 'page'> | null {
  const [leads, leadsNow] = [link.leads ?? '', now.leads ?? ''];
  const [text, textNow] = [`${before.files.get(leads)}`, `${after.files.get(leadsNow)}`];
  if (was === null || text === textNow) return null;
  const isSame =
    is?.kind === 'heading' && was.kind === 'heading'
      ? sameSection(text, was.index, textNow) === is.index
      : is !== null;
  if (isSame) return null;
  return {
    link: now.written,
    old_target: `${addressOf(leads)}#${link.anchor}`,
    new_target: addressOf(leadsNow) + (is === null ? '' : `#${now.anchor}`),
  };
}

/**
 * The place of a section after an edit: the one section with its heading and its text, else by its position
 * among equal ones.
 */
function sameSection(text: string, index: number, textNow: string): number | undefined {
  const [sections, sectionsNow] = [sectionsOf(text), sectionsOf(textNow)];
  const own = sections[index];
  const whole = (section: (typeof sections)[number]) => `${section.level} ${section.text} ${section.body}`;
  const isSure = (section: (typeof sections)[number]) =>
    [sections, sectionsNow].every(
      (all) => all.filter((other) => whole(other) === whole(section)).length === 1,
    );
  if (own === undefined) return undefined;
  if (isSure(own)) return sectionsNow.findIndex((other) => whole(other) === whole(own));
  const likes = (all: typeof sections) =>
    [...all.entries()].filter(
      ([, other]) => other.level === own.level && other.text === own.text && !isSure(other),
    );
  const place = likes(sections).findIndex(([at]) => at === index);
  return likes(sectionsNow)[place]?.[0];
}

/** True if the anchor of a link names a heading or a block. */
export function namesPart({ leads, anchor, kind }: LinkWithTarget, { files }: VaultState): boolean {
  const text = anchor && leads?.endsWith('.md') ? files.get(leads) : undefined;
  return text !== undefined && findSlowly(`${text}`, anchor ?? '', kind) !== null;
}
