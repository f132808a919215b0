import type { LinkChange } from '../../src/core/text/links/follow-link.ts';
import { followLinks } from '../../src/core/text/links/follow-links.ts';
import { createLinkResolver } from '../../src/core/text/links/link-resolver.ts';
import { wholeText } from '../../src/core/text/text-runs.ts';
import { atOnce } from '../../src/scheduling/in-turns.ts';

/** A wiki before and after a change, in which pages moved as given. */
export function changeOf(
  before: readonly string[],
  after: readonly string[],
  moved: Readonly<Record<string, string>> = {},
  more: Partial<LinkChange> = {},
): LinkChange {
  return {
    before: createLinkResolver(before),
    after: createLinkResolver(after),
    moved: new Map(Object.entries(moved)),
    ...{ merged: new Set(), replaced: new Set(), removed: new Set(), anchors: new Map() },
    placeOf: (path) => path,
    follows: () => true,
    ...more,
  };
}

/** A wiki in which these pages and files move, and no others. */
export function moveIn(paths: readonly string[], moved: Readonly<Record<string, string>>): LinkChange {
  return changeOf(
    paths,
    paths.map((path) => moved[path] ?? path),
    moved,
  );
}

/** What the change does to the links of a text that was on this page. */
export function follow(text: string, change: LinkChange, page = 'P.md') {
  const at = change.moved.get(page) ?? page;
  return atOnce(followLinks({ text, at, origins: wholeText(page) }, change));
}
