import type { Index } from '../index-port.ts';
import { fateOf } from '../pages/find-page.ts';
import {
  asPagePath,
  folderOf,
  lastPartOf,
  pagePathOf,
  refusalOfNewPath,
  treePathOf,
} from '../paths/page-path.ts';
import { foldCase } from '../text/fold-case.ts';
import type { LinkAddress } from '../text/links/link-names.ts';
import { nearNames } from '../text/links/near-names.ts';
import { joinPath } from '../text/links/relative-path.ts';
import { normalForm } from '../text/normal-form.ts';

const MAX_SUGGESTIONS = 3;
/** The maximum number of name comparisons for one answer: about a second. */
const MAX_COMPARISONS = 1_000_000;

/**
 * Suggests targets for broken links: the new path of a page that moved away from there, pages of the same
 * name, then pages of similar names, those in the same folder first.
 */
export function createSuggester(
  index: Index,
  commit: string,
  treePaths: readonly string[],
): (link: LinkAddress, from: string) => Promise<string[]> {
  const known = new Map<string, Promise<string[]>>();
  let left = MAX_COMPARISONS;
  let pools: { pages: Pool; files: Pool } | null = null;

  async function suggest(link: LinkAddress, from: string): Promise<string[]> {
    pools ??= {
      pages: poolOf(treePaths.flatMap((path) => pagePathOf(path) ?? [])),
      files: poolOf(treePaths.filter((path) => pagePathOf(path) === null)),
    };
    const found = new Set<string>();
    const places = placesOf(link, from);
    for (const place of places) {
      const movedTo = (await fateOf(index, commit, place))?.movedTo;
      if (movedTo != null) found.add(movedTo);
    }
    const [missed = ''] = places;
    const movedCount = found.size;
    for (const pool of poolsFor(link, missed, pools)) {
      // The end of a name such as "v1.2rc1" only looks like an extension.
      if (found.size === movedCount) for (const path of nearIn(pool, missed)) found.add(path);
    }
    return [...found].slice(0, MAX_SUGGESTIONS);
  }

  function nearIn(pool: Pool, missed: string): string[] {
    const same = pool.byName.get(foldCase(lastPartOf(missed))) ?? [];
    const near = nearNames(missed, same, MAX_SUGGESTIONS);
    if (near.length >= MAX_SUGGESTIONS || left < pool.paths.length) return near;
    left -= pool.paths.length;
    return [...near, ...nearNames(missed, pool.paths, MAX_SUGGESTIONS)];
  }

  return (link, from) => {
    const key = `${link.kind} ${folderOf(from)}\0${link.target}`;
    const suggested = known.get(key) ?? suggest(link, from);
    known.set(key, suggested);
    return suggested;
  };
}

/** Where to look, the likeliest first: a link that ends in `.md` means a page alone. */
function poolsFor(
  { target }: LinkAddress,
  missed: string,
  { pages, files }: { pages: Pool; files: Pool },
): Pool[] {
  if (/\.md(?:\?.*)?$/i.test(target.trim())) return [pages];
  return /\.[a-z0-9]*[a-z][a-z0-9]*$/i.test(missed) ? [files, pages] : [pages, files];
}

interface Pool {
  paths: readonly string[];
  byName: ReadonlyMap<string, readonly string[]>;
}

function poolOf(paths: readonly string[]): Pool {
  return { paths, byName: Map.groupBy(paths, (path) => foldCase(lastPartOf(path))) };
}

/** The page that a broken link most likely means, if there can be one: a link with an extension means a file. */
export function missingPage(link: LinkAddress, from: string): string | undefined {
  const [place] = placesOf(link, from);
  if (place === undefined || /\.[a-z0-9]*[a-z][a-z0-9]*$/i.test(place)) return undefined;
  return refusalOfNewPath(treePathOf(place)) === null ? place : undefined;
}

/**
 * The paths that a link may have meant, most likely first. Some programs write `/Folder/Page/` for a page.
 */
function placesOf({ kind, target }: LinkAddress, from: string): string[] {
  const written = normalForm(target.trim())
    .replace(/\?.*$/, '')
    .replace(/\.(?:mdx|html?)$/i, '')
    .replace(/\/+$/, '');
  const isRelative = /^\.\.?\//.test(written);
  const root = written.replace(/^\/+/, '');
  const fromFolder = written.startsWith('/') ? null : joinPath(folderOf(from), written);
  const inFolder = isRelative || kind !== 'wiki' || !written.includes('/');
  const places = inFolder ? [fromFolder, root] : [root, fromFolder];
  return [
    ...new Set(
      places.flatMap((place) => (place === null || place.startsWith('.') ? [] : asPagePath(place) || [])),
    ),
  ];
}
