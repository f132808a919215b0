import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { exportJWK, generateKeyPair } from 'jose';
import { startEndpoint } from '../../../infra/test/endpoint.ts';

/** The services of AWS that the function of the pages uses beside the wiki: its parameters, and the table of ended sessions. */
export interface AwsOfTeam {
  /** Those of the function. */
  variables: Record<string, string>;
  cookieKey: Uint8Array;
  /** The public key of the grants. */
  grantKey: string;
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
      PAGETREE_SESSIONS: TABLE,
    },
    cookieKey,
    grantKey: grants.x ?? '',
    stop,
  };
}

/** The two services as far as the function asks them. Unlike moto, it needs no Python, and answers at once. */
export const standIn: StartEndpoint = async (parameters) => {
  const items = new Map<string, unknown>();
  const answers: Readonly<Record<string, (asked: Asked) => object | null>> = {
    'AmazonSSM.GetParameter': ({ Name: name }) => {
      const value = parameters[name];
      return value === undefined ? null : { Parameter: { Name: name, Type: 'SecureString', Value: value } };
    },
    'DynamoDB_20120810.PutItem': ({ Item: item }) => {
      items.set(item.id.S, item);
      return {};
    },
    'DynamoDB_20120810.GetItem': ({ Key: key }) => ({ Item: items.get(key.id.S) }),
  };
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as Asked;
    const answer = answers[String(request.headers['x-amz-target'])]?.(asked) ?? null;
    response
      .writeHead(answer === null ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
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

interface Asked {
  Name: string;
  Item: { id: { S: string } };
  Key: { id: { S: string } };
}

/** As moto answers, which others wrote. */
export const moto: StartEndpoint = async (parameters) => {
  const endpoint = await startEndpoint(REGION);
  const settings = { region: REGION, endpoint: endpoint.url, credentials: CREDENTIALS };
  const ssm = new SSMClient(settings);
  for (const [name, value] of Object.entries(parameters))
    await ssm.send(new PutParameterCommand({ Name: name, Value: value, Type: 'SecureString' }));
  await new DynamoDBClient(settings).send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  return endpoint;
};

const CREDENTIALS = { accessKeyId: 'testing', secretAccessKey: 'testing' };
const REGION = 'us-east-1';
const KEYS = '/pagetree/lab/web/keys';
const SECRET = '/pagetree/lab/web/client-secret';
const TABLE = 'pagetree-lab-sessions';
