import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Access } from '@pagetree/access/parse-access';
import { storeRules } from '../records/stored-rules.ts';
import { RecordsInTable } from './records-in-table.ts';

/** Puts the rules about who may do what into force for the function that shows pages. @throws The SDK's errors. */
export function storeRulesInTable(client: DynamoDBClient, table: string, access: Access): Promise<void> {
  return storeRules(new RecordsInTable(client, table, Date.now), access);
}
