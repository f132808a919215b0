import { randomBytes } from 'node:crypto';

/** The pieces of which the texts of answers are made. */

/**
 * A name or a text of the wiki within a line. In quotation marks it cannot look like a word of ours, and it
 * has no line breaks.
 */
export function quoted(text: string): string {
  return json(text);
}

/** On one line. Without fields that are null: they say as much as a missing one. */
export function json(value: unknown): string {
  const shown = JSON.stringify(value, (_, field) => field ?? undefined);
  return shown.replace(OTHER_LINE_BREAKS, escaped);
}

const OTHER_LINE_BREAKS = /[\u0085\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Text of the wiki on lines of its own. The marks have a random number, so a page cannot contain its own end
 * mark: everything between them is data, whatever it says.
 */
export function block(text: string): string {
  const mark = randomBytes(6).toString('hex');
  return `[page text ${mark} begins]\n${text.replace(/\n$/, '')}\n[${mark} ends]`;
}

/** A commit as every operation takes it: its first digits identify it. */
export function commitName(commit: string | null): string {
  return commit === null ? 'none' : commit.slice(0, COMMIT_DIGITS);
}

const COMMIT_DIGITS = 10;

/** To the minute: seconds tell a reader nothing. */
export function minute(date: string): string {
  const time = new Date(date);
  return Number.isNaN(time.getTime()) ? quoted(date) : `${time.toISOString().slice(0, 16)}Z`;
}

export function day(date: string): string {
  return minute(date).replace(/T.{5}Z$/, '');
}

/** By name alone, which is enough to filter by; by email where there is no name. */
export function person(author: string, agent: string | null): string {
  const name = quoted(author.replace(/(?<=\S)\s*<[^<>]*>$/, ''));
  return agent === null ? name : `${name} with ${quoted(agent)}`;
}

/** The title, if the last part of the path does not say the same, as `note-taking` says "Note-Taking". */
export function titleBeside(path: string, title: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return wordsOf(name) === wordsOf(title) ? '' : ` ${quoted(title)}`;
}

function wordsOf(name: string): string {
  return name.toLowerCase().replace(/[-_\s]+/g, ' ');
}

/** The first line of a list: how much there is, and how to get the rest. */
export function listHead(
  what: string,
  shown: number,
  { total, next_cursor }: { total: number; next_cursor: string | null },
): string {
  if (next_cursor === null) return shown === total ? `${total} ${what}` : `${shown} of ${total} ${what}`;
  return `${shown} of ${total} ${what}; for more pass cursor ${quoted(next_cursor)}`;
}

/** Names in one line, in their order. */
export function names(texts: readonly string[]): string {
  return texts.map(quoted).join(', ');
}

/** Joins what there is to say, one on a line. */
export function lines(...parts: readonly (string | null | false | readonly string[])[]): string {
  return parts
    .flat()
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n');
}
