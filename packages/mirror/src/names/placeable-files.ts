import { pathKey, refusalAsFile } from '@pagetree/wiki/file-names';
import { isIgnoredName } from './ignored-names.ts';

/** A file of the wiki. `path` is as its tree spells it; the key is the same in NFC, and names it in both sides. */
export interface WikiFile {
  path: string;
  version: string;
}

/**
 * Chooses the files of a wiki that may be in a folder: on any system none is outside of it, and none stands for another
 * one. Paths of a wiki are not trusted. What was chosen first stays chosen.
 */
export class PlaceableFiles {
  readonly #keyOf = new Map<string, string>();

  /** `present`: the keys of the files that are in the folder. Returns the reason for each file that is left out. */
  choose(
    files: Iterable<WikiFile>,
    present: (key: string) => boolean,
  ): { files: Map<string, WikiFile>; leftOut: Map<string, string> } {
    const chosen = new Map<string, WikiFile>();
    const leftOut = new Map<string, string>();
    const taken = new TakenNames();
    const all = [...files].map((file) => ({ key: file.path.normalize('NFC'), file }));
    // If a name is there in several Unicode forms, a path means the composed one, as in the wiki.
    const rank = ({ key, file }: (typeof all)[number]) =>
      (present(key) ? 0 : 2) + (key === file.path ? 0 : 1);
    for (const { key, file } of all.toSorted((one, other) => rank(one) - rank(other))) {
      const refusal = refusalOf(key) ?? taken.refusalOf(key, this.#foldedOf(key));
      if (refusal === null) chosen.set(key, file);
      else if (refusal !== HIDDEN) leftOut.set(file.path, refusal);
    }
    return { files: chosen, leftOut };
  }

  #foldedOf(key: string): string {
    const known = this.#keyOf.get(key);
    if (known !== undefined) return known;
    const folded = pathKey(key);
    this.#keyOf.set(key, folded);
    return folded;
  }
}

/** Settings of other programs stay in the wiki: nobody expects them in the folder. */
const HIDDEN = 'hidden';

function refusalOf(key: string): string | null {
  const refusal = refusalAsFile(key);
  const parts = key.split('/');
  if (refusal !== null) return parts.some((part) => /^\.+[^.]/.test(part)) ? HIDDEN : refusal;
  return parts.some(isIgnoredName) ? 'it has a name that programs use for temporary files' : null;
}

/** The names of files and folders that are taken, by what a file system makes of them that ignores case. */
class TakenNames {
  /** The spelling, with a slash for a folder. */
  readonly #spelled = new Map<string, string>();

  /** Takes the name, unless another one is in its way. */
  refusalOf(path: string, folded: string): string | null {
    const places = [...prefixes(path)].map((name, at) => ({
      name,
      folded: [...prefixes(folded)][at] ?? name,
    }));
    for (const place of places) {
      const other = this.#spelled.get(place.folded);
      const isFile = place.name === path;
      if (other !== undefined && (isFile || other !== `${place.name}/`)) {
        return `it differs from ${JSON.stringify(other)} only in case or in what cannot be seen`;
      }
    }
    for (const place of places) {
      this.#spelled.set(place.folded, place.name === path ? place.name : `${place.name}/`);
    }
    return null;
  }
}

/** `a`, `a/b`, `a/b/c`. */
function* prefixes(path: string): Generator<string> {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) yield path.slice(0, at);
  yield path;
}
