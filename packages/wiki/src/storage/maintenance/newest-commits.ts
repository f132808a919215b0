import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { readWholeFile } from '../files/whole-file.ts';
import type { Layout } from '../layout.ts';
import { parseCommit } from '../objects/commit-text.ts';
import { listPacks } from '../objects/pack-listing.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { isLost } from './soundness.ts';

export interface NewestCommitParts {
  fs: FileSystem;
  layout: Layout;
  objects: ObjectReader;
}

interface StoredCommit {
  parent: Oid | null;
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
  const children = new Map<Oid | null, Oid[]>();
  for (const [commit, { parent }] of commits) children.set(parent, [...(children.get(parent) ?? []), commit]);
  const dateOf = (commit: Oid) => commits.get(commit)?.date ?? 0;

  /** Of those that one after another descend from these, the one after most others; of several the newest. */
  function newestOf(line: readonly Oid[]): Oid | undefined {
    let newest: Oid | undefined;
    for (let generation = line; generation.length > 0; ) {
      newest = generation.toSorted((a, b) => dateOf(b) - dateOf(a))[0];
      const next = generation.flatMap((commit) => children.get(commit) ?? []);
      generation = next.filter((commit) => commits.get(commit)?.isWriters);
    }
    return newest;
  }

  const beginnings = [...children].filter(([parent]) => parent === null || !commits.has(parent));
  const lines = beginnings.map(([parent, first]) => {
    const throughRef = ref !== null && beginsWith(commits, ref, first);
    const newest = newestOf(throughRef ? [ref] : first.filter((commit) => commits.get(commit)?.isWriters));
    return { newest, begins: parent === null ? 0 : Math.min(...first.map(dateOf)) };
  });
  return lines.sort((a, b) => a.begins - b.begins).flatMap(({ newest }) => newest ?? []);
}

function beginsWith(commits: ReadonlyMap<Oid, StoredCommit>, start: Oid, first: readonly Oid[]): boolean {
  for (let commit: Oid | null = start; commit !== null; commit = commits.get(commit)?.parent ?? null) {
    if (first.includes(commit)) return true;
  }
  return false;
}

async function storedCommits({ fs, layout, objects }: NewestCommitParts): Promise<Map<Oid, StoredCommit>> {
  const commits = new Map<Oid, StoredCommit>();
  for (const { name } of await listPacks(fs, layout.packs)) {
    for (const oid of await oidsIn(fs, join(layout.packs, `pack-${name}.idx`))) {
      const object = await readUnlessLost(objects, oid);
      if (object?.type !== 'commit') continue;
      const { parents, request } = parseCommit(object.content);
      const date = /^committer .* (\d+) [+-]\d{4}$/m.exec(new TextDecoder().decode(object.content))?.[1];
      commits.set(oid, { parent: parents[0] ?? null, date: Number(date ?? 0), isWriters: request !== null });
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

const OIDS_AT = 8 + 256 * 4;

/** All that an index names, which was checked before. */
async function oidsIn(fs: FileSystem, path: string): Promise<Oid[]> {
  try {
    const bytes = Buffer.from(await readWholeFile(fs, path));
    const count = bytes.readUInt32BE(OIDS_AT - 4);
    return Array.from({ length: count }, (_, at) =>
      bytes.toString('hex', OIDS_AT + at * 20, OIDS_AT + at * 20 + 20),
    );
  } catch (error) {
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}
