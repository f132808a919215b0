import { type Access, EVERY_WIKI } from '../parse-access.ts';

/** Lambda takes 6 MiB, of which the largest attachment leaves 290 kB. As Base64 the rights take a third more. */
export const MAX_RIGHTS_BYTES = 100_000;

/**
 * The person with the most rights that these rules could give, and the bytes that the rights take in a grant, at most:
 * folders that lie in others are counted too. Everybody is taken to be in every group. `person` is null if nobody who is
 * named has more than the others.
 */
export function largestGrant({ rules }: Access): { person: string | null; bytes: number } {
  const shared = new Rights();
  const own = new Map<string, Rights>();
  for (const rule of rules) {
    if (rule.everyone === true || rule.groups !== undefined) {
      shared.add(rule);
      continue;
    }
    for (const person of rule.people ?? []) {
      const rights = own.get(person) ?? new Rights();
      rights.add(rule);
      own.set(person, rights);
    }
  }
  let largest = { person: null as string | null, bytes: shared.bytesWith(NONE) };
  for (const [person, rights] of own) {
    const bytes = shared.bytesWith(rights);
    if (bytes > largest.bytes) largest = { person, bytes };
  }
  return largest;
}

/** The bytes of the rights that some rules give. What a rule says of `*` is repeated for each wiki that another one names. */
class Rights {
  readonly #names = new Set<string>();
  #nameBytes = 0;
  #namedBytes = 0;
  #everywhereBytes = 0;

  add({ wikis, folders = [''], may }: Access['rules'][number]): void {
    const each = folders.reduce((bytes, folder) => bytes + jsonBytes(folder) + 1, 0);
    const bytes = may === 'read' ? each : 2 * each;
    for (const name of wikis) {
      if (name === EVERY_WIKI) this.#everywhereBytes += bytes;
      else this.#namedBytes += bytes;
      if (!this.#names.has(name)) this.#nameBytes += jsonBytes(name);
      this.#names.add(name);
    }
  }

  bytesWith(other: Rights): number {
    const entries = 1 + this.#names.size + other.#names.size;
    const everywhere = this.#everywhereBytes + other.#everywhereBytes;
    return (
      this.#namedBytes +
      other.#namedBytes +
      this.#nameBytes +
      other.#nameBytes +
      entries * (everywhere + BYTES_AROUND)
    );
  }
}

const NONE = new Rights();
/** Brackets, commas and the mark of administrators, for each wiki. */
const BYTES_AROUND = 16;

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
