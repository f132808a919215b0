import type { Oid } from '../../contract/ids.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Index, PageRow } from '../index-port.ts';
import { pagePathOf, treePathOf } from '../paths/page-path.ts';
import type { LinkAddress } from '../text/links/link-names.ts';
import { nameKeysOf } from '../text/links/link-names.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { parseWrittenLink } from '../text/links/written-link.ts';

/** A page, and the link to the page that takes its place, as its frontmatter has it. */
export type Supersedable = Pick<PageRow, 'path' | 'supersededBy'>;

/**
 * The paths of the pages that take the place of others, by the paths of those. A successor that is superseded
 * itself leads on to its own. Pages that supersede each other in a circle have none, as no one of them is the
 * newest, and neither has a page whose link leads nowhere, or whose chain is longer than is followed.
 */
export async function successorsOf(
  index: Index,
  commit: Oid,
  pages: readonly Supersedable[],
): Promise<Map<string, string>> {
  const known = new Map(pages.map((page) => [page.path, page]));
  const direct = new Map<string, string>();
  let followed = pages.filter(({ supersededBy }) => supersededBy !== null);
  for (let step = 0; followed.length > 0 && step < MAX_STEPS; step += 1) {
    const led = await followOnce(index, commit, followed);
    for (const [path, successor] of led) direct.set(path, successor);
    followed = [];
    for (const path of new Set(led.values())) {
      const page = direct.has(path) ? null : (known.get(path) ?? (await pageAt(index, commit, path)));
      if (page?.supersededBy != null) followed.push(page);
    }
  }
  const unfollowed = new Set(followed.map(({ path }) => path));
  const successors = new Map<string, string>();
  for (const path of direct.keys()) {
    const last = known.has(path) ? lastFrom(path, direct) : null;
    if (last !== null && !unfollowed.has(last)) successors.set(path, last);
  }
  return successors;
}

/** Hardly a page is replaced so often, and each time takes a query. */
const MAX_STEPS = 100;

/** The pages that these links lead to, by the paths of their pages. */
async function followOnce(
  index: Index,
  commit: Oid,
  pages: readonly Supersedable[],
): Promise<Map<string, string>> {
  const written: { path: string; addresses: LinkAddress[] }[] = [];
  const yieldIfDue = yielding();
  for (const { path, supersededBy } of pages) {
    await yieldIfDue();
    written.push({ path, addresses: parseWrittenLink(supersededBy ?? '').addresses });
  }
  const names = new Set(written.flatMap(({ addresses }) => addresses.flatMap(nameKeysOf)));
  const { treePaths, aliases } = await index.namesLike(commit, [...names]);
  const resolver = createLinkResolver(treePaths, aliases);
  const led = new Map<string, string>();
  for (const { path, addresses } of written) {
    await yieldIfDue();
    const targets = addresses.map((address) => resolver.resolve(address, treePathOf(path))?.path ?? '');
    const successor = targets.map(pagePathOf).find((target) => target !== null);
    if (successor !== undefined && successor !== path) led.set(path, successor);
  }
  return led;
}

async function pageAt(index: Index, commit: Oid, path: string): Promise<Supersedable | null> {
  // The path itself comes first among all that begin so.
  const { rows } = await index.list({ commit, prefix: path, sort: 'path', offset: 0, limit: 1 });
  return rows[0]?.path === path ? rows[0] : null;
}

/** The last page of a chain; null in a circle. */
function lastFrom(path: string, direct: ReadonlyMap<string, string>): string | null {
  const passed = new Set([path]);
  let last = path;
  for (;;) {
    const next = direct.get(last);
    if (next === undefined) return last;
    if (passed.has(next)) return null;
    passed.add(next);
    last = next;
  }
}

/** Moves each successor that comes after a page that it supersedes to the place before that page. */
export function successorsFirst<Row extends { path: string; superseded_by?: string | undefined }>(
  rows: readonly Row[],
): Row[] {
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const placed = new Set<Row>();
  for (const row of rows) {
    const successor = row.superseded_by === undefined ? undefined : byPath.get(row.superseded_by);
    if (successor !== undefined) placed.add(successor);
    placed.add(row);
  }
  return [...placed];
}
