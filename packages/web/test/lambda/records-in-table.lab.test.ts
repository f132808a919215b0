import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { startEndpoint } from '../../../infra/test/endpoint.ts';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import { testRecords } from '../records/records-suite.ts';

const REGION = 'us-east-1';
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
let tables = 0;

beforeAll(async () => {
  endpoint = await startEndpoint(REGION);
});
afterAll(() => endpoint.stop());

testRecords(async () => {
  const credentials = { accessKeyId: 'testing', secretAccessKey: 'testing' };
  const client = new DynamoDBClient({ region: REGION, endpoint: endpoint.url, credentials });
  tables += 1;
  const table = `records-${tables}`;
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['key', 'name'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'key', KeyType: 'HASH' },
        { AttributeName: 'name', KeyType: 'RANGE' },
      ],
    }),
  );
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
