import { limits } from '../../../contract/limits.ts';
import { findingKinds } from '../../../contract/operations/checking.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import { findCare } from '../../checking/find-care.ts';
import type { Finding, Found } from '../../checking/finding.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { countThatFits, shortened } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

export async function checkWiki(
  { repository, index, call, now }: Session,
  { cursor, limit, wiki: _wiki, ...query }: Input<'check_wiki'>,
): Promise<Output<'check_wiki'>> {
  const { commit, offset } = cursor
    ? decodeCursor(cursor, query)
    : { commit: (await repository.head()).commit, offset: 0 };
  if (commit === null) return { commit, findings: [], counts: {}, total: 0, next_cursor: null };

  await index.catchUp(commit, call.progress, call.signal);
  const kinds = query.kinds ?? findingKinds;
  const staleBefore = new Date(now() - query.stale_days * 86_400_000);
  const found = await findCare({ repository, index }, await repository.at(commit), {
    kinds,
    staleBefore,
    signal: call.signal,
  });
  const all = found.filter(
    ({ finding }) =>
      finding.path.startsWith(query.prefix ?? '') && (query.line ?? finding.line) === finding.line,
  );
  const rows: Finding[] = [];
  const yieldIfDue = yielding();
  for (const each of all.slice(offset, offset + limit)) {
    await yieldIfDue();
    rows.push(await describe(each));
  }
  const findings = rows.slice(0, countThatFits(rows));
  const next = offset + findings.length;
  return {
    commit,
    findings,
    counts: countsOf(all),
    total: all.length,
    next_cursor: next >= all.length ? null : encodeCursor({ commit, offset: next }, query),
  };
}

async function describe({ finding, suggest }: Found): Promise<Finding> {
  const suggestions = (await suggest?.()) ?? [];
  return cutDetail(suggestions.length === 0 ? finding : { ...finding, suggestions });
}

function cutDetail(finding: Finding): Finding {
  return { ...finding, detail: shortened(finding.detail, limits.pathCharacters) };
}

function countsOf(found: readonly Found[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const {
    finding: { kind },
  } of found)
    counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
