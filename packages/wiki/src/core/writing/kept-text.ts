import { WikiError } from '../../contract/errors.ts';
import type { TreeEntry } from '../ports.ts';
import { findFrontmatter } from '../text/frontmatter/frontmatter.ts';
import type { Splice } from '../text/text-runs.ts';

/**
 * Throws `invalid_input` if an addition turns existing text into frontmatter: a page that begins with a line
 * `---` becomes frontmatter up to the next such line, and its links are gone.
 */
export function requireKeptText(
  path: string,
  { oid }: TreeEntry,
  before: string,
  after: string,
  { start, length }: Splice,
): void {
  const made = findFrontmatter(before) === null ? findFrontmatter(after) : null;
  if (made === null || (start === 0 && made.end <= length)) return;
  throw new WikiError(
    'invalid_input',
    {
      happened: `The page ${JSON.stringify(path)} begins with a line "---", and the addition has the next one: all text between the two would become frontmatter.`,
      now: `The page is unchanged at version ${oid}.`,
      next: 'Write a rule as *** instead of ---. If that text is to be frontmatter, close it with edit_page.',
    },
    { path, version: oid },
  );
}
