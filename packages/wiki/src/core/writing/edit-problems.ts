import { WikiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { TreeEntry } from '../ports.ts';
import type { EditProblem } from '../text/editing/edits.ts';

/** The error for an edit that could not be made. `edit` is its index in the list. */
export function editFailed(path: string, entry: TreeEntry, edit: number, problem: EditProblem): WikiError {
  const which = `Edit ${edit + 1} of ${JSON.stringify(path)}`;
  const unchanged = `The page is unchanged at version ${entry.oid}.`;
  const data = { path, version: entry.oid, edit };
  switch (problem.kind) {
    case 'no_match':
      return new WikiError(
        'no_match',
        {
          happened: `${which}: its old_string is not in the page.`,
          now: `${unchanged}${describeNearest(problem.nearest)}`,
          next: 'Copy old_string exactly from the page, spaces included; read the page again if it may have changed.',
        },
        { ...data, nearest: problem.nearest },
      );
    case 'ambiguous_match':
      return new WikiError(
        'ambiguous_match',
        {
          happened: `${which}: its old_string is in the page ${problem.count} times, at lines ${problem.lines.join(', ')}.`,
          now: unchanged,
          next: 'Make old_string longer so that it is found once, or set replace_all.',
        },
        { ...data, count: problem.count, lines: problem.lines },
      );
    case 'empty':
    case 'not_text':
      return new WikiError(
        'invalid_input',
        {
          happened: `${which}: ${problem.kind === 'empty' ? 'its old_string is empty' : 'it holds half of a surrogate pair, which no UTF-8 can say'}.`,
          now: unchanged,
          next: 'Send the edit again with whole text.',
        },
        data,
      );
    case 'too_many':
      return new WikiError(
        'too_large',
        {
          happened: `${which}: with the edits before it, it would replace text at more than ${problem.most} places.`,
          now: unchanged,
          next: 'Replace longer texts, which stand at fewer places, or write the page with write_page.',
        },
        data,
      );
    case 'too_large':
      return new WikiError(
        'too_large',
        {
          happened: `${which}: the page would be larger than ${limits.pageBytes} bytes.`,
          now: unchanged,
          next: 'Split the page into several that link to each other.',
        },
        data,
      );
  }
}

function describeNearest(nearest: (EditProblem & { kind: 'no_match' })['nearest']): string {
  return nearest === null ? '' : ` The nearest is line ${nearest.line}: ${JSON.stringify(nearest.text)}.`;
}
