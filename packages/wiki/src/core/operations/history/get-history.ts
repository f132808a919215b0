import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { endOf, startOf } from '../../../contract/periods.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { HistoryEntry, Index } from '../../index-port.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Repository } from '../../ports.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

const pagesAnEntry = 20;

export async function getHistory(
  { repository, index, call, now }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'get_history'>,
): Promise<Output<'get_history'>> {
  const path = query.path === undefined ? undefined : parsePagePath(query.path);
  const { commit, offset, ...place } = cursor
    ? decodeCursor(cursor, query)
    : { commit: await newest(repository, query.at), offset: 0, began: null };
  if (commit === null) return { entries: [], next_cursor: null };
  const began = place.began ?? now();

  await index.catchUp(commit, call.progress, call.signal);
  const found = await index.history({
    commit,
    path,
    since: startOf(query.since, new Date(began)),
    until: endOf(query.until, new Date(began)),
    author: query.author,
    agent: query.agent,
    offset,
    limit,
    pagesMost: pagesAnEntry,
  });
  const described = await Promise.all(found.entries.map((entry) => describeEntry(index, entry)));
  const entries = described.slice(0, countThatFits(described));
  const isLast = entries.length === described.length && !found.more;
  const next = offset + entries.length;
  return { entries, next_cursor: isLast ? null : encodeCursor({ commit, offset: next, began }, query) };
}

async function newest(repository: Repository, at: string | undefined): Promise<Oid | null> {
  return at === undefined ? (await repository.head()).commit : repository.resolveCommit(at);
}

async function describeEntry(
  index: Index,
  entry: HistoryEntry,
): Promise<Output<'get_history'>['entries'][number]> {
  const isGone = entry.path !== null && entry.version === null;
  const left = isGone ? await index.departure(entry.commit.oid, entry.path ?? '') : null;
  const { author, agent, message, oid } = entry.commit;
  return {
    commit: oid,
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: message.slice(0, limits.messageCharacters),
    version: entry.version,
    path: entry.path,
    moved_to: left?.movedTo ?? null,
    pages: entry.pages,
    pages_total: entry.pagesTotal,
  };
}
