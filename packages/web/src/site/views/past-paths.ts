import type { Output } from '@pagetree/wiki/contract';

type Entry = Output<'get_history'>['entries'][number];

/**
 * The path of a page at each entry of its history, newest first. The history follows moves: if a commit
 * changed only one page, and not at this path, it changed the page at its path of that time. Before a commit
 * of several pages the path is unknown.
 */
export function pastPaths(path: string, entries: readonly Entry[]): string[] {
  let at = path;
  return entries.map(({ pages, pages_total: total }) => {
    const [only] = pages;
    if (total === 1 && only !== undefined) at = only.path;
    return at;
  });
}
