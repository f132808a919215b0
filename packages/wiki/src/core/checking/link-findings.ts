import { throwIfCancelled } from '../../contract/errors.ts';
import { yielding, yieldNowAndThen } from '../../scheduling/yielding.ts';
import type { Index, PlacedLink } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import { linkCandidates } from '../text/links/link-candidates.ts';
import { createLinkResolver, type ResolvedLink } from '../text/links/link-resolver.ts';
import { nearNames } from '../text/links/near-names.ts';
import { anchorFinder, type PageAnchors } from '../text/markdown/anchors.ts';
import { plainText } from '../text/markdown/outline.ts';
import type { Found, Search } from './finding.ts';
import { createSuggester, missingPage } from './link-suggestions.ts';

interface FollowedLinks {
  /** Findings of the wanted kinds, sorted by kind, then by page. */
  found: Found[];
  /** Paths of the pages that another page links to. */
  linked: Set<string>;
}

interface LedLink extends PlacedLink {
  led: ResolvedLink;
}

/** Follows every link in one commit. `successors`: see `successorsOf`. */
export async function followLinks(
  index: Index,
  commit: string,
  { kinds, signal }: Search,
  successors: ReadonlyMap<string, string>,
): Promise<FollowedLinks> {
  const names = await index.names(commit);
  const resolver = createLinkResolver(names.treePaths, names.aliases);
  const suggest = createSuggester(index, commit, names.treePaths);
  const candidatesOf = linkCandidates(names);
  const broken: Found[] = [];
  const ambiguous: Found[] = [];
  const superseded: Found[] = [];
  const anchored: LedLink[] = [];
  const linked = new Set<string>();
  for (const [place, placed] of (await index.everyLink(commit)).entries()) {
    await yieldNowAndThen(place);
    const { from, line, link } = placed;
    const path = shown(from);
    const led = resolver.resolve(link, from);
    if (led === null) {
      const about = { path, line, detail: link.target, target: link.target };
      const missing = missingPage(link, from);
      const finding = { kind: 'broken_link', ...about, ...(missing && { missing }) } as const;
      broken.push({ finding, suggest: () => suggest(link, from) });
      continue;
    }
    if (led.path !== from) linked.add(shown(led.path));
    const followed = { ...placed, led };
    if (led.anchor !== null && pagePathOf(led.path) !== null) anchored.push(followed);
    ambiguous.push(...ambiguousLink(followed, candidatesOf(link, led)));
    superseded.push(...supersededLink(followed, successors));
  }
  throwIfCancelled(signal);
  const wants = (kind: Search['kinds'][number]) => kinds.includes(kind);
  return {
    found: [
      ...(wants('broken_link') ? broken : []),
      ...(wants('broken_anchor') ? await brokenAnchors(index, commit, anchored) : []),
      ...(wants('ambiguous_link') ? ambiguous : []),
      ...(wants('superseded_link') ? superseded : []),
    ],
    linked,
  };
}

/** The finding if the link could lead to other pages as well. */
function ambiguousLink({ from, line, link, led }: LedLink, candidates: ReadonlySet<string>): Found[] {
  const others = firstOthers(candidates, led.path);
  if (others.length === 0) return [];
  const count = candidates.size - (candidates.has(led.path) ? 1 : 0);
  const more = count > others.length ? ` and ${count - others.length} more` : '';
  const named = others.map(shown);
  const detail = `${JSON.stringify(link.target)} leads to ${shown(led.path)}, and could mean ${named.join(', ')}${more}`;
  const about = { path: shown(from), line, detail, target: link.target, leads_to: shown(led.path) };
  const finding = { kind: 'ambiguous_link', ...about } as const;
  return [{ finding, suggest: () => named }];
}

/** The finding if the link leads to a superseded page. The successor may name it, and an old page stays as it is. */
function supersededLink(
  { from, line, link, led }: LedLink,
  successors: ReadonlyMap<string, string>,
): Found[] {
  const path = shown(from);
  const target = shown(led.path);
  const successor = successors.get(target);
  if (successor === undefined || successor === path || successors.has(path)) return [];
  const detail = `${JSON.stringify(link.target)} leads to ${target}, which is superseded by ${successor}`;
  const finding = { kind: 'superseded_link', path, line, detail, target: link.target } as const;
  return [{ finding, suggest: () => [successor] }];
}

async function brokenAnchors(index: Index, commit: string, links: readonly LedLink[]): Promise<Found[]> {
  const paths = [...new Set(links.map(({ led }) => led.path))];
  const pages = new Map<string, PageAnchors>();
  const finders = new Map<string, ReturnType<typeof anchorFinder>>();
  const yieldIfDue = yielding();
  // A page may have 20,000 headings.
  for (let start = 0; start < paths.length; start += PAGES_AT_ONCE) {
    for (const [path, anchors] of await index.anchors(commit, paths.slice(start, start + PAGES_AT_ONCE))) {
      await yieldIfDue();
      pages.set(path, anchors);
      finders.set(path, anchorFinder(anchors));
    }
    await yieldIfDue();
  }
  const found: Found[] = [];
  for (const [place, { from, line, link, led }] of links.entries()) {
    await yieldNowAndThen(place);
    const anchor = led.anchor ?? '';
    const find = finders.get(led.path);
    if (find === undefined || find(anchor, link.kind) !== null) continue;
    const what = /(?:^|#)\^/.test(anchor) ? 'block' : 'heading';
    const detail = `${shown(led.path)} has no ${what} ${JSON.stringify(anchor)}`;
    const finding = { kind: 'broken_anchor', path: shown(from), line, detail } as const;
    found.push({ finding, suggest: () => nearAnchors(anchor, pages.get(led.path)) });
  }
  return found;
}

function nearAnchors(anchor: string, page: PageAnchors | undefined): string[] {
  if (page === undefined) return [];
  const { headings, blocks } = page;
  const block = /(?:^|#)\^([^#]*)$/.exec(anchor)?.[1];
  if (block !== undefined)
    return nearNames(block, blocks.slice(0, MAX_COMPARED), MAX_NAMED).map((id) => `^${id}`);
  const wanted = anchor.slice(anchor.lastIndexOf('#') + 1).replaceAll('-', ' ');
  const texts = new Set(
    headings.slice(0, MAX_COMPARED).map(({ text }) => plainText(text).replaceAll('/', ' ')),
  );
  return nearNames(wanted, texts, MAX_NAMED);
}

function firstOthers(candidates: ReadonlySet<string>, but: string): string[] {
  const others: string[] = [];
  for (const other of candidates) {
    if (other !== but) others.push(other);
    if (others.length === MAX_NAMED) break;
  }
  return others;
}

/** A page by its path, any other file by its tree path. */
function shown(treePath: string): string {
  return pagePathOf(treePath) ?? treePath;
}

const PAGES_AT_ONCE = 10;
const MAX_NAMED = 3;
const MAX_COMPARED = 1_000;
