import { pathKey, refusalAsFile } from '@pagetree/wiki/file-names';
import { isIgnoredName } from './ignored-names.ts';

/** A file of the wiki. `path` is as its tree spells it; the key is the same in NFC, and names it in both sides. */
export interface WikiFile {
  path: string;
  version: string;
}

interface Name {
  key: string;
  refusal: string | null;
  /** The path and the folders above it, from the top, and what a file system makes of them that ignores case. */
  places: readonly { name: string; folded: string }[];
}

/**
 * Chooses the files of a wiki that may be in a folder: on any system none is outside of it, and none stands for another
 * one. Paths of a wiki are not trusted. What was chosen first stays chosen.
 */
export class PlaceableFiles {
  /** By path: to judge all names anew takes ten times as long as the rest. */
  #names = new Map<string, Name>();

  /** `present`: the keys of the files that are in the folder. Returns the reason for each file that is left out. */
  choose(
    files: Iterable<WikiFile>,
    present: (key: string) => boolean,
  ): { files: Map<string, WikiFile>; leftOut: Map<string, string> } {
    const chosen = new Map<string, WikiFile>();
    const leftOut = new Map<string, string>();
    const taken = new TakenNames();
    const names = new Map<string, Name>();
    // If a name is there in several Unicode forms, a path means the composed one, as in the wiki.
    const ranks: WikiFile[][] = [[], [], [], []];
    for (const file of files) {
      const name = this.#names.get(file.path) ?? nameOf(file.path);
      names.set(file.path, name);
      ranks[(present(name.key) ? 0 : 2) + (name.key === file.path ? 0 : 1)]?.push(file);
    }
    this.#names = names;
    for (const file of ranks.flat()) {
      const name = names.get(file.path) ?? nameOf(file.path);
      const refusal = name.refusal ?? taken.refusalOf(name);
      if (refusal === null) chosen.set(name.key, file);
      else if (refusal !== HIDDEN) leftOut.set(file.path, refusal);
    }
    return { files: chosen, leftOut };
  }
}

function nameOf(path: string): Name {
  const key = path.normalize('NFC');
  const folded = [...prefixes(pathKey(key))];
  const places = [...prefixes(key)].map((name, at) => ({ name, folded: folded[at] ?? name }));
  return { key, refusal: refusalOf(key), places };
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
  refusalOf({ key: path, places }: Name): string | null {
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
