import type { FileWrite } from '../ports.ts';
import { refusalOfNewPath } from './page-path.ts';
import { lengthRule, type Refusal } from './path-rules.ts';

/** The end of a path that a file had before the change too: its last `parts`, now below another folder. */
export interface KeptName {
  from: string;
  parts: number;
}

/** Names that a change carries to another folder, such as a folder's move and its undo. They are not new. */
export class KeptNames {
  /** By each end of whole parts: the first removed path with this end. */
  readonly #removed = new Map<string, string>();

  constructor(files: readonly FileWrite[]) {
    for (const file of files) {
      if (!('remove' in file)) continue;
      for (const end of endsOf(file.path)) {
        if (!this.#removed.has(end)) this.#removed.set(end, file.path);
      }
    }
  }

  /** Null if no removed file had this name. Else the one whose path has the longest end in common. */
  of(path: string): KeptName | null {
    if (this.#removed.size === 0) return null;
    const ends = endsOf(path);
    for (const [at, end] of ends.entries()) {
      const from = this.#removed.get(end);
      if (from !== undefined) return { from, parts: ends.length - at };
    }
    return null;
  }
}

/**
 * The reason why a file cannot be at a new path, of which the folder is new and the kept name is not. Null if
 * it can.
 */
export function refusalOfPlace(path: string, kept: KeptName | null): Refusal | null {
  const folder = kept === null ? '' : path.split('/').slice(0, -kept.parts).join('/');
  // At the root nothing of the path is new except the place.
  if (kept === null || folder === '') return refusalOfNewPath(path);
  const refusal = refusalOfNewPath(`${folder}/x`);
  return refusal ?? (path.length > kept.from.length ? lengthRule(path.replace(/\.md$/, '')) : null);
}

/** `a/b/c`, `b/c`, `c`. */
function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}
