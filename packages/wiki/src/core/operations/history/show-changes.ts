import { WikiError } from '../../../contract/errors.ts';
import { isCommitId } from '../../../contract/fields.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { startOf } from '../../../contract/periods.ts';
import { compareTexts, type Range } from '../../changes/compare-texts.ts';
import { describePage } from '../../changes/describe-page.ts';
import { type CommitInfo, commitNotFound } from '../../commit-info.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { pagePathOf } from '../../paths/page-path.ts';
import type { FileChange } from '../../ports.ts';
import { serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

type Answer = Output<'show_changes'>;
type Query = Pick<Input<'show_changes'>, 'since' | 'commit' | 'prefix'>;

export async function showChanges(
  session: Session,
  { cursor, wiki: _wiki, max_bytes, ...query }: Input<'show_changes'>,
): Promise<Answer> {
  const place = cursor ? decodeCursor(cursor, query) : null;
  const began = place?.began ?? session.now();
  const range = await rangeOf(session, query, { to: place?.commit ?? null, began });
  const { from, to } = range;
  if (to === null || from === to) return nothing(range);
  const visible = await session.repository.visibleChanges(from, to);
  const files = visible.files.filter(({ path }) => path.startsWith(query.prefix));
  const pages = files.filter(({ path }) => pagePathOf(path) !== null);
  const others = files.filter(({ path }) => pagePathOf(path) === null);
  const offset = place?.offset ?? 0;
  const shown = await describeThatFit(session, range, pages.slice(offset), {
    mostBytes: max_bytes,
    isOneCommit: query.commit !== undefined,
  });
  const next = offset + shown.length;
  return {
    ...range,
    pages: shown,
    files: offset > 0 ? [] : others.slice(0, MAX_FILES).map(describeFile),
    files_total: others.length,
    total: pages.length,
    next_cursor: next < pages.length ? encodeCursor({ commit: to, offset: next, began }, query) : null,
  };
}

/** More files than these are counted alone. */
const MAX_FILES = 50;
/** Each takes questions to the index. */
const MAX_PAGES = 50;

function nothing(range: Range): Answer {
  return { ...range, pages: [], files: [], files_total: 0, total: 0, next_cursor: null };
}

async function rangeOf(
  session: Session,
  { since, commit }: Query,
  { to, began }: { to: Oid | null; began: number },
): Promise<Range> {
  if (commit !== undefined && since === undefined) {
    const { oid, parents } = await visibleCommit(session, commit);
    return { from: parents[0] ?? null, to: oid };
  }
  if (since === undefined || commit !== undefined) throw oneOfBoth();
  const { repository } = session;
  const head = to ?? (await repository.head()).commit;
  // Under a scope, the newest commit of what lies in its folders.
  const newest = head === null ? null : await newestUntil(session, head, undefined);
  if (newest === null) return { from: null, to: null };
  if (isCommitId(since)) return { from: (await visibleCommit(session, since)).oid, to: newest };
  const start = startOf(since, new Date(began));
  return { from: await newestUntil(session, newest, new Date((start?.getTime() ?? 0) - 1)), to: newest };
}

/** The commit of this id. Under a scope, one that changed only what lies elsewhere is not there. */
async function visibleCommit(session: Session, given: string): Promise<CommitInfo> {
  const { repository, index, call } = session;
  const oid = await repository.resolveCommit(given);
  await index.catchUp(oid, call.progress, call.signal);
  const { entries } = await index.history({ commit: oid, offset: 0, limit: 1, pagesMost: 0 });
  const found = entries[0]?.commit;
  if (found?.oid !== oid) throw commitNotFound(given);
  return found;
}

async function newestUntil(
  { index, call }: Session,
  commit: Oid,
  until: Date | undefined,
): Promise<Oid | null> {
  await index.catchUp(commit, call.progress, call.signal);
  const { entries } = await index.history({ commit, until, offset: 0, limit: 1, pagesMost: 0 });
  return entries[0]?.commit.oid ?? null;
}

/** Describes pages until their answer has `mostBytes`, but one at least. */
async function describeThatFit(
  session: Session,
  range: Range,
  pages: readonly FileChange[],
  { mostBytes, isOneCommit }: { mostBytes: number; isOneCommit: boolean },
): Promise<Answer['pages']> {
  const shown: Answer['pages'] = [];
  let left = mostBytes;
  for (const page of pages.slice(0, MAX_PAGES)) {
    session.call.signal?.throwIfAborted();
    const { facts, texts } = await describePage(session, range, page, isOneCommit);
    left -= serializedLength(facts);
    if (left < MIN_DIFF_BYTES && shown.length > 0) break;
    const difference = await compareTexts(session, range, texts, Math.max(left, MIN_DIFF_BYTES));
    left -= Buffer.byteLength(difference.diff);
    shown.push({ ...facts, ...difference });
  }
  return shown;
}

/** A page for whose diff less than this is left comes with the next answer. */
const MIN_DIFF_BYTES = limits.passagesLeastBytes / 4;

function describeFile({ path, before, after }: FileChange): Answer['files'][number] {
  return { path, action: before === null ? 'added' : after === null ? 'deleted' : 'modified' };
}

function oneOfBoth(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The arguments of show_changes do not fit: it takes since or commit, and one of them alone.',
    now: 'Nothing was read.',
    next: 'Give since for all that changed from then on, or commit for what that one changed.',
  });
}
