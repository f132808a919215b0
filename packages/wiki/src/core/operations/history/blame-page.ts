import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { pageBlocks } from '../../blame/page-blocks.ts';
import { type Blame, linesOf, walkBlame } from '../../blame/walk-blame.ts';
import { summaryOf } from '../../commit-info.ts';
import { pageNotFound, requirePage } from '../../pages/find-page.ts';
import { pagePathOf, parsePagePath } from '../../paths/page-path.ts';
import { serializedLength, shortened } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { blockSteps } from '../../text/markdown/markdown-blocks.ts';
import { countLines } from '../../text/read-window.ts';
import { decodeText } from '../../text/text-encoding.ts';

type Answer = Output<'blame_page'>;
type Block = Answer['blocks'][number];

export async function blamePage(session: Session, input: Input<'blame_page'>): Promise<Answer> {
  const { repository, index, call } = session;
  const path = parsePagePath(input.path);
  const head = await repository.head();
  if (head.commit === null) throw pageNotFound(path);
  const isPast = input.at !== undefined;
  const snapshot = isPast ? await repository.at(await repository.resolveCommit(input.at ?? '')) : head;
  const commit = snapshot.commit ?? head.commit;
  const entry = await requirePage(snapshot, path, index, isPast);
  const { text } = decodeText(await snapshot.blob(entry.oid));
  const lineCount = countLines(text);
  if (lineCount > WALK_LIMITS.lines) throw tooManyLines(path, lineCount);
  const shown = pagePathOf(entry.path) ?? path;

  await index.catchUp(head.commit, call.progress, call.signal);
  const lines = linesOf(text);
  const blame = await walkBlame(session, { commit, path: shown, lines }, WALK_LIMITS);
  const blocks = pageBlocks(lines, await inTurns(blockSteps(text)))
    .filter(({ end }) => end >= input.start_line)
    .map(({ start, end }): Block => {
      const by = writersOf(blame, start, end);
      const beginning = shortened(lines[start]?.trim() ?? '', MAX_BEGINNING);
      return { start_line: start + 1, end_line: end, beginning, by };
    });
  const { stoppedAt } = blame;
  return {
    path: shown,
    version: entry.oid,
    commit,
    ...thatFit(blocks, blame),
    stopped_at: stoppedAt && { commit: stoppedAt.oid, date: stoppedAt.author.date.toISOString() },
  };
}

/** Sorted by number of lines, then newest first. */
function writersOf({ writers }: Blame, start: number, end: number): Block['by'] {
  const counts = new Map<Oid | null, { lines: number; committed: number }>();
  for (const writer of writers.slice(start, end)) {
    const count = counts.get(writer?.oid ?? null) ?? {
      lines: 0,
      committed: writer?.committed.getTime() ?? 0,
    };
    counts.set(writer?.oid ?? null, { ...count, lines: count.lines + 1 });
  }
  return [...counts]
    .sort(([, a], [, b]) => b.lines - a.lines || b.committed - a.committed)
    .slice(0, MAX_WRITERS)
    .map(([commit, { lines }]) => ({ commit, lines }));
}

/** As many blocks, with the commits that wrote them, as fit into one reply; at least one. */
function thatFit(
  blocks: readonly Block[],
  { writers, paths }: Blame,
): Pick<Answer, 'blocks' | 'commits' | 'next_start_line'> {
  const byOid = new Map(writers.flatMap((writer) => (writer ? [[writer.oid, writer]] : [])));
  const commits = new Map<Oid, Answer['commits'][number]>();
  let left = limits.replyCharacters - ROOM_FOR_THE_REST;
  for (const [at, block] of blocks.entries()) {
    const more = block.by.flatMap(({ commit }) => {
      const info = commit === null || commits.has(commit) ? undefined : byOid.get(commit);
      return info === undefined
        ? []
        : [{ ...summaryOf(info, MAX_MESSAGE), path: paths.get(info.oid) ?? null }];
    });
    left -= [block, ...more].reduce((sum, row) => sum + serializedLength(row) + 1, 0);
    if (left < 0 && at > 0) {
      return {
        blocks: blocks.slice(0, at),
        commits: [...commits.values()],
        next_start_line: block.start_line,
      };
    }
    for (const row of more) commits.set(row.commit, row);
  }
  return { blocks: [...blocks], commits: [...commits.values()], next_start_line: null };
}

function tooManyLines(path: string, lines: number): WikiError {
  return new WikiError('too_large', {
    happened: `${JSON.stringify(path)} has ${lines} lines; blame_page reads pages of at most ${WALK_LIMITS.lines}.`,
    now: 'Nothing was changed.',
    next: 'Use get_history of the page, and diff_page for single changes.',
  });
}

/** A version costs a few reads: this many take a second or two on a local disk. */
const WALK_LIMITS = { versions: 2_000, ms: 2_500, lines: 40_000 };
const MAX_BEGINNING = 80;
/** The maximum number of commits named for a block. */
const MAX_WRITERS = 8;
const MAX_MESSAGE = 500;
/** For path, ids and numbers. */
const ROOM_FOR_THE_REST = 2_000;
