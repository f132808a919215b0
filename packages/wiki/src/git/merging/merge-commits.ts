import type { Merge, MergeConflicts, MergeResult } from '../../core/transport-port.ts';
import type { Oid } from '../../formats/oid.ts';
import type { ObjectReader, Transaction } from '../../storage/storage.ts';
import { writeCommit } from '../change/commit-builder.ts';
import { Objects } from '../objects.ts';
import { indexMerge } from '../received/push/index-push.ts';
import type { RepositoryStorage } from '../storage-failures.ts';
import { conflictTrailers, readConflicts } from './conflict-trailers.ts';
import { mergeTrees } from './merge-trees.ts';

export interface MergingParts {
  storage: Pick<RepositoryStorage, 'merge'>;
  objects: Objects;
  /** The stored objects, by which what comes in is judged. */
  stored: ObjectReader;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Merges a commit of another repository into the branch. A repeated call gets the answer of the first one. */
export async function mergeCommits(
  { storage, objects, stored, now }: MergingParts,
  merge: Merge,
): Promise<MergeResult> {
  const { commit: foreign, signal } = merge;
  const { kind, commit } = await storage.merge({
    foreign,
    signal,
    receive: (head) => indexMerge(head, merge, stored),
    build: (base, transaction) => buildMerge(base, merge, transaction, now()),
  });
  if (kind !== 'merged') return { kind, commit, ...NO_CONFLICTS };
  // Read back: a repeated call has nothing else.
  return { kind, commit, ...(await readConflicts(objects, commit)) };
}

const NO_CONFLICTS: MergeConflicts = { conflicts: [], more: 0 };

async function buildMerge(
  base: Oid,
  { commit: foreign, source, author, agent }: Merge,
  transaction: Transaction,
  now: number,
): Promise<Oid> {
  const objects = new Objects(transaction, CACHE_BYTES);
  const { tree, conflicts } = await mergeTrees(
    transaction,
    { ours: base, theirs: foreign },
    // The pack of the foreign commits has all of their blobs.
    { write: transaction.write, take: async () => undefined },
  );
  const message =
    conflicts.length === 0 ? `Merge ${source}` : `Merge ${source}\n\n${aboutConflicts(foreign)}`;
  return writeCommit(objects, transaction, {
    parent: base,
    merged: foreign,
    tree,
    author,
    agent,
    message,
    trailers: conflictTrailers(conflicts),
    now,
  });
}

function aboutConflicts(foreign: Oid): string {
  return `Both sides changed the files below. The wiki keeps its own; the other version is in ${foreign}.`;
}

const CACHE_BYTES = 16_000_000;
