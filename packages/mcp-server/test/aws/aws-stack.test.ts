import { beforeAll, expect, test } from 'vitest';
import { builtServer } from '../built-server.ts';
import { refuse, startAwsEndpoint } from './aws-endpoint.ts';
import { answer, answerNotFound, endpointsAt, functionArn, secret, serverOnAws } from './server-on-aws.ts';

const readerArn = functionArn.replace(':pagetree:', ':pagetree-reader:');
let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test('without a region a call to a stack says so', async () => {
  const client = await server({ AWS_REGION: '' });
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: Nothing says in which AWS region the stack Wiki is. Nothing was read or changed. Tell the person who runs this server: Set AWS_REGION in the settings of this server, or AWS_PROFILE to a profile that has a region."`,
  );
});

test('a stack is asked for its function', async () => {
  const paths: string[] = [];
  const endpoint = await startAwsEndpoint((request, response) => {
    paths.push(request.path);
    if (request.path === '/')
      response.writeHead(200, { 'content-type': 'text/xml' }).end(stackWith(functionArn));
    else answerNotFound(request, response);
  });
  const client = await server({ AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) });
  expect(await client.error('read_page', { path: 'Home' })).toContain('There is no page "Home".');
  expect(paths.at(-1)).toBe(`/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`);
});

test("a caller who may invoke only the readers' function reads through it, and it answers a write", async () => {
  const called: string[] = [];
  const endpoint = await startAwsEndpoint((request, response) => {
    const { path, body } = request;
    called.push(/functions\/.*?(pagetree(-reader)?)%3A/.exec(path)?.[1] ?? path);
    if (path === '/')
      response.writeHead(200, { 'content-type': 'text/xml' }).end(stackWith(functionArn, readerArn));
    else if (!path.includes('-reader'))
      refuse(403, 'AccessDeniedException', `${secret} is not authorized`)(request, response);
    else if (JSON.parse(body).operation === 'read_page') answerNotFound(request, response);
    else answer('forbidden', 'You may read this wiki, and not write it.')(request, response);
  });
  const client = await server({ AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) });
  expect(await client.error('read_page', { path: 'Home' })).toContain('There is no page "Home".');
  expect(await client.error('append_to_page', { path: 'Home', content: 'x' })).toContain(
    'forbidden: You may read this wiki, and not write it.',
  );
  // The function stays known: each denied one is called once.
  expect(called).toEqual(['/', 'pagetree', 'pagetree-reader', 'pagetree-reader']);
});

test('a caller who may invoke neither function of a stack gets an error that says so', async () => {
  const endpoint = await startAwsEndpoint((request, response) => {
    if (request.path === '/')
      response.writeHead(200, { 'content-type': 'text/xml' }).end(stackWith(functionArn, readerArn));
    else refuse(403, 'AccessDeniedException', `${secret} is not authorized`)(request, response);
  });
  const client = await server({ AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) });
  expect(await client.error('read_page', { path: 'Home' })).toContain(
    'forbidden: Your AWS identity may not do lambda:InvokeFunction on the stack Wiki.',
  );
});

test('a missing stack is reported as such', async () => {
  const endpoint = await startAwsEndpoint((_request, response) => {
    response.writeHead(400, { 'content-type': 'text/xml' });
    response.end(
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Wiki does not exist</Message></Error></ErrorResponse>',
    );
  });
  const client = await server({ AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) });
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: There is no stack "Wiki" in this account and region. Nothing was read or changed. Tell the person who runs this server: Check the name after --connect, and AWS_REGION and AWS_PROFILE in the settings of this server. To name a function, add its alias, as NAME:live, or give its ARN."`,
  );
});

/** CloudFormation's description of a stack. A stack from before the readers' function has only the first output. */
function stackWith(writer: string, reader?: string): string {
  const output = (key: string, value: string) =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
  const outputs = output('Function', writer) + (reader === undefined ? '' : output('ReaderFunction', reader));
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
<StackName>Wiki</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>
<Outputs>${outputs}</Outputs>
</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** A server that gets the name of the stack and nothing else. */
function server(env: Record<string, string>) {
  return serverOnAws(bundle, { PAGETREE_FUNCTION: '', ...env }, ['--connect', 'Wiki']);
}
