import { mayLeaveAsFile } from './hostile-path.ts';
import { siblingKey } from './new-names.ts';
import { refusalOfNewPath } from './page-path.ts';

/** The rules for names, for programs that keep the files of a wiki in a folder. */

/** The reason why a file of a wiki must not be written to a folder, or null. `isOurs`: it is a new file of the folder. */
export function refusalAsFile(path: string): string | null {
  if (!mayLeaveAsFile(path))
    return 'it begins with a dot, is too long, or is a name that git keeps for itself';
  return refusalOfNewPath(path)?.rule ?? null;
}

/** The key that two paths share if some file system takes them for one. */
export function pathKey(path: string): string {
  return path.split('/').map(siblingKey).join('/');
}
