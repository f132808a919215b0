import { expect, onTestFinished, test } from 'vitest';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import { testRecords } from '../records/records-suite.ts';
import { dynamoDbAt, standIn } from './aws-of-team.ts';
import { startLossyProxy } from './lossy-proxy.ts';

// By the stand-in, which other tests rest on; records-in-table.lab.test.ts asks moto.
testRecords(async () => {
  const { url, stop } = await standIn({});
  onTestFinished(stop);
  const client = dynamoDbAt(url);
  let ms = Date.now();
  const now = () => ms;
  const pass = (more: number) => {
    ms += more;
  };
  return {
    records: [new RecordsInTable(client, 'records', now), new RecordsInTable(client, 'records', now)],
    pass,
    now,
  };
});

test('a write counts whose answer was lost, so that the SDK sent it again', async () => {
  const { url, stop } = await standIn({});
  let lost = 0;
  const isLost = (action: string) => {
    const isWrite = /PutItem|DeleteItem/.test(action);
    lost += isWrite ? 1 : 0;
    // Each write is sent twice, and the answer to the first one is lost.
    return isWrite && lost % 2 === 1;
  };
  const proxy = await startLossyProxy(url, isLost);
  onTestFinished(async () => {
    proxy.stop();
    await stop();
  });
  const records = new RecordsInTable(dynamoDbAt(proxy.url), 'records', Date.now);
  const kept = (value: unknown) => ({ value, owner: null, untilMs: null });
  expect(await records.add('code', 'a', kept('new'))).toBe(true);
  const use = ({ value }: { value: unknown }) => (value === 'new' ? kept('used') : null);
  expect(await records.change('code', 'a', use)).toBe(true);
  expect([await records.change('code', 'a', use), await records.add('code', 'a', kept(2))]).toEqual([
    false,
    false,
  ]);
  expect(lost).toBe(6);
  expect([await records.remove('code', 'a'), await records.remove('code', 'a')]).toEqual([true, false]);
});

test('an id may be longer than a key of DynamoDB', async () => {
  const { url, stop } = await standIn({});
  onTestFinished(stop);
  const records = new RecordsInTable(dynamoDbAt(url), 'records', Date.now);
  const ids = ['x'.repeat(3_000), `${'x'.repeat(2_999)}y`];
  for (const id of ids) {
    expect(await records.get('client', id)).toBeNull();
    await records.put('client', id, { value: id, owner: null, untilMs: null });
  }
  for (const id of ids) expect(await records.get('client', id)).toMatchObject({ value: id });
});
