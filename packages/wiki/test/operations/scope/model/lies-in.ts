/** True if the path lies in one of the folders. Uses nothing of the code, which has such a function too. */
export function liesIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.normalize('NFC').startsWith(folder));
}
