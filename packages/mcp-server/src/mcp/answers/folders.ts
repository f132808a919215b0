import { quoted } from './lines.ts';

/** Paths cost most of the bytes of a list. Here the folder of several paths is written once, above or before them. */

/**
 * One line for each row, in their order. Neighbours of one folder stand below it, each by its name:
 * `"Guides/"` and then `  "Set up"`. Any other row begins with `- ` and the whole path.
 */
export function byFolder<Row extends { path: string }>(
  rows: readonly Row[],
  rest: (row: Row) => string,
): string[] {
  return runsOf(rows, ({ path }) => folderOf(path)).flatMap(([folder, run]) => {
    const isShort = run.length < 2 || folder === '';
    if (isShort) return run.map((row) => `- ${quoted(row.path)}${rest(row)}`);
    return [quoted(folder), ...run.map((row) => `  ${quoted(row.path.slice(folder.length))}${rest(row)}`)];
  });
}

/** Paths on one line, those of one folder together: `"Guides/" ["Set up", "Tour"], "Home"`. */
export function pathNames(paths: readonly string[], total = paths.length): string {
  const folders = [...Map.groupBy(paths, folderOf)].map(([folder, among]) => {
    if (among.length < 2 || folder === '') return among.map(quoted).join(', ');
    return `${quoted(folder)} [${among.map((path) => quoted(path.slice(folder.length))).join(', ')}]`;
  });
  return `${folders.join(', ')}${total > paths.length ? ` and ${total - paths.length} more` : ''}`;
}

/** Neighbours with an equal key, as one run. */
export function runsOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const runs: [string, Row[]][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const last = runs.at(-1);
    if (last?.[0] === key) last[1].push(row);
    else runs.push([key, [row]]);
  }
  return runs;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
