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
    const known = replaced.filter((old) => this.#packs.has(old));
    // A pack's name is the oid of its commit.
    const objects = known.flatMap((old) => [old.slice(0, DIGITS), ...(this.#packs.get(old) ?? [])]);
    for (const old of replaced) this.#packs.delete(old);
    if (objects.length === 0) return;
    // What was merged is older than what was not.
    const newer = [...this.#packs];
    this.#packs.clear();
    for (const [each, held] of [[name, objects] as const, ...newer]) this.#keep(each, held);
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
