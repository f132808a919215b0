import { afterAll, beforeAll } from 'vitest';
import { startEndpoint } from '../../../infra/test/endpoint.ts';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import { testRecords } from '../records/records-suite.ts';
import { createRecordsTable, dynamoDbAt } from './aws-of-team.ts';

let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
let tables = 0;

beforeAll(async () => {
  endpoint = await startEndpoint('us-east-1');
});
afterAll(() => endpoint.stop());

testRecords(async () => {
  const client = dynamoDbAt(endpoint.url);
  tables += 1;
  const table = `records-${tables}`;
  await createRecordsTable(client, table);
  let ms = Date.now();
  const now = () => ms;
  const pass = (more: number) => {
    ms += more;
  };
  return {
    records: [new RecordsInTable(client, table, now), new RecordsInTable(client, table, now)],
    pass,
    now,
  };
});
