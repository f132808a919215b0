import type { Output } from '@pagetree/wiki/contract';
import { block, commitName, lines, minute, names, person, quoted } from './lines.ts';

type Entry = Output<'get_history'>['entries'][number];
type Blame = Output<'blame_page'>;

/**
 * Newest first. Of many commits the beginnings of their messages and the first of their pages: for the rest of
 * one, a caller asks for that commit alone.
 */
export function historyText({ entries, next_cursor }: Output<'get_history'>): string {
  const more = next_cursor === null ? '' : `; for more pass cursor ${quoted(next_cursor)}`;
  const isLong = entries.length > MAX_WHOLE_COMMITS;
  const rows = isLong ? entries.map(beginningOf) : entries;
  const isCut = rows.some(({ message }, at) => message !== entries[at]?.message);
  return lines(
    `${entries.length} commits${more}`,
    isCut && 'messages that end in ... are cut: pass at with the commit and limit 1 for the whole',
    rows.map((entry) => `- ${commitLine(entry)}${pathThen(entry)}${touched(entry)}`),
  );
}

const MAX_WHOLE_COMMITS = 5;
const MAX_MESSAGE = 120;
const MAX_PAGES = 5;

function beginningOf(entry: Entry): Entry {
  const [line = ''] = entry.message.split(/[\r\n]/);
  const isWhole = line === entry.message.trimEnd() && line.length <= MAX_MESSAGE;
  const message = isWhole ? line : `${line.slice(0, MAX_MESSAGE).toWellFormed()}...`;
  return { ...entry, message: isWhole ? entry.message : message, pages: entry.pages.slice(0, MAX_PAGES) };
}

function commitLine(entry: {
  commit: string;
  date: string;
  author: string;
  agent: string | null;
  message: string;
}): string {
  const { commit, date, author, agent, message } = entry;
  return `${commitName(commit)} ${minute(date)} ${person(author, agent)}: ${quoted(message)}`;
}

function pathThen({ path, moved_to }: Entry): string {
  if (path === null) return '';
  return ` as ${quoted(path)}${moved_to === null ? '' : `, moved to ${quoted(moved_to)}`}`;
}

/** The pages by what became of them. A commit of one page mostly says no more than that. */
function touched({ pages, pages_total }: Entry): string {
  const byAction = Map.groupBy(pages, ({ action }) => action);
  const parts = [...byAction].map(([action, rows]) => `${action} ${names(rows.map(({ path }) => path))}`);
  const rest = pages_total > pages.length ? `, ${pages_total} pages in all` : '';
  return parts.length === 0 ? '' : ` (${parts.join('; ')}${rest})`;
}

export function diffText({ path, from, to, diff, added, removed, truncated }: Output<'diff_page'>): string {
  return lines(
    `${quoted(path)} from ${commitName(from)} to ${commitName(to)}: +${added} -${removed}`,
    truncated && 'The diff is cut.',
    diff === '' ? 'no difference' : block(diff),
  );
}

/** Who wrote which lines, then the commits. */
export function blameText(blame: Blame): string {
  const { path, version, commit, blocks, commits, stopped_at, next_start_line } = blame;
  return lines(
    `${quoted(path)} version ${version} commit ${commitName(commit)}`,
    next_start_line !== null && `for more pass start_line ${next_start_line}`,
    blocks.map(writers),
    commits.length > 0 && 'commits:',
    commits.map((entry) => `- ${commitLine(entry)}${isElsewhere(entry, path)}`),
    stopped_at !== null &&
      `history was read up to ${commitName(stopped_at.commit)} ${minute(stopped_at.date)}`,
  );
}

function writers({ start_line, end_line, beginning, by }: Blame['blocks'][number]): string {
  const [first] = by;
  const commits =
    by.length === 1 && first !== undefined
      ? commitName(first.commit)
      : by.map(({ commit, lines }) => `${commitName(commit)} ${lines}`).join(', ');
  const place = start_line === end_line ? start_line : `${start_line}-${end_line}`;
  return `${place} ${quoted(beginning)}: ${commits}`;
}

function isElsewhere({ path }: Blame['commits'][number], now: string): string {
  return path === null || path === now ? '' : ` as ${quoted(path)}`;
}
