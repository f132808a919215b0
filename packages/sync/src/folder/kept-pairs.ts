import type { Projection } from '@pagetree/wiki/contract';
import type { Name } from '@pagetree/wiki/names';
import type { Oid } from '@pagetree/wiki/oid';
import { type Outside, readerOf, readOutside } from './outside.ts';

/** A commit of the wiki and the one of the remote that stands for it: the folder is the same in both. */
export interface Pair {
  /** Null for a folder that is not there. */
  wiki: Oid | null;
  outside: Outside;
  /** True if the wiki had no other commits then. */
  isInStep: boolean;
}

/** The pairs of the last sync, newest first. A damaged one is left out. */
export function readPairs(projection: Projection, path: readonly Name[]): Pair[] {
  const read = readerOf(storedObjects(projection));
  return projection.pairs.flatMap(({ wiki, remote, in_step: isInStep }) => {
    const found = readOutside(remote, path, read);
    return found.kind === 'found' ? [{ wiki, outside: found.outside, isInStep }] : [];
  });
}

export function storedObjects({ objects }: Projection): Uint8Array[] {
  return objects.map((text) => Buffer.from(text, 'base64'));
}

/** False if the report has no room for a commit of the remote and the way to its folder. */
export function fitsReport({ bytes, trees }: Outside): boolean {
  const objects = [bytes, ...trees];
  const sum = objects.reduce((before, { length }) => before + length, 0);
  return sum <= MAX_PAIR_BYTES && objects.every(({ length }) => length <= MAX_OBJECT_BYTES);
}

/** As base64 as many characters as the contract takes, of one object and of two pairs. */
const MAX_OBJECT_BYTES = 750_000;
const MAX_PAIR_BYTES = 1_500_000;

export function keepPairs(folder: string, pairs: readonly Pair[]): Projection {
  const objects = new Set<string>();
  const kept: Projection['pairs'] = [];
  for (const { wiki, outside, isInStep } of pairs) {
    if (outside.commit === null || !fitsReport(outside)) continue;
    kept.push({ wiki, remote: outside.commit.oid, in_step: isInStep });
    for (const content of [outside.bytes, ...outside.trees])
      objects.add(Buffer.from(content).toString('base64'));
  }
  return { folder, pairs: kept, objects: [...objects] };
}
