import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { readWholeFile } from '../files/whole-file.ts';
import type { Layout } from '../layout.ts';
import { parseCommit } from '../objects/commit-text.ts';
import { indexedObjects, OIDS_AT } from '../objects/pack-index-layout.ts';
import { listPacks } from '../objects/pack-listing.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure, isLost } from '../storage-error.ts';
import { commitsBefore } from './stored-commit.ts';

export interface NewestCommitParts {
  fs: FileSystem;
  layout: Layout;
  objects: ObjectReader;
}

interface StoredCommit {
  before: Oid[];
  /** Seconds since 1970. */
  date: number;
  /** Made by a writer of the wiki, not by native git. */
  isWriters: boolean;
}

/**
 * Where the chain does not tell: the newest commit of each line of commits that it most likely held, the oldest line
 * first. There are several where commits between them are lost. Reads every object. `ref` is what the branch ref names.
 */
export async function newestCommits(parts: NewestCommitParts, ref: Oid | null): Promise<Oid[]> {
  const commits = await storedCommits(parts);
  const after = commitsAfter(commits);
  const lines: Line[] = [];
  const taken = new Set<Oid>();
  for (const newest of likelyNewest(commits, after, ref)) {
    if (taken.has(newest)) continue;
    const line = lineOf(commits, newest, taken);
    // An attempt that was never linked: what it was built on, or began beside, went on another way.
    if (line.restsOnTaken || (line.hasRoot && lines.some(({ hasRoot }) => hasRoot))) continue;
    lines.push(line);
    for (const commit of line.all) taken.add(commit);
  }
  return lines.sort((a, b) => a.age - b.age).map(({ newest }) => newest);
}

/** The newest as far as the ref tells, then those after most others; of several the newest. */
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
  /** What orders lines: none but the one that holds the beginning, and no loss, is certain to be the oldest. */
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

/** A commit and all to which `next` leads from it. */
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

/** How many commits come one after another up to each one. */
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
      const object = await readUnlessLost(objects, oid);
      if (object?.type !== 'commit') continue;
      const text = parseCommit(object.content);
      const date = /^committer .* (\d+) [+-]\d{4}$/m.exec(new TextDecoder().decode(object.content))?.[1];
      commits.set(oid, {
        before: commitsBefore(text),
        date: Number(date ?? 0),
        isWriters: text.request !== null,
      });
    }
  }
  return commits;
}

async function readUnlessLost(objects: ObjectReader, oid: Oid) {
  try {
    return await objects.read(oid);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

/** All that an index names, which was checked before. */
async function oidsIn(fs: FileSystem, path: string): Promise<Oid[]> {
  try {
    const bytes = Buffer.from(await readWholeFile(fs, path));
    return Array.from({ length: indexedObjects(bytes) ?? 0 }, (_, at) =>
      bytes.toString('hex', OIDS_AT + at * 20, OIDS_AT + at * 20 + 20),
    );
  } catch (error) {
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}
