import { folderOf, lastPartOf } from '../../paths/page-path.ts';
import { foldCase } from '../fold-case.ts';
import { compareText } from '../text-order.ts';

/** Paths by their last part in lower case, so that a look-up reads only those that could match. */
export class PathIndex {
  /** True if any name contains `#`. */
  holdsHashes = false;
  readonly #byLastPart = new Map<string, Entry[]>();
  readonly #found = new Map<string, ReadonlyMap<string, string>>();

  /** `name` is the name that links use: its path, or an alias of the page at `path`. */
  add(name: string, treePath: string, path = name): void {
    this.holdsHashes ||= name.includes('#');
    const key = foldCase(lastPartOf(name));
    const same = this.#byLastPart.get(key);
    const entry = { name, path, treePath };
    if (same) same.push(entry);
    else this.#byLastPart.set(key, [entry]);
  }

  /** The path with exactly this name; the nearest to `folder` if there are several. */
  at(name: string, folder: string): string | null {
    return nearest(
      this.#matching(`=${name}`, name, (candidate, wanted) => candidate === wanted),
      folder,
    );
  }

  /** The nearest to `folder` of the paths that end in these parts. */
  endingIn(name: string, folder: string): string | null {
    return nearest(this.#matching(`~${name}`, name, endsInParts), folder);
  }

  /** Cached by `key`: thousands of links may name one of thousands of pages of the same name. */
  #matching(
    key: string,
    name: string,
    matches: (candidate: string, wanted: string) => boolean,
  ): ReadonlyMap<string, string> {
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const sharing = this.#sharing(name);
    // Most names of broken links: to remember each would take most of the time.
    if (sharing.length === 0) return NONE;
    const exact = sharing.filter((entry) => matches(entry.name, name));
    const found = firstOfEachFolder(exact.length > 0 ? exact : this.#spelledOneWay(name, matches));
    this.#found.set(key, found);
    return found;
  }

  #spelledOneWay(name: string, matches: (candidate: string, wanted: string) => boolean): Entry[] {
    const wanted = foldCase(name);
    const found = this.#sharing(name).filter((entry) => matches(foldCase(entry.name), wanted));
    // In parts: case changes the length of some names.
    const parts = name.split('/').length;
    const spellings = new Set(found.map((entry) => entry.name.split('/').slice(-parts).join('/')));
    return spellings.size === 1 ? found : [];
  }

  #sharing(name: string): readonly Entry[] {
    return this.#byLastPart.get(foldCase(lastPartOf(name))) ?? [];
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

interface Entry {
  /** In NFC, as links name it. */
  name: string;
  /** In NFC. */
  path: string;
  treePath: string;
}

function endsInParts(candidate: string, wanted: string): boolean {
  return candidate === wanted || candidate.endsWith(`/${wanted}`);
}

/** For each folder with matches in it or below: the first match, by length, then by code points. */
function firstOfEachFolder(entries: readonly Entry[]): Map<string, string> {
  const ordered = entries.toSorted(
    (a, b) =>
      a.path.length - b.path.length || compareText(a.path, b.path) || compareText(a.treePath, b.treePath),
  );
  const first = new Map<string, string>();
  for (const { path, treePath } of ordered) {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (!first.has(folder)) first.set(folder, treePath);
      if (folder === '') break;
    }
  }
  return first;
}

/** Searches in `folder`, then in its parent, and so on up to the root, which has the first of all. */
function nearest(first: ReadonlyMap<string, string>, folder: string): string | null {
  for (let at = folder; first.size > 0; at = folderOf(at)) {
    const found = first.get(at);
    if (found !== undefined) return found;
  }
  return null;
}
