import type { Oid } from '../storage.ts';

/** Of two objects in a million one is taken for another; then it costs a look into the wrong pack. */
const DIGITS = 5;
const NAME_DIGITS = 40;
const HINT = new RegExp(`^[0-9a-f]{${NAME_DIGITS}}([0-9a-f]{${DIGITS}})+$`);
const EACH = new RegExp(`.{${DIGITS}}`, 'g');
const MOST_PACKS = 64;

/**
 * Which of the newest packs holds what, for a process that starts and would otherwise have to open them all. A
 * hint may be wrong: whoever follows it looks elsewhere then.
 */
export class PackHints {
  /** By the pack's name, the oldest first: the first digits of its objects' oids. */
  readonly #packs = new Map<string, readonly string[]>();

  note(name: string, oids: readonly Oid[]): void {
    this.#keep(
      name,
      oids.filter((oid) => oid !== name).map((oid) => oid.slice(0, DIGITS)),
    );
  }

  /** What these packs hold is now in one other, and they are about to be deleted. */
  replace(replaced: readonly string[], name: string): void {
    const known = [...this.#packs].filter(([pack]) => replaced.includes(pack));
    // A pack's name is the oid of its commit.
    const objects = known.flatMap(([old, held]) => [old.slice(0, DIGITS), ...held]);
    const newest = known.at(-1)?.[0];
    const before = [...this.#packs];
    this.#packs.clear();
    // It is as new as the newest of them: newer than what was merged earlier.
    for (const [pack, held] of before) {
      if (pack === newest) this.#keep(name, objects);
      else if (!replaced.includes(pack)) this.#keep(pack, held);
    }
  }

  /** The name of a pack that may hold the object. */
  find(oid: Oid): string | null {
    const digits = oid.slice(0, DIGITS);
    for (const [name, objects] of this.#packs) if (objects.includes(digits)) return name;
    return null;
  }

  /** The hints about the newest packs, in at most so many bytes of digits and blanks. */
  text(mostBytes: number): string {
    let text = '';
    for (const [name, objects] of [...this.#packs].reverse()) {
      const longer = `${text}${text && ' '}${name}${objects.join('')}`;
      if (longer.length > mostBytes) break;
      text = longer;
    }
    return text;
  }

  /** Takes what another process's `text` gave; what is no hint in it is passed over. */
  take(text: string): void {
    for (const hint of text.split(' ').reverse()) {
      const name = hint.slice(0, NAME_DIGITS);
      if (!HINT.test(hint) || this.#packs.has(name)) continue;
      this.#keep(name, hint.slice(NAME_DIGITS).match(EACH) ?? []);
    }
  }

  #keep(name: string, objects: readonly string[]): void {
    this.#packs.delete(name);
    this.#packs.set(name, objects);
    for (const oldest of this.#packs.keys()) {
      if (this.#packs.size <= MOST_PACKS) break;
      this.#packs.delete(oldest);
    }
  }
}
