import { randomBytes } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { exportJWK, generateKeyPair } from 'jose';
import { startEndpoint } from '../../../infra/test/endpoint.ts';

/** What the function that shows pages asks of AWS beside the wiki: its parameters, and the table of ended sessions. */
export interface AwsOfTeam {
  /** Those of the function. */
  variables: Record<string, string>;
  cookieKey: Uint8Array;
  /** The public key of the grants. */
  grantKey: string;
  stop(): Promise<void>;
}

/** As moto answers. Nothing of it is as fast as AWS, or as slow. */
export async function startAwsOfTeam({ clientSecret }: { clientSecret: string }): Promise<AwsOfTeam> {
  const endpoint = await startEndpoint(REGION);
  const credentials = { accessKeyId: 'testing', secretAccessKey: 'testing' };
  const settings = { region: REGION, endpoint: endpoint.url, credentials };
  const cookieKey = randomBytes(32);
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const [grants, { x: grantKey = '' }] = await Promise.all(
    [pair.privateKey, pair.publicKey].map((key) => exportJWK(key)) as [
      ReturnType<typeof exportJWK>,
      ReturnType<typeof exportJWK>,
    ],
  );
  const parameters = new SSMClient(settings);
  const put = (name: string, value: string) =>
    parameters.send(new PutParameterCommand({ Name: name, Value: value, Type: 'SecureString' }));
  await put(KEYS, JSON.stringify({ session: cookieKey.toString('base64url'), grants }));
  await put(SECRET, clientSecret);
  const tables = new DynamoDBClient(settings);
  await tables.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  return {
    variables: {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_SSM: endpoint.url,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint.url,
      PAGETREE_KEYS: KEYS,
      PAGETREE_CLIENT_SECRET: SECRET,
      PAGETREE_SESSIONS: TABLE,
    },
    cookieKey,
    grantKey,
    stop: () => endpoint.stop(),
  };
}

const REGION = 'us-east-1';
const KEYS = '/pagetree/lab/web/keys';
const SECRET = '/pagetree/lab/web/client-secret';
const TABLE = 'pagetree-lab-sessions';
