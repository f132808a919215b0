/**
 * A condition: the page path in `column` lies in one of the folders of a JSON list, its one value. Qualify
 * the column with its table, since json_each has a column `path` too.
 */
export function liesInFolders(column: string): string {
  return `EXISTS (SELECT 1 FROM json_each(?) WHERE substr(${column}, 1, length(value)) = value)`;
}
