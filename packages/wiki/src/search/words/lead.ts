import { findFrontmatter } from '../../core/text/frontmatter/frontmatter.ts';

/**
 * The introduction of a page: its description in the frontmatter, and the beginning of its prose. The first
 * words of a page name its subject far more often than later ones.
 */
export function leadOf(text: string, frontmatter: Record<string, unknown>): string {
  const { description } = frontmatter;
  const parts = typeof description === 'string' ? [description.slice(0, LEAD_CHARACTERS)] : [];
  let start = findFrontmatter(text)?.end ?? 0;
  let left = LEAD_CHARACTERS;
  let fence: string | null = null;
  for (let line = 0; line < MAX_LINES && start < text.length && left > 0; line++) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    const beginning = text.slice(start, Math.min(next, start + left)).trim();
    start = next;
    const [mark = null] = /^(?:```|~~~)/.exec(beginning) ?? [];
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence === null && isProse(beginning)) {
      parts.push(beginning);
      left -= beginning.length;
    }
  }
  return parts.join('\n');
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
