import { join } from 'node:path';
import { parseCommit } from '../../../formats/commit.ts';
import type { Oid } from '../../../formats/oid.ts';
import { parsePackIndex } from '../../../formats/packs/pack-index.ts';
import { requestOf } from '../../commits/request-trailers.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { readWholeFile } from '../../files/whole-file.ts';
import type { Layout } from '../../layout.ts';
import { listPacks } from '../../packs/pack-listing.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure, isLost, isTooLarge } from '../../storage-error.ts';
import { commitsBefore } from '../stored-commit.ts';

export interface NewestCommitParts {
  fs: FileSystem;
  layout: Layout;
  objects: ObjectReader;
}

interface StoredCommit {
  before: readonly Oid[];
  /** Seconds since 1970. */
  date: number;
  /** True if a writer of the wiki made it, false if native git did. */
  isWriters: boolean;
}

/**
 * Used if the chain does not name them: the newest commit of each line of commits that the chain most likely
 * held, oldest line first. There are several lines if commits between them are lost. Reads every object.
 * `ref` is the target of the branch ref.
 */
export async function newestCommits(parts: NewestCommitParts, ref: Oid | null): Promise<Oid[]> {
  const commits = await storedCommits(parts);
  const after = commitsAfter(commits);
  const lines: Line[] = [];
  const taken = new Set<Oid>();
  for (const newest of likelyNewest(commits, after, ref)) {
    if (taken.has(newest)) continue;
    const line = lineOf(commits, newest, taken);
    // An attempt that was never linked: its base, or the commit that it began beside, was continued by
    // another commit.
    if (line.restsOnTaken || (line.hasRoot && lines.some(({ hasRoot }) => hasRoot))) continue;
    lines.push(line);
    for (const commit of line.all) taken.add(commit);
  }
  return lines.sort((a, b) => a.age - b.age).map(({ newest }) => newest);
}

/**
 * The newest commit according to the ref, then those with the most commits before them; of several, the
 * newest.
 */
function likelyNewest(
  commits: ReadonlyMap<Oid, StoredCommit>,
  after: ReadonlyMap<Oid, readonly Oid[]>,
  ref: Oid | null,
): Oid[] {
  const depths = depthsOf(commits, after);
  const dateOf = (commit: Oid) => commits.get(commit)?.date ?? 0;
  const writers = [...commits].filter(([, { isWriters }]) => isWriters).map(([commit]) => commit);
  writers.sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0) || dateOf(b) - dateOf(a));
  if (ref === null || !commits.has(ref)) return writers;
  const afterRef = reached(ref, (commit) => after.get(commit) ?? []);
  return [writers.find((commit) => afterRef.has(commit)) ?? ref, ...writers];
}

interface Line {
  newest: Oid;
  all: ReadonlySet<Oid>;
  hasRoot: boolean;
  restsOnTaken: boolean;
  /** Orders the lines: only a line that holds the beginning and has no loss is certain to be the oldest. */
  age: number;
}

function lineOf(commits: ReadonlyMap<Oid, StoredCommit>, newest: Oid, taken: ReadonlySet<Oid>): Line {
  const all = reached(newest, (commit) => (taken.has(commit) ? [] : (commits.get(commit)?.before ?? [])));
  const hasRoot = [...all].some((commit) => commits.get(commit)?.before.length === 0);
  const hasLost = [...all].some((commit) => !commits.has(commit));
  return {
    newest,
    all,
    hasRoot,
    restsOnTaken: [...all].some((commit) => taken.has(commit)),
    age: hasRoot && !hasLost ? 0 : (commits.get(newest)?.date ?? 0),
  };
}

/** A commit and all commits that `next` reaches from it. */
function reached(commit: Oid, next: (commit: Oid) => readonly Oid[]): Set<Oid> {
  const all = new Set([commit]);
  for (const met of all) for (const other of next(met)) all.add(other);
  return all;
}

function commitsAfter(commits: ReadonlyMap<Oid, StoredCommit>): Map<Oid, Oid[]> {
  const after = new Map<Oid, Oid[]>();
  for (const [commit, { before }] of commits) {
    for (const oid of before) {
      const others = after.get(oid);
      if (others) others.push(commit);
      else after.set(oid, [commit]);
    }
  }
  return after;
}

/** The number of commits in a row up to each one. */
function depthsOf(
  commits: ReadonlyMap<Oid, StoredCommit>,
  after: ReadonlyMap<Oid, readonly Oid[]>,
): Map<Oid, number> {
  const depths = new Map<Oid, number>();
  const missing = new Map<Oid, number>();
  const ready: Oid[] = [];
  for (const [commit, { before }] of commits) {
    const stored = before.filter((oid) => commits.has(oid)).length;
    missing.set(commit, stored);
    if (stored === 0) ready.push(commit);
  }
  for (const commit of ready) {
    const before = (commits.get(commit)?.before ?? []).map((oid) => depths.get(oid) ?? 0);
    depths.set(commit, 1 + Math.max(0, ...before));
    for (const next of after.get(commit) ?? []) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return depths;
}

async function storedCommits({ fs, layout, objects }: NewestCommitParts): Promise<Map<Oid, StoredCommit>> {
  const commits = new Map<Oid, StoredCommit>();
  for (const { name } of await listPacks(fs, layout.packs)) {
    for (const oid of await oidsIn(fs, join(layout.packs, `pack-${name}.idx`))) {
      const object = await readIfPossible(objects, oid);
      if (object?.type !== 'commit') continue;
      const text = parseCommit(object.content);
      commits.set(oid, {
        before: commitsBefore(text),
        date: text.committer.seconds,
        isWriters: requestOf(text) !== null,
      });
    }
  }
  return commits;
}

/** Null if the commit is lost or too large to be read: no writer of the wiki makes such a large commit. */
async function readIfPossible(objects: ObjectReader, oid: Oid) {
  try {
    return await objects.read(oid);
  } catch (error) {
    if (!isLost(error) && !isTooLarge(error)) throw error;
    return null;
  }
}

/** All oids in an index that was checked before. */
async function oidsIn(fs: FileSystem, path: string): Promise<Oid[]> {
  try {
    return (parsePackIndex(await readWholeFile(fs, path)) ?? []).map(({ oid }) => oid);
  } catch (error) {
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}
