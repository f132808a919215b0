import type { MovedPaths } from '../moving/moves.ts';
import { normalForm } from '../text/normal-form.ts';

export interface MovedFolder {
  /** The path before the batch, with its slash. */
  from: string;
  /** The path after it. */
  path: string;
}

/**
 * The folders that a batch moved, by its net effect: the place of a folder before it and after it, if a file
 * went from the one to the other. `moves` are the moves of folders in their order, `moved` the moves of all
 * files that they come to.
 */
export function movedFolders(
  moves: readonly MovedPaths[],
  moved: ReadonlyMap<string, string>,
): Map<MovedPaths, MovedFolder[]> {
  const places = new Map(moves.map((move, at) => [move, lastPlace(move.path, moves.slice(at + 1))]));
  const origins = new Map([...places.values()].map((place) => [place, new Set<string>()]));
  const ends = new Map<string, string>();
  for (const [old, present] of moved) {
    const [from, to] = [normalForm(old), normalForm(present)];
    for (const [place, found] of origins) {
      const rest = to.slice(place.length);
      if (!to.startsWith(place) || !from.endsWith(`/${rest}`)) continue;
      const folder = from.slice(0, -rest.length);
      const end = ends.get(folder) ?? lastPlace(folder, moves);
      ends.set(folder, end);
      // Otherwise the file moved by itself, not with this folder.
      if (end === place) found.add(folder);
    }
  }
  return new Map(
    [...places].map(([move, path]) => [move, [...(origins.get(path) ?? [])].map((from) => ({ from, path }))]),
  );
}

/** The place of a folder after these moves. */
function lastPlace(folder: string, moves: readonly MovedPaths[]): string {
  return moves.reduce(
    (place, { from, path }) => (place.startsWith(from) ? path + place.slice(from.length) : place),
    folder,
  );
}
