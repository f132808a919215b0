import { type Diagnosis, diagnosisOf, fact } from '../diagnosis.ts';

/** The outcome of one check. */
export type Result<Value> =
  /** `said` is shown, `value` is for the checks that depend on this one. */
  | { kind: 'ok'; said: string; value: Value }
  /** The fault, and the next step. */
  | { kind: 'problem'; sentence: string };

/** A check that other checks may depend on. `by` is the check that failed, this one or one before it. */
export type Checked<Value> = { kind: 'ok'; value: Value } | { kind: 'failed'; by: string };

export function ok<Value>(said: string, value: Value): Result<Value> {
  return { kind: 'ok', said, value };
}

export function problem(sentence: string): Result<never> {
  return { kind: 'problem', sentence };
}

/** Runs checks one after the other, and writes a line for each. */
export class Checklist {
  readonly #facts: string[] = [];
  readonly #problems: string[] = [];

  async first<Value>(name: string, check: () => Promise<Result<Value>>): Promise<Checked<Value>> {
    const result = await check();
    if (result.kind === 'ok') {
      this.#facts.push(fact(name, result.said));
      return { kind: 'ok', value: result.value };
    }
    this.#problems.push(result.sentence);
    this.#facts.push(fact(name, `failed: see problem ${this.#problems.length}`));
    return { kind: 'failed', by: name };
  }

  /** Skips the check if the one before it failed. */
  async after<Before, Value>(
    before: Checked<Before>,
    name: string,
    check: (before: Before) => Result<Value> | Promise<Result<Value>>,
  ): Promise<Checked<Value>> {
    if (before.kind === 'ok') return this.first(name, async () => check(before.value));
    this.#facts.push(fact(name, `not tried, as this failed: ${before.by}`));
    return before;
  }

  diagnosis(): Diagnosis {
    return diagnosisOf(this.#facts, this.#problems);
  }
}
