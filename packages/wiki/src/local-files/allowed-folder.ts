import * as ofThisSystem from 'node:path';

/** A folder whose files may be read: one of the paths that lead to it, and its real path. */
export interface AllowedFolder {
  spelled: string;
  real: string;
}

/** The paths of a system: `win32` or `posix` of node:path. */
export type PathSystem = Pick<typeof ofThisSystem, 'sep'>;

/**
 * The first of these folders that holds `path`: its real path, and the names that lead from there to `path`. Null if
 * no folder holds it. Windows ignores case, and separates names by `/` too.
 */
export function folderAround(
  folders: readonly AllowedFolder[],
  path: string,
  system: PathSystem = ofThisSystem,
): { real: string; rest: string[] } | null {
  for (const { spelled, real } of folders) {
    if (!startsWithFolder(path, spelled, system)) continue;
    return { real, rest: namesOf(path.slice(spelled.length), system) };
  }
  return null;
}

/** The names of a path, in their order. */
export function namesOf(path: string, system: PathSystem = ofThisSystem): string[] {
  return path.split(isWindows(system) ? /[\\/]/ : '/');
}

function startsWithFolder(path: string, folder: string, system: PathSystem): boolean {
  const [one, other] = isWindows(system) ? [path.toLowerCase(), folder.toLowerCase()] : [path, folder];
  return one === other || one.startsWith(other.endsWith(system.sep) ? other : other + system.sep);
}

/** True if paths are those of Windows: they have backslashes, and letters of either case are the same. */
export function isWindows({ sep }: PathSystem = ofThisSystem): boolean {
  return sep === '\\';
}
