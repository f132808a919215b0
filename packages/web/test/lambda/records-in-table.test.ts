import { onTestFinished } from 'vitest';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import { testRecords } from '../records/records-suite.ts';
import { dynamoDbAt, standIn } from './aws-of-team.ts';

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
