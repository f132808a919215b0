import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSMClient } from '@aws-sdk/client-ssm';
import { onTestFinished } from 'vitest';

interface Call {
  Name: string;
  Names: string[];
  Value: string;
  Type: string;
  Overwrite?: boolean;
  WithDecryption?: boolean;
}

export interface ParameterStore {
  client: SSMClient;
  stored: Map<string, { Value: string; Type: string }>;
  /** The names that were put, in order, also those that were there already. */
  puts: string[];
  /** Called before each answer. */
  before: (operation: string) => Promise<void> | void;
}

/** A client of an endpoint that answers as Systems Manager does. */
export async function startParameterStore(): Promise<ParameterStore> {
  const stored: ParameterStore['stored'] = new Map();
  const puts: string[] = [];
  const answers: Record<string, (call: Call) => object> = {
    GetParameter: ({ Name, WithDecryption }) => {
      const parameter = stored.get(Name);
      if (parameter === undefined) return { __type: 'ParameterNotFound' };
      const isReadable = WithDecryption === true || parameter.Type !== 'SecureString';
      return { Parameter: { Name, ...parameter, Value: isReadable ? parameter.Value : 'encrypted' } };
    },
    PutParameter: ({ Name, Value, Type, Overwrite }) => {
      puts.push(Name);
      if (stored.has(Name) && !Overwrite) return { __type: 'ParameterAlreadyExists' };
      stored.set(Name, { Value, Type });
      return { Version: 1 };
    },
    DeleteParameters: ({ Names }) => ({
      DeletedParameters: Names.filter((name) => stored.delete(name)),
      InvalidParameters: Names.filter((name) => !stored.has(name)),
    }),
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
    const call = JSON.parse((await request.toArray()).join(''));
    await store.before(operation);
    const answer = answers[operation]?.(call) ?? { __type: 'UnknownOperationException' };
    response.writeHead('__type' in answer ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new SSMClient({
    endpoint: `http://localhost:${port}`,
    region: 'us-east-2',
    credentials: { accessKeyId: 'testing', secretAccessKey: 'testing' },
  });
  const store: ParameterStore = { client, stored, puts, before: () => {} };
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return store;
}
