import type { Oid } from '../../contract/ids.ts';
import { inBatches } from '../../scheduling/in-batches.ts';
import type { Snapshot } from '../ports.ts';

/** The effect of an undo on pages and files that lie elsewhere afterwards. All paths are tree paths. */
export interface UndoneMoves {
  /** The new paths, by the old ones. */
  moved: ReadonlyMap<string, string>;
  /** The old paths of files that went, if another one moved there. */
  replaced: ReadonlySet<string>;
}

/**
 * The moves that an undo takes back, which no commit records: content that leaves one path and comes to
 * another, and to no third one. A page that was edited since is not found, and counts as written anew.
 */
export async function findUndoneMoves(
  { before, after }: { before: Snapshot; after: Snapshot },
  paths: readonly string[],
): Promise<UndoneMoves> {
  const rows = await inBatches(paths, async (path) => {
    const [old, present] = [await before.entry(path), await after.entry(path)];
    return [{ path, old: old?.oid ?? null, present: present?.oid ?? null }];
  });
  const changed = rows.flat().filter(({ old, present }) => old !== present);
  const targets = onlyPaths(changed.map(({ path, present }) => ({ path, oid: present })));
  const moved = new Map<string, string>();
  for (const [oid, from] of onlyPaths(changed.map(({ path, old }) => ({ path, oid: old })))) {
    const to = targets.get(oid);
    if (from !== null && to != null) moved.set(from, to);
  }
  const places = new Set(moved.values());
  const gone = changed.filter(({ path, old }) => old !== null && places.has(path) && !moved.has(path));
  return { moved, replaced: new Set(gone.map(({ path }) => path)) };
}

/** The one path with each content; null if there are several. */
function onlyPaths(rows: readonly { path: string; oid: Oid | null }[]): Map<Oid, string | null> {
  const paths = new Map<Oid, string | null>();
  for (const { path, oid } of rows) if (oid !== null) paths.set(oid, paths.has(oid) ? null : path);
  return paths;
}
