import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { HistoryEntry, Index } from '../../index-port.ts';
import { findPage, requirePage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';

export async function diffPage(
  { repository, index }: Session,
  input: Input<'diff_page'>,
): Promise<Output<'diff_page'>> {
  const path = parsePagePath(input.path);
  const [from, to] = await Promise.all([
    repository.resolveCommit(input.from).then((commit) => repository.at(commit)),
    input.to === undefined
      ? repository.head()
      : repository.resolveCommit(input.to).then((commit) => repository.at(commit)),
  ]);
  const old = await pageBefore(index, from, { path, to: to.commit, given: input.from_path });
  const present = old === null ? await requirePage(to, path, index) : await findPage(to, path);

  const [before, after] = await Promise.all([
    old === null ? '' : from.blob(old.oid).then((bytes) => decodeText(bytes).text),
    present === null ? '' : to.blob(present.oid).then((bytes) => decodeText(bytes).text),
  ]);
  const options = { context: input.context_lines, maxCharacters: limits.replyCharacters / 2 };
  const { diff, added, removed, truncated } = unifiedDiff(before, after, options);
  return { path, from: from.commit ?? input.from, to: to.commit, diff, added, removed, truncated };
}

/** The page at `from`. Without a given path, and if there is none at `path`, at one that it had before a move. */
async function pageBefore(
  index: Index,
  from: Snapshot,
  { path, to, given }: { path: string; to: Oid | null; given: string | undefined },
): Promise<TreeEntry | null> {
  if (given !== undefined) return findPage(from, parsePagePath(given));
  const same = await findPage(from, path);
  return same !== null || to === null ? same : pageBeforeMoves(index, from, { commit: to, path });
}

async function pageBeforeMoves(
  index: Index,
  from: Snapshot,
  later: { commit: Oid; path: string },
): Promise<TreeEntry | null> {
  const tried = new Set([later.path]);
  for await (const { path, commit, version } of historyOf(index, later)) {
    if (path === null) continue;
    const found = tried.has(path) ? null : await findPage(from, path);
    if (found !== null || commit.oid === from.commit) return found;
    tried.add(path);
    // Before a page moved away from here, this was another page.
    const left = version === null ? await index.departure(commit.oid, path) : null;
    if (left !== null && left.movedTo !== null) return null;
  }
  return null;
}

async function* historyOf(index: Index, page: { commit: Oid; path: string }): AsyncGenerator<HistoryEntry> {
  for (let offset = 0; ; offset += BATCH) {
    const { entries, more } = await index.history({ ...page, offset, limit: BATCH, pagesMost: 0 });
    yield* entries;
    if (!more) return;
  }
}

const BATCH = 200;
