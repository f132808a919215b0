import { lastPartOf } from '../page-path.ts';

/** Paths by their last part in lower case, so that a look-up touches only those that could match. */
export class PathIndex {
  /** Whether any name holds `#`. */
  holdsHashes = false;
  private readonly byLastPart = new Map<string, Entry[]>();
  private readonly known = new Map<string, string | null>();

  add(name: string, treePath: string): void {
    this.holdsHashes ||= name.includes('#');
    const key = lastPartOf(name).toLowerCase();
    const same = this.byLastPart.get(key);
    if (same) same.push({ name, treePath });
    else this.byLastPart.set(key, [{ name, treePath }]);
  }

  /** The one of exactly this name. */
  at(name: string): string | null {
    return this.best(`=${name}`, name, (candidate, wanted) => candidate === wanted);
  }

  /** The shortest that ends in these parts. */
  endingIn(name: string): string | null {
    return this.best(`~${name}`, name, endsInParts);
  }

  countEndingIn(name: string): number {
    const wanted = name.toLowerCase();
    return this.sharing(name).filter((entry) => endsInParts(entry.name.toLowerCase(), wanted)).length;
  }

  /** Remembered by `key`: thousands of links may name one of thousands of pages of the same name. */
  private best(
    key: string,
    name: string,
    matches: (candidate: string, wanted: string) => boolean,
  ): string | null {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const exact = this.sharing(name).filter((entry) => matches(entry.name, name));
    const found = exact.length > 0 ? exact : this.spelledOneWay(name, matches);
    const path = shortest(found);
    this.known.set(key, path);
    return path;
  }

  private spelledOneWay(name: string, matches: (candidate: string, wanted: string) => boolean): Entry[] {
    const wanted = name.toLowerCase();
    const found = this.sharing(name).filter((entry) => matches(entry.name.toLowerCase(), wanted));
    const spellings = new Set(found.map((entry) => entry.name.slice(-name.length)));
    return spellings.size === 1 ? found : [];
  }

  private sharing(name: string): readonly Entry[] {
    return this.byLastPart.get(lastPartOf(name).toLowerCase()) ?? [];
  }
}

interface Entry {
  /** NFC, as links name it. */
  name: string;
  treePath: string;
}

function endsInParts(candidate: string, wanted: string): boolean {
  return candidate === wanted || candidate.endsWith(`/${wanted}`);
}

/** Fewest parts, then fewest characters, then the first by name, so that it does not depend on their order. */
function shortest(entries: readonly Entry[]): string | null {
  const parts = (entry: Entry) => entry.name.split('/').length;
  const [first] = entries.toSorted(
    (a, b) => parts(a) - parts(b) || a.name.length - b.name.length || compare(a.treePath, b.treePath),
  );
  return first?.treePath ?? null;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
