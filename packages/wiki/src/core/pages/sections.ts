import { WikiError } from '../../contract/errors.ts';
import type { TreeEntry } from '../ports.ts';
import { anchoredPart } from '../text/links/written-link.ts';
import type { Heading, Span } from '../text/markdown/markdown.ts';
import type { MarkdownBlocks } from '../text/markdown/markdown-blocks.ts';
import { findSection, headingPaths, MAX_HEADINGS_FOUND, type Section } from '../text/markdown/outline.ts';

/** The section that a caller names; `no_match` and `ambiguous_match` list the existing headings. */
export function requireSection(
  path: string,
  entry: TreeEntry,
  text: string,
  headings: readonly Heading[],
  wanted: string,
): Section {
  const search = findSection(headings, text.length, wanted);
  if (search.kind === 'found') return search.section;
  const isAmbiguous = search.kind === 'ambiguous';
  const paths = firstThatFit(isAmbiguous ? search.paths : headingPaths(headings));
  const leftOut = (isAmbiguous ? search.total : headings.length) - paths.length;
  const named = paths.map((heading) => JSON.stringify(heading.slice(0, 200))).join(', ');
  const more = leftOut === 0 ? '' : `, and ${leftOut} more`;
  const found =
    headings.length <= MAX_HEADINGS_FOUND
      ? ''
      : ` Of its ${headings.length} headings the first ${MAX_HEADINGS_FOUND} are found by name.`;
  throw new WikiError(
    isAmbiguous ? 'ambiguous_match' : 'no_match',
    {
      happened: isAmbiguous
        ? `Several headings of ${JSON.stringify(path)} are called ${JSON.stringify(wanted)}.`
        : `The page ${JSON.stringify(path)} has no heading ${JSON.stringify(wanted)}.`,
      now:
        headings.length === 0
          ? 'It has no headings at all.'
          : `Its ${isAmbiguous ? 'matching ' : ''}headings: ${named}${more}.${found}`,
      next:
        headings.length === 0 ? 'Work on the whole page.' : 'Give one of these, or work on the whole page.',
    },
    { path, version: entry.oid, headings: paths, left_out: leftOut },
  );
}

/** The part of a page to which the anchor of a link leads. */
export function requireAnchor(
  path: string,
  entry: TreeEntry,
  text: string,
  blocks: MarkdownBlocks,
  anchor: string,
): Span {
  const part = anchoredPart(text, blocks, anchor);
  if (part !== null) return part;
  if (!anchor.includes('^')) return requireSection(path, entry, text, blocks.headings, anchor);
  throw new WikiError(
    'no_match',
    {
      happened: `The page ${JSON.stringify(path)} has no block ${JSON.stringify(anchor.slice(0, 200))}.`,
      now: 'Nothing was changed.',
      next: `Read the whole page: ${JSON.stringify(path)}.`,
    },
    { path, version: entry.oid },
  );
}

/** The first paths that fit; at least one. Paths are never cut, as a cut path would find nothing. */
function firstThatFit(paths: readonly string[]): string[] {
  let left = MAX_CHARACTERS_NAMED;
  const fits = paths.filter((path, position) => {
    left -= path.length;
    return position === 0 || left >= 0;
  });
  return fits;
}

const MAX_CHARACTERS_NAMED = 8_000;
