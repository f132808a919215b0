import { LRUCache } from 'lru-cache';
import type { Records } from '../records/records.ts';
import type { EndedSessions } from './sessions.ts';

/**
 * The sessions that have ended, in records that all processes share. That a session goes on is believed for some seconds,
 * so that the parts of a page do not all ask.
 */
export class EndedInRecords implements EndedSessions {
  readonly #records: Pick<Records, 'get' | 'put'>;
  /** The sessions that have ended, or are taken to go on for a while. */
  readonly #known: LRUCache<string, { hasEnded: boolean }>;

  /** The clock is in milliseconds since 1970. */
  constructor(records: Pick<Records, 'get' | 'put'>, now: () => number) {
    this.#records = records;
    this.#known = new LRUCache({ max: MAX_KNOWN, ttl: BELIEVED_MS, ttlResolution: 0, perf: { now } });
  }

  async add(id: string, untilMs: number): Promise<void> {
    await this.#records.put(KIND, id, { value: null, owner: null, untilMs });
    this.#known.set(id, { hasEnded: true });
  }

  async has(id: string): Promise<boolean> {
    const known = this.#known.get(id);
    if (known !== undefined) return known.hasEnded;
    const hasEnded = (await this.#records.get(KIND, id)) !== null;
    // It may have ended here meanwhile.
    if (this.#known.get(id)?.hasEnded) return true;
    this.#known.set(id, { hasEnded });
    return hasEnded;
  }
}

const KIND = 'ended session';
/** With a slow answer of the records it is still no more than five seconds. */
const BELIEVED_MS = 3_000;
const MAX_KNOWN = 10_000;
