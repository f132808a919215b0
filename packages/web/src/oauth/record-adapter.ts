import { errors } from 'oidc-provider';
import * as z from 'zod';
import type { Records } from '../records/records.ts';
import { digestOf, kindOf, MODELS_WITH_SECRET_IDS, modelOf } from './record-kinds.ts';

const payload = z.record(z.string(), z.unknown());

/**
 * Keeps one kind of the provider's objects in records, by its interface for adapters. The ids of most are secrets, as a token
 * is its id: kept are their digests.
 */
export class RecordAdapter {
  readonly #kind: string;
  readonly #hasSecretId: boolean;
  readonly #records: Records;
  readonly #now: () => number;
  readonly #usedTwice: (grantId: string) => Promise<void>;

  /** The clock is in milliseconds since 1970. `usedTwice` ends all that was given by a grant. */
  constructor(
    name: string,
    records: Records,
    now: () => number,
    usedTwice: (grantId: string) => Promise<void>,
  ) {
    const model = modelOf(name);
    this.#kind = kindOf(model);
    this.#hasSecretId = MODELS_WITH_SECRET_IDS.has(model);
    this.#records = records;
    this.#now = now;
    this.#usedTwice = usedTwice;
  }

  async upsert(
    id: string,
    { jti: _, ...value }: Record<string, unknown>,
    expiresInS?: number,
  ): Promise<void> {
    const keptS = expiresInS ?? UNUSED_CLIENT_S;
    const untilMs = this.#now() + keptS * 1_000;
    await this.#records.put(this.#kind, this.#idOf(id), { value, owner: null, untilMs });
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    const record = await this.#records.get(this.#kind, this.#idOf(id));
    return record === null ? undefined : { ...payload.parse(record.value), jti: id };
  }

  /**
   * Throws if it was consumed. Of two requests at the same time with one code or refresh token, of which both may have found
   * it unused, one gets tokens, and these do not count: the other one may be a thief's.
   */
  async consume(id: string): Promise<void> {
    const consumed = Math.floor(this.#now() / 1_000);
    const didConsume = await this.#records.change(this.#kind, this.#idOf(id), (record) => {
      const value = payload.parse(record.value);
      return value.consumed === undefined ? { ...record, value: { ...value, consumed } } : null;
    });
    if (didConsume) return;
    const { grantId } = (await this.find(id)) ?? {};
    if (typeof grantId === 'string') await this.#usedTwice(grantId);
    throw new errors.InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<void> {
    await this.#records.remove(this.#kind, this.#idOf(id));
  }

  /** Does nothing: a token counts only as long as its grant is there, and the provider destroys the grant too. */
  async revokeByGrantId(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  #idOf(id: string): string {
    return this.#hasSecretId ? digestOf(id) : id;
  }
}

/** A client that registered is forgotten after a day, unless a person gave it something: see `Gifts.make`. */
const UNUSED_CLIENT_S = 24 * 3_600;
