import type { Oid } from '../../contract/ids.ts';
import type { CommitInfo } from '../../core/commit-info.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { FileChange, Repository } from '../../core/ports.ts';
import { compareText } from '../../core/text/text-order.ts';
import type { Pacer } from '../pacer.ts';
import { readUnlessTooLarge } from '../read-unless-too-large.ts';
import { fileChanges } from './file-changes.ts';
import { findOrigins, type Origin } from './moves.ts';

/** The effect of a commit on a page. */
export interface Touch {
  /** Without `.md`. */
  path: string;
  /** `left`: the page moved away. Its new path has the record of the move. */
  action: 'added' | 'modified' | 'deleted' | 'moved' | 'left';
  /** The page's blob after the commit; null if the page is gone. */
  blob: Oid | null;
  /** The page whose history an added or moved page continues. */
  origin: string | null;
}

/** The effect of a commit on all pages. */
export interface Touched {
  touches: Touch[];
  /** The number of files that are not pages and differ from the first parent's. */
  otherFiles: number;
}

/**
 * The pages that a commit touched, by path. Of a merge only those that differ from all of its parents: the
 * commits that it merges have recorded the others.
 */
export async function touchesOf(
  repository: Repository,
  commit: Pick<CommitInfo, 'oid' | 'parents'>,
  pacer: Pacer,
): Promise<Touched> {
  const { pages, otherFiles } = await changedPages(repository, commit, pacer);
  const added = pages.flatMap(({ path, before, after }) => (after && !before ? [{ path, blob: after }] : []));
  const removed = pages.flatMap(({ path, before, after }) =>
    before && !after ? [{ path, blob: before }] : [],
  );
  const origins =
    added.length > 0 && removed.length > 0
      ? await findOrigins(added, removed, await blobReader(repository, commit.oid))
      : new Map<string, Origin>();
  const left = new Set<string>();
  for (const origin of origins.values()) if (origin.moved) left.add(origin.path);

  const touches = pages.map(({ path, before, after }): Touch => {
    const origin = origins.get(path);
    if (after === null)
      return { path, action: left.has(path) ? 'left' : 'deleted', blob: null, origin: null };
    if (before !== null) return { path, action: 'modified', blob: after, origin: null };
    return { path, action: origin?.moved ? 'moved' : 'added', blob: after, origin: origin?.path ?? null };
  });
  return { touches, otherFiles };
}

async function blobReader(repository: Repository, commit: Oid): Promise<(blob: Oid) => Promise<Uint8Array>> {
  const snapshot = await repository.at(commit);
  return async (blob) => (await readUnlessTooLarge(snapshot, blob)) ?? new Uint8Array();
}

interface ChangedPage {
  path: string;
  before: Oid | null;
  after: Oid | null;
}

async function changedPages(
  repository: Repository,
  { oid, parents }: Pick<CommitInfo, 'oid' | 'parents'>,
  pacer: Pacer,
): Promise<{ pages: ChangedPage[]; otherFiles: number }> {
  const [first = null, ...others] = parents;
  let { pages, otherFiles } = await pagesOf(fileChanges(repository, first, oid), pacer);
  for (const parent of others) {
    if (pages.size === 0) break;
    const changed = await pagesOf(fileChanges(repository, parent, oid), pacer);
    pages = new Map([...pages].filter(([path]) => changed.pages.has(path)));
  }
  return { pages: [...pages.values()].sort((a, b) => compareText(a.path, b.path)), otherFiles };
}

/** By page path: a file whose name only changed its Unicode form is the same page. */
async function pagesOf(
  changes: AsyncIterable<FileChange>,
  pacer: Pacer,
): Promise<{ pages: Map<string, ChangedPage>; otherFiles: number }> {
  const pages = new Map<string, ChangedPage>();
  let otherFiles = 0;
  for await (const { path: treePath, before, after } of changes) {
    await pacer.yieldIfDue();
    const path = pagePathOf(treePath);
    if (path === null) {
      otherFiles += 1;
      continue;
    }
    const other = pages.get(path);
    pages.set(path, {
      path,
      before: before?.oid ?? other?.before ?? null,
      after: after?.oid ?? other?.after ?? null,
    });
  }
  return { pages, otherFiles };
}
