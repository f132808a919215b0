import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Objects } from '../objects.ts';

/** Where the history that a client gets ends, if it does not want all of it. */
export interface ShallowCut {
  /** Commits whose parents the client will lack and did not lack so far. */
  shallow: Oid[];
  /** Commits whose parents it lacks and gets now. */
  unshallow: Oid[];
  isCut(commit: Oid): boolean;
  /** Further commits to begin from: those behind what the client has. */
  wants: Oid[];
}

export interface CutOptions {
  objects: Objects;
  wants: readonly Oid[];
  /** Commits whose parents the client lacks. */
  shallow: ReadonlySet<Oid>;
  depth: number | null;
  fromShallow: boolean;
  /** Seconds since 1970, or null. */
  since: number | null;
  signal: AbortSignal | undefined;
}

export async function cutHistory(options: CutOptions): Promise<ShallowCut> {
  const { objects, shallow, depth, since } = options;
  if (depth === null && since === null) {
    return { shallow: [], unshallow: [], isCut: (commit) => shallow.has(commit), wants: [] };
  }
  const included = await includedBy(options);
  const cut = new Set<Oid>();
  for (const [oid, isLast] of included) if (isLast) cut.add(oid);
  const unshallow = [...shallow].filter((oid) => (depth === ALL || included.has(oid)) && !cut.has(oid));
  const behind: Oid[] = [];
  for (const oid of unshallow) behind.push(...(await objects.commit(oid)).parents);
  return {
    shallow: [...cut].filter((oid) => !shallow.has(oid)),
    unshallow,
    isCut: (commit) => cut.has(commit),
    wants: behind,
  };
}

/** The commits within the bound, each with whether it is a last one, whose parents are beyond it. */
async function includedBy(options: CutOptions): Promise<Map<Oid, boolean>> {
  const { objects, wants, shallow, depth, fromShallow, since, signal } = options;
  if (depth === null || !fromShallow) return within(objects, wants, { depth, since, signal });
  // As many commits more as asked, counted from where the client's history ends now.
  const reached = await within(objects, wants, { depth: null, since: null, ends: shallow, signal });
  const ends = [...shallow].filter((oid) => reached.has(oid));
  const deeper = await within(objects, ends, { depth: depth + 1, since: null, signal });
  for (const oid of reached.keys()) if (!deeper.has(oid)) deeper.set(oid, false);
  return deeper;
}

interface Bound {
  depth: number | null;
  since: number | null;
  /** Commits whose parents are beyond it in any case. */
  ends?: ReadonlySet<Oid>;
  signal: AbortSignal | undefined;
}

async function within(objects: Objects, from: readonly Oid[], bound: Bound): Promise<Map<Oid, boolean>> {
  const included = new Map<Oid, boolean>();
  let level = new Set(from);
  for (let depth = 1; level.size > 0; depth += 1) {
    const next = new Set<Oid>();
    for (const oid of level) {
      throwIfCancelled(bound.signal);
      const { kept, isLast } = await parentsWithin(objects, oid, depth, bound);
      included.set(oid, isLast);
      for (const parent of kept) next.add(parent);
    }
    level = new Set([...next].filter((oid) => !included.has(oid)));
  }
  return included;
}

async function parentsWithin(objects: Objects, oid: Oid, at: number, { depth, since, ends }: Bound) {
  const { parents } = await objects.commit(oid);
  if (ends?.has(oid)) return { kept: [], isLast: false };
  if (at === depth) return { kept: [], isLast: parents.length > 0 };
  if (since === null) return { kept: parents, isLast: false };
  const kept: Oid[] = [];
  for (const parent of parents)
    if ((await objects.commit(parent)).committer.seconds >= since) kept.push(parent);
  return { kept, isLast: kept.length < parents.length };
}

/** The depth of `git fetch --unshallow`: it completes every history that the client has, wanted or not. */
const ALL = 2 ** 31 - 1;
