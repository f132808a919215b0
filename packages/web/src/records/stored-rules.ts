import { type Access, parseAccess } from '@pagetree/access/parse-access';
import type { Records } from './records.ts';

/** Puts the rules about who may do what into force, for every process that shares the records. */
export async function storeRules(records: Pick<Records, 'put'>, access: Access): Promise<void> {
  await records.put(KIND, ID, { value: access, owner: null, untilMs: null });
}

/** The rules in records, as they were a moment ago. */
export class StoredRules {
  readonly #records: Pick<Records, 'get'>;
  readonly #now: () => number;
  #looked: { access: Access; atMs: number } | null = null;

  /** The clock is in milliseconds since 1970. */
  constructor(records: Pick<Records, 'get'>, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  /** The rules of the last look. Before one nobody has a right. */
  get access(): Access {
    return this.#looked?.access ?? NO_RULES;
  }

  /**
   * Looks, unless that was done a moment ago. Rejects if the rules cannot be known, or if there are none yet: what is not known
   * gives nobody anything.
   */
  async look(): Promise<void> {
    const now = this.#now();
    if (this.#looked !== null && now - this.#looked.atMs < BELIEVED_MS) return;
    const record = await this.#records.get(KIND, ID);
    if (record === null)
      throw new Error('No rules are in force yet. `pnpm access:aws` puts them into force.');
    const parsed = parseAccess(JSON.stringify(record.value));
    if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
    // A look that began later may have been answered first.
    if (this.#looked === null || this.#looked.atMs <= now)
      this.#looked = { access: parsed.access, atMs: now };
  }
}

const NO_RULES: Access = { version: 1, rules: [] };
const [KIND, ID] = ['rules', 'in force'];
/** A change is in force everywhere within five seconds. */
const BELIEVED_MS = 3_000;
