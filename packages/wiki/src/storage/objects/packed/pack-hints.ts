import type { Oid } from '../../../formats/oid.ts';

/**
 * With this many digits, one in four hundred objects without a hint matches a wrong one. That costs a look
 * into a wrong pack.
 */
const DIGITS = 3;
const HEX_DIGITS = 5;
const NAME_DIGITS = 40;
const HINT = new RegExp(`^[0-9a-f]{${NAME_DIGITS}}([\\w-]{${DIGITS}})*$`);
const EACH = new RegExp(`.{${DIGITS}}`, 'g');
const MAX_PACKS = 64;
/** The maximum number of objects of one pack: `text` has room for them and for some newer packs. */
const MAX_OBJECTS = 1000;

/** A hint for one object of a pack. */
interface Hint {
  digits: string;
  /** The object's path in the commit, or null if unknown. */
  path: string | null;
  /** True if a newer pack holds a newer version: a starting process reads that one. */
  isOld: boolean;
}

/**
 * Which of the newest packs holds which objects, for a starting process that would otherwise have to open
 * them all. A hint may be wrong: the reader then looks elsewhere.
 */
export class PackHints {
  /** By pack name, oldest first. */
  readonly #packs = new Map<string, readonly Hint[]>();
  readonly #newest = new Map<string, Hint>();

  /**
   * Notes the pack of a new commit, which is named after it. `paths` maps objects to their paths in the
   * commit.
   */
  note(name: string, oids: readonly Oid[], paths: ReadonlyMap<Oid, string> = new Map()): void {
    const objects = oids.filter((oid) => oid !== name);
    this.#keep(
      name,
      objects.map((oid) => ({ digits: digitsOf(oid), path: paths.get(oid) ?? null, isOld: false })),
    );
    for (const hint of this.#packs.get(name) ?? []) {
      if (hint.path === null) continue;
      const older = this.#newest.get(hint.path);
      if (older) older.isOld = true;
      this.#newest.set(hint.path, hint);
    }
  }

  /** Notes that one pack now holds the contents of these packs, which are about to be deleted. */
  replace(replaced: readonly string[], name: string): void {
    const known = [...this.#packs].filter(([pack]) => replaced.includes(pack));
    const newest = known.at(-1)?.[0];
    const commits = known.map(([pack]) => ({ digits: digitsOf(pack), path: null, isOld: pack !== newest }));
    const objects = this.#fewest([...known.flatMap(([, held]) => held), ...commits]);
    const before = [...this.#packs];
    this.#packs.clear();
    // The merged pack is as new as the newest of its sources: newer than earlier merges.
    for (const [pack, held] of before) {
      if (pack === newest) this.#keep(name, objects);
      else if (!replaced.includes(pack)) this.#keep(pack, held);
    }
  }

  /** The name of a pack that may hold the object. */
  find(oid: Oid): string | null {
    const digits = digitsOf(oid);
    for (const [name, objects] of this.#packs)
      if (objects.some((hint) => hint.digits === digits)) return name;
    return null;
  }

  /** The hints about the newest versions in the newest packs, in at most `mostBytes` bytes of text. */
  text(mostBytes: number): string {
    let text = '';
    for (const [name, objects] of [...this.#packs].reverse()) {
      const digits = objects.filter(({ isOld }) => !isOld).map((hint) => hint.digits);
      const longer = `${text}${text && ' '}${name}${digits.join('')}`;
      if (longer.length > mostBytes) break;
      text = longer;
    }
    return text;
  }

  /** Reads the `text` of another process. Skips anything that is not a hint. */
  take(text: string): void {
    for (const hint of text.split(' ').reverse()) {
      const name = hint.slice(0, NAME_DIGITS);
      if (!HINT.test(hint) || this.#packs.has(name)) continue;
      const objects = hint.slice(NAME_DIGITS).match(EACH) ?? [];
      this.#keep(
        name,
        objects.map((digits) => ({ digits, path: null, isOld: false })),
      );
    }
  }

  /** Drops hints beyond the limit: superseded versions first, then the oldest. */
  #fewest(hints: readonly Hint[]): readonly Hint[] {
    const inOrder = [...hints.filter(({ isOld }) => isOld), ...hints.filter(({ isOld }) => !isOld)];
    this.#forget(inOrder.slice(0, -MAX_OBJECTS));
    return inOrder.slice(-MAX_OBJECTS);
  }

  #keep(name: string, objects: readonly Hint[]): void {
    this.#packs.delete(name);
    this.#packs.set(name, objects);
    for (const [oldest, held] of this.#packs) {
      if (this.#packs.size <= MAX_PACKS) break;
      this.#packs.delete(oldest);
      this.#forget(held);
    }
  }

  #forget(hints: readonly Hint[]): void {
    for (const hint of hints) {
      if (hint.path !== null && this.#newest.get(hint.path) === hint) this.#newest.delete(hint.path);
    }
  }
}

/** The first 18 bits of an oid, six to a character. */
function digitsOf(oid: Oid): string {
  const first = Buffer.from(`${oid.slice(0, HEX_DIGITS)}0`, 'hex');
  return first.toString('base64url').slice(0, DIGITS);
}
