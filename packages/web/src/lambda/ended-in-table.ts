import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { LRUCache } from 'lru-cache';
import type { EndedSessions } from '../login/sessions.ts';

/**
 * The sessions that have ended, in a table that all environments share. That a session goes on is believed for some
 * seconds, so that the parts of a page do not all ask.
 */
export class EndedInTable implements EndedSessions {
  /** Without limits a page would wait for as long as the function may run, if the table does not answer. */
  readonly #client = new DynamoDBClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  readonly #table: string;
  /** The sessions that have ended, or are taken to go on for a while. */
  readonly #known: LRUCache<string, { hasEnded: boolean }>;

  /** The clock is in milliseconds since 1970. */
  constructor(table: string, now: () => number) {
    this.#table = table;
    this.#known = new LRUCache({ max: MAX_KNOWN, ttl: BELIEVED_MS, ttlResolution: 0, perf: { now } });
  }

  async add(id: string, untilMs: number): Promise<void> {
    const until = String(Math.ceil(untilMs / 1_000));
    const item = { id: { S: id }, until: { N: until } };
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: item }));
    this.#known.set(id, { hasEnded: true });
  }

  async has(id: string): Promise<boolean> {
    const known = this.#known.get(id);
    if (known !== undefined) return known.hasEnded;
    const { Item: item } = await this.#client.send(
      new GetItemCommand({
        TableName: this.#table,
        Key: { id: { S: id } },
        ProjectionExpression: 'id',
        ConsistentRead: true,
      }),
    );
    const hasEnded = item !== undefined;
    this.#known.set(id, { hasEnded });
    return hasEnded;
  }
}

const BELIEVED_MS = 5_000;
const MAX_KNOWN = 10_000;
