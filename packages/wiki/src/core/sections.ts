import { WikiError } from '../contract/errors.ts';
import type { TreeEntry } from './ports.ts';
import type { Heading } from './text/markdown.ts';
import { findSection, headingPaths, type Section } from './text/outline.ts';

/** The section that a caller names; `no_match` and `ambiguous_match` list the headings that there are. */
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
  const paths = (isAmbiguous ? search.paths : headingPaths(headings)).slice(0, headingsNamed);
  const named = paths.map((heading) => JSON.stringify(heading.slice(0, 200))).join(', ');
  throw new WikiError(
    isAmbiguous ? 'ambiguous_match' : 'no_match',
    {
      happened: isAmbiguous
        ? `Several headings of ${JSON.stringify(path)} are called ${JSON.stringify(wanted)}.`
        : `The page ${JSON.stringify(path)} has no heading ${JSON.stringify(wanted)}.`,
      now:
        paths.length === 0
          ? 'It has no headings at all.'
          : `Its ${isAmbiguous ? 'matching ' : ''}headings: ${named}.`,
      next: paths.length === 0 ? 'Work on the whole page.' : 'Give one of these, or work on the whole page.',
    },
    { path, version: entry.oid, headings: paths },
  );
}

const headingsNamed = 30;
