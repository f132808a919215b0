import { WikiError } from '../../../contract/errors.ts';
import { isCommitId } from '../../../contract/fields.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { startOf } from '../../../contract/periods.ts';
import { describePage, type Range } from '../../changes/describe-page.ts';
import { commitNotFound } from '../../commit-at.ts';
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
    commit: query.commit === undefined ? null : to,
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
  { repository, index, call }: Session,
  { since, commit }: Query,
  { to, began }: { to: Oid | null; began: number },
): Promise<Range> {
  if ((since === undefined) === (commit === undefined)) throw oneOfBoth();
  if (commit !== undefined) {
    const oid = to ?? (await repository.resolveCommit(commit));
    await index.catchUp(oid, call.progress, call.signal);
    const { entries } = await index.history({ commit: oid, offset: 0, limit: 1, pagesMost: 0 });
    // Under a scope, a commit that changed only what lies elsewhere is not there.
    if (entries[0]?.commit.oid !== oid) throw commitNotFound(oid);
    return { from: entries[0].commit.parents[0] ?? null, to: oid };
  }
  const newest = to ?? (await repository.head()).commit;
  if (newest === null) return { from: null, to: null };
  await index.catchUp(newest, call.progress, call.signal);
  if (isCommitId(since ?? '')) return { from: await repository.resolveCommit(since ?? ''), to: newest };
  const start = startOf(since, new Date(began));
  const until = new Date((start?.getTime() ?? 0) - 1);
  const { entries } = await index.history({ commit: newest, until, offset: 0, limit: 1, pagesMost: 0 });
  return { from: entries[0]?.commit.oid ?? null, to: newest };
}

/** Describes pages until their answer has `mostBytes`, but one at least. */
async function describeThatFit(
  session: Session,
  range: Range,
  pages: readonly FileChange[],
  { mostBytes, commit }: { mostBytes: number; commit: Oid | null },
): Promise<Answer['pages']> {
  const shown: Answer['pages'] = [];
  let left = mostBytes;
  for (const page of pages.slice(0, MAX_PAGES)) {
    session.call.signal?.throwIfAborted();
    const row = await describePage(session, range, page, {
      commit,
      diffCharacters: Math.max(left, MIN_DIFF),
    });
    left -= serializedLength(row);
    if (left < 0 && shown.length > 0) break;
    shown.push(row);
  }
  return shown;
}

/** The characters that the diff of the first page has at least. */
const MIN_DIFF = limits.passagesLeastBytes / 2;

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
