import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { endOf, startOf } from '../../../contract/periods.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { HistoryEntry } from '../../index-port.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

const pagesAnEntry = 20;

export async function getHistory(
  { repository, index, call }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'get_history'>,
): Promise<Output<'get_history'>> {
  const path = query.path === undefined ? undefined : parsePagePath(query.path);
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null) return { entries: [], next_cursor: null };

  await index.catchUp(commit, call.progress, call.signal);
  const found = await index.history({
    commit,
    path,
    since: startOf(query.since),
    until: endOf(query.until),
    author: query.author,
    agent: query.agent,
    offset,
    limit,
    pagesMost: pagesAnEntry,
  });
  const described = found.entries.map(describeEntry);
  const entries = described.slice(0, countThatFits(described));
  const isLast = entries.length === described.length && !found.more;
  const next = offset + entries.length;
  return { entries, next_cursor: isLast ? null : encodeCursor({ commit, offset: next }, query) };
}

function describeEntry(entry: HistoryEntry): Output<'get_history'>['entries'][number] {
  const { author, agent, message, oid } = entry.commit;
  return {
    commit: oid,
    author: `${author.name} <${author.email}>`,
    agent,
    date: author.date.toISOString(),
    message: message.slice(0, limits.messageCharacters),
    version: entry.version,
    pages: entry.pages,
    pages_total: entry.pagesTotal,
  };
}
