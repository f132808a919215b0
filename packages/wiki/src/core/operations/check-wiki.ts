import { limits } from '../../contract/limits.ts';
import { findingKinds } from '../../contract/operations/checking.ts';
import type { Input, Output } from '../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { type Finding, findCare } from '../findings.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';

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
  const found = await findCare(await repository.at(commit), index, {
    kinds,
    staleBefore,
    signal: call.signal,
  });
  const all = found.filter((finding) => finding.path.startsWith(query.prefix ?? ''));
  const rows = all.slice(offset, offset + limit).map(cutDetail);
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

function cutDetail(finding: Finding): Finding {
  const { detail } = finding;
  return detail.length <= limits.pathCharacters
    ? finding
    : { ...finding, detail: `${detail.slice(0, limits.pathCharacters).toWellFormed()}...` };
}

function countsOf(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
