import type { Output } from '@pagetree/wiki/contract';
import { pathNames } from './folders.ts';
import { commitLine } from './history.ts';
import { block, commitName, lines, quoted } from './lines.ts';

type Changes = Output<'show_changes'>;
type Page = Changes['pages'][number];

/** Page by page: what became of it, the commits that did so, and the diff. */
export function changesText({ from, to, pages, files, files_total, total, next_cursor }: Changes): string {
  const more = next_cursor === null ? '' : `; for more pass cursor ${quoted(next_cursor)}`;
  return lines(
    `${pages.length} of ${total} pages changed from ${commitName(from)} to ${commitName(to)}${more}`,
    pages.flatMap((page) => [
      headOf(page),
      ...page.commits.map((entry) => `- ${commitLine(entry)}`),
      page.more_commits ? '- and older ones: get_history with path' : '',
      page.diff === '' ? '' : block(page.diff),
      page.truncated ? 'The diff is cut: diff_page shows more.' : '',
    ]),
    ...[...Map.groupBy(files, ({ action }) => action)].map(
      ([action, rows]) => `files ${action}: ${pathNames(rows.map(({ path }) => path))}`,
    ),
    files_total > files.length && files.length > 0 && `${files_total} files in all`,
  );
}

function headOf({ path, action, previous_path, moved_to, added, removed }: Page): string {
  const from = previous_path === null ? '' : ` from ${quoted(previous_path)}`;
  const to = moved_to === null ? '' : ` to ${quoted(moved_to)}`;
  const count = added + removed === 0 ? '' : ` +${added} -${removed}`;
  return `${quoted(path)} ${action}${from}${to}${count}`;
}
