import type { Output } from '@pagetree/wiki/contract';
import { pathNames, runsOf } from './folders.ts';
import { block, commitName, day, lines, minute, person, quoted } from './lines.ts';

type Entry = Output<'get_history'>['entries'][number];
type Blame = Output<'blame_page'>;

/**
 * Newest first, below those who wrote them. Of several commits the beginnings of their messages, and pages as far
 * as the budget goes: for the rest of one, a caller asks for that commit alone.
 */
export function historyText({ entries, next_cursor }: Output<'get_history'>): string {
  const more = next_cursor === null ? '' : `; for more pass cursor ${quoted(next_cursor)}`;
  const [first] = entries;
  const isOfPage = typeof first?.path === 'string';
  if (entries.length === 1 && first !== undefined) return lines(`1 commit${more}`, wholeCommit(first));
  let left = PAGES_BUDGET_BYTES;
  let path: string | null = null;
  const rows = runsOf(entries, writer).flatMap(([who, run]) => [
    `${who}:`,
    ...run.map((entry) => {
      const pages = isOfPage ? ofOnePage(entry, path) : touched(entry, MAX_PAGES);
      ({ path } = entry);
      left -= isOfPage ? 0 : Buffer.byteLength(pages);
      const what = left > 0 ? pages : '';
      return `- ${commitName(entry.commit)} ${day(entry.date)} ${quoted(shortened(entry).message)}${what}`;
    }),
  ]);
  return lines(
    `${entries.length} commits${more}`,
    entries.length > 0 && 'for all of one pass at and limit 1, without path',
    left <= 0 && 'pages of older commits are left out',
    rows,
  );
}

function wholeCommit(entry: Entry): string {
  const path = entry.path === null ? '' : ofOnePage(entry, null);
  return `- ${commitLine(entry)}${path}${touched(entry, entry.pages.length)}`;
}

/** Pages are the longest part of a commit, and matter less the older it is. */
const PAGES_BUDGET_BYTES = 800;
const MAX_MESSAGE = 72;
const MAX_PAGES = 3;
const MAX_BEGINNING = 50;

export function commitLine(entry: {
  commit: string;
  date: string;
  author: string;
  agent: string | null;
  message: string;
}): string {
  const { commit, date, author, agent, message } = entry;
  return `${commitName(commit)} ${minute(date)} ${person(author, agent)}: ${quoted(message)}`;
}

function writer({ author, agent }: Entry): string {
  return person(author, agent);
}

/** With the beginning of the message. */
function shortened<Commit extends { message: string }>(commit: Commit): Commit {
  const [line = ''] = commit.message.split(/[\r\n]/);
  const isWhole = line === commit.message.trimEnd();
  return {
    ...commit,
    message: isWhole ? cut(line, MAX_MESSAGE) : `${line.slice(0, MAX_MESSAGE).toWellFormed()}...`,
  };
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}...`;
}

/** The pages by what became of them. A page that was only modified stands without a word. */
function touched({ pages, pages_total }: Entry, most: number): string {
  const shown = pages.slice(0, most);
  const byAction = Map.groupBy(shown, ({ action }) => action);
  const parts = [...byAction].map(([action, rows]) => {
    const word = action === 'modified' ? '' : `${action} `;
    return `${word}${pathNames(rows.map(({ path }) => path))}`;
  });
  const rest = pages_total > shown.length ? `; ${pages_total} pages in all` : '';
  return parts.length === 0 ? '' : ` (${parts.join('; ')}${rest})`;
}

/** In the history of a page: its path where it is not that of the newer commit above, and what became of it. */
function ofOnePage({ path, moved_to, version, pages, pages_total }: Entry, newer: string | null): string {
  const action = version === null ? 'deleted' : pages.find((page) => page.path === path)?.action;
  const facts = [
    path !== null && path !== newer && `as ${quoted(path)}`,
    moved_to !== null && `moved to ${quoted(moved_to)}`,
    moved_to === null && action !== 'modified' && action,
    pages_total > 1 && `${pages_total} pages`,
  ].filter((fact) => typeof fact === 'string');
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

export function diffText({ path, from, to, diff, added, removed, truncated }: Output<'diff_page'>): string {
  return lines(
    `${quoted(path)} from ${commitName(from)} to ${commitName(to)}: +${added} -${removed}`,
    truncated && 'The diff is cut.',
    diff === '' ? 'no difference' : block(diff),
  );
}

/**
 * Who wrote which lines, then the commits. Neighbouring paragraphs of one commit are one row: read_page shows
 * where each begins.
 */
export function blameText(blame: Blame): string {
  const { path, version, commit, blocks, commits, stopped_at, next_start_line } = blame;
  return lines(
    `${quoted(path)} version ${version} commit ${commitName(commit)}`,
    next_start_line !== null && `for more pass start_line ${next_start_line}`,
    runsOf(blocks, soleWriter).map(([, run]) => writtenBy(run)),
    commits.length > 0 && 'commits (for all of one: get_history with at and limit 1):',
    commits.map((entry) => `- ${commitLine(shortened(entry))}${isElsewhere(entry, path)}`),
    stopped_at !== null &&
      `history was read up to ${commitName(stopped_at.commit)} ${minute(stopped_at.date)}`,
  );
}

type Block = Blame['blocks'][number];

/** Equal for neighbours that one commit wrote. */
function soleWriter({ by, start_line }: Block): string {
  return by.length === 1 ? commitName(by[0]?.commit ?? null) : `line ${start_line}`;
}

/** The commit of these lines, or the commits with the number of their lines. */
function writtenBy(run: readonly Block[]): string {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return '';
  const { start_line, beginning, by } = first;
  const place = start_line === last.end_line ? start_line : `${start_line}-${last.end_line}`;
  const commits = by.map(({ commit, lines }) => `${commitName(commit)}${by.length === 1 ? '' : ` ${lines}`}`);
  return `${place} ${quoted(cut(beginning, MAX_BEGINNING))}: ${commits.join(', ')}`;
}

function isElsewhere({ path }: Blame['commits'][number], now: string): string {
  return path === null || path === now ? '' : ` as ${quoted(path)}`;
}
