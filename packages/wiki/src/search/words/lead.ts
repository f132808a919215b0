import { findFrontmatter } from '../../core/text/frontmatter/frontmatter.ts';

/**
 * The introduction of a page: its description in the frontmatter, and the beginning of its prose. The first
 * words of a page name its subject far more often than later ones. A conversation has no introduction: it begins
 * with a greeting.
 */
export function leadOf(text: string, frontmatter: Record<string, unknown>): string {
  const { description } = frontmatter;
  const given = typeof description === 'string' ? [cutAtSpace(description, LEAD_CHARACTERS)] : [];
  const body = text.slice(findFrontmatter(text)?.end ?? 0);
  const prose = beginningOf(body);
  return [...given, ...(isConversation(body) ? prose.filter((line) => !isTurn.test(line)) : prose)].join(
    '\n',
  );
}

/** True if several lines near the beginning say who speaks. One alone is a label, as in `Example: a page`. */
function isConversation(text: string): boolean {
  const lines = text.slice(0, CONVERSATION_CHARACTERS).split('\n');
  return lines.filter((line) => isTurn.test(line)).length >= LEAST_TURNS;
}

const CONVERSATION_CHARACTERS = 4_000;
const LEAST_TURNS = 4;
/** `Ada: See you.`, `Ada Lovelace (10:15): See you.` */
const isTurn =
  /^\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,30}){0,2}(?: ?\([^()\n]{1,30}\))?: /u;

/** The first lines of prose. */
function beginningOf(text: string): string[] {
  const prose: string[] = [];
  let start = 0;
  let left = LEAD_CHARACTERS;
  let fence: string | null = null;
  for (let line = 0; line < MAX_LINES && start < text.length && left > 0; line++) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    const whole = text.slice(start, next);
    const beginning = cutAtSpace(whole, left).trim();
    start = next;
    const [mark = null] = /^(?:```|~~~)/.exec(beginning) ?? [];
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence === null && isProse(beginning)) {
      prose.push(beginning);
      left = whole.length > left ? 0 : left - beginning.length;
    }
  }
  return prose;
}

/** At most so many characters. Part of a word is another word, so the last one is left out, in scripts with spaces. */
function cutAtSpace(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/(?<=\s)\S{1,40}$/, '');
}

const LEAD_CHARACTERS = 400;
/** If this many lines contain no prose, the search for it ends. */
const MAX_LINES = 200;

/**
 * True unless the line is a heading, a table, markup, a list, or a line of code that some dialects put at the
 * beginning.
 */
function isProse(line: string): boolean {
  return line.length > 20 && !/^(?:[#<|:{}[!*+-]|import |export )/.test(line);
}
