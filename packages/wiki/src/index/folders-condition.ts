/**
 * Whether the page path in `column` lies in one of the folders of a JSON list, the one value of this condition. With its
 * table's name, since json_each has a column `path` too.
 */
export function liesInFolders(column: string): string {
  return `EXISTS (SELECT 1 FROM json_each(?) WHERE substr(${column}, 1, length(value)) = value)`;
}
