import { toWikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Output } from '../../contract/operations.ts';
import type { HistoryEntry } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileChange, Repository, TreeEntry } from '../ports.ts';
import { shortened } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { decodeText } from '../text/text-encoding.ts';
import { unifiedDiff } from '../text/unified-diff.ts';

export type PageChange = Output<'show_changes'>['pages'][number];

/** Two commits between which something changed. A null one is the empty wiki. */
export interface Range {
  from: Oid | null;
  to: Oid | null;
}

/**
 * Describes what changed in a page between two commits, who did so, and why. `commit` is the one commit that is shown, if
 * it is one.
 */
export async function describePage(
  { repository, index }: Session,
  range: Range,
  { path: treePath, before, after }: FileChange,
  { commit, diffCharacters }: { commit: Oid | null; diffCharacters: number },
): Promise<PageChange> {
  const path = pagePathOf(treePath) ?? treePath;
  const to = range.to ?? '';
  const { entries } = await index.history({
    ...{ commit: to, path, offset: 0, pagesMost: 0 },
    limit: commit === null ? MAX_COMMITS + 1 : 1,
  });
  const known = await newestAsOf({ index }, range.from, path);
  const since = entries.slice(0, endOf(entries, known));
  const origin = before === null ? since.findLast((entry) => entry.origin !== null)?.origin : undefined;
  const old = origin == null ? before : await entryAt(repository, range.from, origin);
  const left = after === null ? await index.departure(to, path) : null;
  const movedTo = left?.movedTo ?? null;
  // The text of a page that is gone, or that stands at another path, tells nothing.
  const compared =
    after === null ? UNCOMPARED : await compare(repository, range, { old, after }, diffCharacters);
  const moved = origin != null && old !== null;
  return {
    path,
    action:
      moved || movedTo !== null
        ? 'moved'
        : before === null
          ? 'added'
          : after === null
            ? 'deleted'
            : 'modified',
    previous_path: moved ? origin : null,
    moved_to: movedTo,
    ...compared,
    commits: since.slice(0, MAX_COMMITS).map(describeCommit),
    more_commits: since.length > MAX_COMMITS,
  };
}

/** Of a page that changed more often, the newest. */
const MAX_COMMITS = 5;

const UNCOMPARED = { diff: '', added: 0, removed: 0, truncated: false };

/** The newest commit of a page as of an older commit, before which its history is no news. */
async function newestAsOf(
  { index }: Pick<Session, 'index'>,
  from: Oid | null,
  path: string,
): Promise<Oid | null> {
  if (from === null) return null;
  const { entries } = await index.history({ commit: from, path, offset: 0, limit: 1, pagesMost: 0 });
  return entries[0]?.commit.oid ?? null;
}

function endOf(entries: readonly HistoryEntry[], known: Oid | null): number {
  const end = known === null ? -1 : entries.findIndex(({ commit }) => commit.oid === known);
  return end === -1 ? entries.length : end;
}

async function entryAt(repository: Repository, commit: Oid | null, path: string): Promise<TreeEntry | null> {
  return commit === null ? null : (await repository.at(commit)).entry(`${path}.md`);
}

async function compare(
  repository: Repository,
  { from, to }: Range,
  { old, after }: { old: TreeEntry | null; after: TreeEntry },
  maxCharacters: number,
): Promise<typeof UNCOMPARED> {
  try {
    // Each from its own commit: under a scope a commit gives only what lies in its visible folders.
    const [before, present] = await Promise.all([
      textOf(repository, from, old),
      textOf(repository, to, after),
    ]);
    return unifiedDiff(before, present, { context: 1, maxCharacters });
  } catch (error) {
    if (toWikiError(error).code !== 'too_large') throw error;
    return { ...UNCOMPARED, truncated: true };
  }
}

async function textOf(repository: Repository, commit: Oid | null, file: TreeEntry | null): Promise<string> {
  if (file === null || commit === null) return '';
  const snapshot = await repository.at(commit);
  // Found by its path: under a scope the content of a file is given only to one who found it in a visible folder.
  const found = await snapshot.entry(file.path);
  return found === null ? '' : decodeText(await snapshot.blob(found.oid)).text;
}

function describeCommit({
  commit: { oid, author, agent, message },
}: HistoryEntry): PageChange['commits'][number] {
  return {
    commit: oid,
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: shortened(message, MAX_MESSAGE),
  };
}

const MAX_MESSAGE = 300;
