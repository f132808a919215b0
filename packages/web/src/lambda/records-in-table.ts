import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Records, StoredRecord } from '../records/records.ts';

type Item = Record<string, AttributeValue>;

/**
 * Records in a table of DynamoDB, which all environments share, with the keys `key` and `name`. A record is one item. Its
 * owner has an item beside it that names it, which is written first and removed last: `of` looks at each record that is
 * named, so an item that names none does no harm.
 */
export class RecordsInTable implements Records {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #now: () => number;

  /** For a function that people wait for. */
  static open(table: string, now: () => number): RecordsInTable {
    // Without limits a page would wait for as long as the function may run, if the table does not answer.
    const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
    return new RecordsInTable(new DynamoDBClient({ maxAttempts: 2, requestHandler }), table, now);
  }

  /** The clock is in milliseconds since 1970. */
  constructor(client: DynamoDBClient, table: string, now: () => number) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
  }

  async get(kind: string, id: string): Promise<StoredRecord | null> {
    return (await this.#find(kind, id))?.record ?? null;
  }

  async put(kind: string, id: string, record: StoredRecord): Promise<void> {
    await this.#write(kind, id, record, {});
  }

  add(kind: string, id: string, record: StoredRecord): Promise<boolean> {
    return this.#write(kind, id, record, {
      ConditionExpression: 'attribute_not_exists(#key) OR untilMs <= :now',
      ExpressionAttributeNames: { '#key': 'key' },
      ExpressionAttributeValues: { ':now': number(this.#now()) },
    });
  }

  async change(
    kind: string,
    id: string,
    change: (record: StoredRecord) => StoredRecord | null,
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const found = await this.#find(kind, id);
      const changed = found === null ? null : change(found.record);
      if (found === null || changed === null) return false;
      const isWritten = await this.#write(kind, id, changed, {
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': text(found.version) },
      });
      if (isWritten) return true;
      // Another process was quicker, and another one may be again.
      await setTimeout(Math.random() * Math.min(attempt * 5, MAX_PAUSE_MS));
    }
    throw new Error(`The record ${kind} was changed by others ${MAX_ATTEMPTS} times in a row.`);
  }

  async remove(kind: string, id: string): Promise<boolean> {
    const found = await this.#find(kind, id);
    const { Attributes: item, $metadata: sent } = await this.#client.send(
      new DeleteItemCommand({ TableName: this.#table, Key: keyOf(kind, id), ReturnValues: 'ALL_OLD' }),
    );
    // The SDK asks again if an answer is lost, and then there is nothing any more.
    const isLost = item === undefined && found !== null && (sent.attempts ?? 1) > 1;
    const record = item === undefined ? (isLost ? found.record : null) : storedIn(item).record;
    if (record === null) return false;
    if (record.owner !== null) {
      const Key = nameOf(kind, record.owner, id);
      // One that stays does no harm, and the record is gone.
      await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key })).catch(() => {});
    }
    return !this.#isOver(record);
  }

  async of(kind: string, owner: string): Promise<(StoredRecord & { id: string })[]> {
    const ids = await this.#namesOf(kind, owner);
    const found = await Promise.all(ids.map(async (id) => ({ id, record: await this.get(kind, id) })));
    return found
      .flatMap(({ id, record }) => (record?.owner === owner ? [{ id, ...record }] : []))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  async #find(kind: string, id: string): Promise<Found | null> {
    const { Item: item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: keyOf(kind, id), ConsistentRead: true }),
    );
    const found = item === undefined ? null : storedIn(item);
    // DynamoDB removes what has expired when it finds time to.
    return found === null || this.#isOver(found.record) ? null : found;
  }

  #isOver({ untilMs }: StoredRecord): boolean {
    return untilMs !== null && untilMs <= this.#now();
  }

  /** Writes on a condition. Returns whether it held. */
  async #write(
    kind: string,
    id: string,
    { value, owner, untilMs }: StoredRecord,
    condition: Partial<PutItemCommandInput>,
  ): Promise<boolean> {
    const until = untilMs !== null && { untilMs: number(untilMs), until: number(Math.ceil(untilMs / 1_000)) };
    const TableName = this.#table;
    if (owner !== null) {
      const Item = { ...nameOf(kind, owner, id), ...until };
      await this.#client.send(new PutItemCommand({ TableName, Item }));
    }
    const version = randomUUID();
    const Item = {
      ...keyOf(kind, id),
      value: text(JSON.stringify(value)),
      version: text(version),
      ...(owner !== null && { owner: text(owner) }),
      ...until,
    };
    try {
      await this.#client.send(new PutItemCommand({ TableName, Item, ...condition }));
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The SDK asks again if an answer is lost, and what was written then does not fit the condition any more.
      return (await this.#find(kind, id))?.version === version;
    }
  }

  async #namesOf(kind: string, owner: string): Promise<string[]> {
    const ids: string[] = [];
    let from: Item | undefined;
    do {
      const { Items: items = [], LastEvaluatedKey: last } = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': 'key' },
          ExpressionAttributeValues: { ':key': ownerKey(kind, owner) },
          ConsistentRead: true,
          ExclusiveStartKey: from,
        }),
      );
      ids.push(...items.map(({ name }) => z.string().parse(JSON.parse(name?.S ?? ''))));
      from = last;
    } while (from !== undefined);
    return ids;
  }
}

interface Found {
  record: StoredRecord;
  /** Another one after each write. */
  version: string;
}

function storedIn(item: Item): Found {
  const { value, version, owner, untilMs } = item;
  return {
    record: {
      value: JSON.parse(value?.S ?? 'null'),
      owner: owner?.S ?? null,
      untilMs: untilMs?.N === undefined ? null : Number(untilMs.N),
    },
    version: version?.S ?? '',
  };
}

// A key of DynamoDB must not be empty. As JSON none is, and none is that of another kind or owner.
function keyOf(kind: string, id: string): Item {
  return { key: text(JSON.stringify([kind, fitting(id)])), name: text('record') };
}

/** The id, or its digest if it is too long for a key: anybody may ask for a long one. */
function fitting(id: string): string | { digest: string } {
  if (Buffer.byteLength(JSON.stringify(id)) <= MAX_ID_BYTES) return id;
  return { digest: createHash('sha256').update(JSON.stringify(id)).digest('base64url') };
}

function nameOf(kind: string, owner: string, id: string): Item {
  return { key: ownerKey(kind, owner), name: text(JSON.stringify(id)) };
}

function ownerKey(kind: string, owner: string): AttributeValue {
  return text(JSON.stringify(['owner', kind, owner]));
}

function text(value: string): AttributeValue {
  return { S: value };
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}

/** A key may have 2,048 bytes. */
const MAX_ID_BYTES = 1_500;
/** More than the processes that write one record at the same time. */
const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 100;
