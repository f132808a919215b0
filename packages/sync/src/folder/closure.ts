import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import { kindOf, parseTree } from '@pagetree/wiki/tree';
import { yielding } from '@pagetree/wiki/yielding';
import type { PackObjects } from './pack-objects.ts';

export interface Closure {
  /** The objects that were found, each once, folders first. */
  found: Set<Oid>;
  /** Those that are neither there nor known. */
  missing: Set<Oid>;
}

/** Everything that trees reach and that is not in `known`. What a known tree holds counts as known. */
export async function closureOf(
  roots: Iterable<Oid>,
  objects: PackObjects,
  known: ReadonlySet<Oid>,
): Promise<Closure> {
  const found = new Set<Oid>();
  const missing = new Set<Oid>();
  const open = [...roots];
  const yieldIfDue = yielding();
  for (let tree = open.pop(); tree !== undefined; tree = open.pop()) {
    await yieldIfDue();
    if (known.has(tree) || found.has(tree) || tree === EMPTY_TREE) continue;
    const content = objects.read(tree, 'tree');
    if (content === null) {
      missing.add(tree);
      continue;
    }
    found.add(tree);
    for (const entry of parseTree(content).entries) {
      const kind = kindOf(entry);
      if (kind === 'folder') open.push(entry.oid);
      else if (kind !== 'submodule' && !known.has(entry.oid))
        (objects.typeOf(entry.oid) === 'blob' ? found : missing).add(entry.oid);
    }
  }
  return { found, missing };
}

/** The ids of trees and of all that they hold. */
export async function idsIn(objects: PackObjects): Promise<Set<Oid>> {
  const ids = new Set<Oid>();
  const yieldIfDue = yielding();
  for (const oid of objects.oids()) {
    await yieldIfDue();
    const content = objects.read(oid, 'tree');
    if (content === null) continue;
    ids.add(oid);
    for (const entry of parseTree(content).entries) ids.add(entry.oid);
  }
  return ids;
}
