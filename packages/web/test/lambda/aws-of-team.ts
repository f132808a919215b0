import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { exportJWK, generateKeyPair } from 'jose';
import { startEndpoint } from '../../../infra/test/endpoint.ts';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import type { Records } from '../../src/records/records.ts';

/** The services of AWS that the function of the pages uses beside the wiki: its parameters, and its table. */
export interface AwsOfTeam {
  /** Those of the function. */
  variables: Record<string, string>;
  cookieKey: Uint8Array;
  /** The public key of the grants. */
  grantKey: string;
  /** What is in the table. */
  records: Records;
  stop(): Promise<void>;
}

/** An endpoint of AWS with these parameters and an empty table. */
export type StartEndpoint = (
  parameters: Readonly<Record<string, string>>,
) => Promise<{ url: string; stop(): Promise<void> }>;

export async function startAwsOfTeam(start: StartEndpoint, clientSecret: string): Promise<AwsOfTeam> {
  const cookieKey = randomBytes(32);
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const grants = await exportJWK(pair.privateKey);
  const keys = JSON.stringify({ session: cookieKey.toString('base64url'), grants });
  const { url, stop } = await start({ [KEYS]: keys, [SECRET]: clientSecret });
  return {
    variables: {
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_SSM: url,
      AWS_ENDPOINT_URL_DYNAMODB: url,
      PAGETREE_KEYS: KEYS,
      PAGETREE_CLIENT_SECRET: SECRET,
      PAGETREE_RECORDS: TABLE,
    },
    cookieKey,
    grantKey: grants.x ?? '',
    records: new RecordsInTable(dynamoDbAt(url), TABLE, Date.now),
    stop,
  };
}

/** The two services as far as the function asks them. Unlike moto, it needs no Python, and answers at once. */
export const standIn: StartEndpoint = async (parameters) => {
  const items = new Map<string, Item>();
  const answers: Readonly<Record<string, (asked: Asked) => object | null>> = {
    'AmazonSSM.GetParameter': ({ Name: name }) => {
      const value = parameters[name];
      return value === undefined ? null : { Parameter: { Name: name, Type: 'SecureString', Value: value } };
    },
    'DynamoDB_20120810.PutItem': ({ Item: item, ConditionExpression: condition, ...asked }) => {
      if (!holds(condition, items.get(keyOf(item)), asked.ExpressionAttributeValues)) return CONDITION_FAILED;
      items.set(keyOf(item), item);
      return {};
    },
    'DynamoDB_20120810.GetItem': ({ Key: key }) => ({ Item: items.get(keyOf(key)) }),
    'DynamoDB_20120810.DeleteItem': ({ Key: key }) => {
      const Attributes = items.get(keyOf(key));
      items.delete(keyOf(key));
      return { Attributes };
    },
    'DynamoDB_20120810.Query': ({ ExpressionAttributeValues: values }) => ({
      Items: [...items.values()].filter(({ key }) => key?.S === values[':key']?.S),
    }),
  };
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as Asked;
    const target = String(request.headers['x-amz-target']);
    const isTooLong = KEY_BYTES.some(([name, most]) => bytesOf(asked, name) > most);
    const answer = isTooLong ? INVALID : (answers[target]?.(asked) ?? null);
    const isRefused = answer === null || '__type' in answer;
    response
      .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(answer ?? { __type: 'ParameterNotFound' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Item = Record<string, { S?: string; N?: string } | undefined>;

interface Asked {
  Name: string;
  Item: Item;
  Key: Item;
  ConditionExpression?: string;
  ExpressionAttributeValues: Item;
}

function keyOf({ key, name }: Item): string {
  return JSON.stringify([key?.S, name?.S]);
}

/** The two conditions on which records are written. */
function holds(condition: string | undefined, present: Item | undefined, values: Item): boolean {
  switch (condition) {
    case undefined:
      return true;
    case 'attribute_not_exists(#key) OR untilMs <= :now':
      return (
        present === undefined ||
        (present.untilMs !== undefined && Number(present.untilMs.N) <= Number(values[':now']?.N))
      );
    case 'version = :version':
      return present !== undefined && present.version?.S === values[':version']?.S;
    default:
      throw new Error(`The stand-in does not know the condition ${condition}.`);
  }
}

/** DynamoDB refuses longer keys, those that are asked for too. */
const KEY_BYTES = [
  ['key', 2_048],
  ['name', 1_024],
] as const;

function bytesOf({ Item: item, Key: key }: Partial<Asked>, name: string): number {
  return Buffer.byteLength((item ?? key)?.[name]?.S ?? '');
}

const INVALID = { __type: 'com.amazon.coral.validate#ValidationException' };
const CONDITION_FAILED = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' };

/** As moto answers, which others wrote. */
export const moto: StartEndpoint = async (parameters) => {
  const endpoint = await startEndpoint(REGION);
  const settings = { region: REGION, endpoint: endpoint.url, credentials: CREDENTIALS };
  const ssm = new SSMClient(settings);
  for (const [name, value] of Object.entries(parameters))
    await ssm.send(new PutParameterCommand({ Name: name, Value: value, Type: 'SecureString' }));
  await createRecordsTable(dynamoDbAt(endpoint.url), TABLE);
  return endpoint;
};

export async function createRecordsTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['key', 'name'].map((each) => ({ AttributeName: each, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'key', KeyType: 'HASH' },
        { AttributeName: 'name', KeyType: 'RANGE' },
      ],
    }),
  );
}

export function dynamoDbAt(url: string): DynamoDBClient {
  return new DynamoDBClient({ region: REGION, endpoint: url, credentials: CREDENTIALS });
}

const CREDENTIALS = { accessKeyId: 'testing', secretAccessKey: 'testing' };
const REGION = 'us-east-1';
const KEYS = '/pagetree/lab/web/keys';
const SECRET = '/pagetree/lab/web/client-secret';
const TABLE = 'pagetree-lab-records';
