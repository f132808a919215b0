import { toWikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { type CommitInfo, commitNotFound } from '../../commit-info.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { HistoryEntry, Index } from '../../index-port.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { FileChange, Repository } from '../../ports.ts';
import type { Session } from '../../session.ts';

type Change = Output<'view_commit'>['changes'][number];

export async function viewCommit(
  { repository, index, call }: Session,
  { cursor, wiki: _wiki, ...query }: Input<'view_commit'>,
): Promise<Output<'view_commit'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: await repository.resolveCommit(query.commit), offset: 0 };
  await index.catchUp(commit, call.progress, call.signal);
  const [entry, previous] = await newestFrom(index, commit);
  // Under a scope, a commit that changed only what lies elsewhere is not there.
  if (entry?.commit.oid !== commit) throw commitNotFound(query.commit);
  const { author, agent, message, parents } = entry.commit;
  const files = await filesOf(repository, entry.commit);
  const changes: Change[] = [
    ...entry.pages.map((page) => ({ ...page, is_page: true })),
    ...(files ?? []).filter(({ path }) => pagePathOf(path) === null).map(describeFile),
  ];
  const next = offset + MAX_CHANGES;
  return {
    commit,
    before: parents.length > 1 ? null : (previous?.commit.oid ?? null),
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: message.slice(0, limits.messageCharacters),
    changes: changes.slice(offset, next),
    total: changes.length,
    next_cursor: next < changes.length ? encodeCursor({ commit, offset: next }, query) : null,
    leaves_out_files: files === null,
  };
}

/** The entry of a commit with all its pages, and the one before it. */
async function newestFrom(index: Index, commit: Oid): Promise<HistoryEntry[]> {
  const { entries } = await index.history({ commit, offset: 0, limit: 1, pagesMost: ALL });
  const before = await index.history({ commit, offset: 1, limit: 1, pagesMost: 0 });
  return [...entries, ...before.entries];
}

/**
 * The files that a commit changed. Of a merge only those that differ from all of its parents, as with pages. Null if
 * the commit also changed files that the call may not see.
 */
async function filesOf(repository: Repository, { oid, parents }: CommitInfo): Promise<FileChange[] | null> {
  try {
    const [first = null, ...others] = parents;
    let files = await repository.changes(first, oid);
    for (const parent of others) {
      const changed = new Set((await repository.changes(parent, oid)).map(({ path }) => path));
      files = files.filter(({ path }) => changed.has(path));
    }
    return files;
  } catch (error) {
    if (toWikiError(error).code === 'forbidden') return null;
    throw error;
  }
}

function describeFile({ path, before, after }: FileChange): Change {
  return {
    path,
    is_page: false,
    action: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  };
}

const MAX_CHANGES = 500;
/** Pages of one commit. */
const ALL = 1_000_000;
