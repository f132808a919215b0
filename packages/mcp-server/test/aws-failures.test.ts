import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { failFunction, type Respond, refuse, startAwsEndpoint } from './aws-endpoint.ts';
import { builtServer, temporaryDirectory } from './built-server.ts';
import { SdkClient } from './sdk-client.ts';

const secret = 'SECRETKEY';
const functionArn = 'arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live';
let bundle: string;
let nowhere: string;

beforeAll(async () => {
  bundle = await builtServer();
  nowhere = join(await temporaryDirectory(), 'no-such-file');
});

test('without AWS credentials the tools are listed, and a call says what is missing', async () => {
  const client = await server({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' });
  expect((await client.client.listTools()).tools.length).toBeGreaterThan(10);
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: There are no AWS credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with. Nothing was read or changed. Set AWS_PROFILE in the settings of this server (clients pass on few variables of the shell), or run \`aws configure\` or \`aws sso login\`, and try again."`,
  );
});

test('without a region a call says so', async () => {
  const client = await server({ PAGETREE_FUNCTION: 'pagetree:live', AWS_REGION: '' });
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: Nothing says in which AWS region the function pagetree:live is. Nothing was read or changed. Set AWS_REGION in the settings of this server, or give PAGETREE_FUNCTION the whole ARN."`,
  );
});

test('without a region a call to a stack says so', async () => {
  const client = await server({ PAGETREE_FUNCTION: '', AWS_REGION: '' }, ['--connect', 'Wiki']);
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: Nothing says in which AWS region the stack Wiki is. Nothing was read or changed. Set AWS_REGION in the settings of this server, or AWS_PROFILE to a profile that has a region."`,
  );
});

test('a region that is none cannot be reached', async () => {
  const client = await server({
    PAGETREE_FUNCTION: 'pagetree',
    AWS_REGION: 'mars-1',
    AWS_ENDPOINT_URL_LAMBDA: '',
  });
  expect(await client.error('read_page', { path: 'Home' })).toContain(
    'Check the network, and that AWS_REGION is the name of a region.',
  );
});

test('an expired token', async () => {
  expect(await whenRefused(403, 'ExpiredTokenException', `token ${secret} is expired`)).toMatchInlineSnapshot(
    `"backend_unavailable: The AWS credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with have expired. Nothing was read or changed. Sign in again, with \`aws sso login\` for instance, and try again."`,
  );
});

test('a key that AWS does not know', async () => {
  expect(
    await whenRefused(403, 'UnrecognizedClientException', `The security token ${secret} is invalid.`),
  ).toMatchInlineSnapshot(
    `"backend_unavailable: AWS does not accept the credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with. Nothing was read or changed. Check the profile or the keys in the settings of this server, and the clock of this machine."`,
  );
});

test('an identity that may not call the function is told which action on what', async () => {
  expect(
    await whenRefused(403, 'AccessDeniedException', `User: ${secret} is not authorized`),
  ).toMatchInlineSnapshot(
    `"forbidden: Your AWS identity may not do lambda:InvokeFunction on the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live. Nothing was read or changed. Ask whoever deployed the wiki to attach the stack's reader or writer policy to you."`,
  );
});

test('a function or an alias that is not there', async () => {
  expect(await whenRefused(404, 'ResourceNotFoundException', 'Function not found')).toMatchInlineSnapshot(
    `"backend_unavailable: AWS does not find the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live: this account has no such function or alias in this region. Nothing was read or changed. Compare PAGETREE_FUNCTION with the stack's output \`Function\`, and check AWS_REGION and AWS_PROFILE."`,
  );
});

test('a payload that AWS finds too large', async () => {
  expect(await whenRefused(413, 'RequestTooLargeException', 'too large')).toMatchInlineSnapshot(
    `"too_large: The call is larger than AWS Lambda takes (6,291,556 bytes). Nothing was read or changed. Send less at once."`,
  );
});

test('a file system that is not answering is tried again, and then told', async () => {
  let calls = 0;
  const text = await textWhen((request, response) => {
    calls += 1;
    refuse(410, 'EFSMountTimeoutException', 'mount')(request, response);
  });
  expect(calls).toBe(6);
  expect(text).toMatchInlineSnapshot(
    `"backend_unavailable: AWS could not start the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live, because its file system did not answer. Nothing was read or changed. Try again in a minute; if it stays so, look at the dashboard of the stack."`,
  );
});

test('an error that nobody foresaw is told by its name only', async () => {
  expect(await whenRefused(400, 'NewFangledException', secret)).toMatchInlineSnapshot(
    `"backend_unavailable: AWS refused the call to the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live (NewFangledException). Nothing was read or changed. Check PAGETREE_FUNCTION, AWS_REGION and AWS_PROFILE in the settings of this server."`,
  );
});

test('throttling that does not end is busy, with a time to wait', async () => {
  expect(await whenRefused(429, 'TooManyRequestsException', 'Rate Exceeded.')).toMatchInlineSnapshot(`
    "busy: AWS Lambda throttled the calls to the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live: more are under way than it may run at once. Nothing was read or changed. Try again in a few seconds; if it happens often, raise the concurrency of the function.
    retry_after_ms: 2000"
  `);
});

test('throttling that ends is not noticed', async () => {
  let calls = 0;
  const text = await textWhen((request, response) => {
    calls += 1;
    const respond = calls < 3 ? refuse(429, 'TooManyRequestsException', 'Rate Exceeded.') : answerNotFound;
    respond(request, response);
  });
  expect(calls).toBe(3);
  expect(text).toContain('not_found: There is no page "Home".');
});

test('a function that ran out of time says so of a read', async () => {
  const failing = failFunction('Sandbox.Timedout', 'Task timed out after 30.00 seconds');
  expect(await textWhen(failing)).toMatchInlineSnapshot(
    `"backend_unavailable: Time ran out before the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live answered. Nothing was changed. Try again; if it happens again, look in the function's log."`,
  );
});

test('a write whose function always fails may have been committed, and its id is told to try it again', async () => {
  const ids = new Set<string>();
  const text = await textWhen(
    (request, response) => {
      ids.add(JSON.parse(request.body).input.request_id);
      failFunction('Runtime.ExitError', `RequestId: 1 ${secret}`)(request, response);
    },
    'append_to_page',
    { path: 'Home', content: 'x' },
  );
  expect(ids.size).toBe(1);
  expect(text.replace([...ids][0] ?? '', 'THE-ID')).toMatchInlineSnapshot(
    `"write_state_unknown: No answer came from the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live, which ended early (Runtime.ExitError). The write may or may not have been committed. Call the tool again with the same arguments and request_id "THE-ID": it is applied once, however often it is sent."`,
  );
});

test('a write whose answer is too large was made, and is not to be sent again', async () => {
  const failing = failFunction('Function.ResponseSizeTooLarge', `Response payload size (${secret}) exceeded`);
  expect(await textWhen(failing, 'append_to_page', { path: 'Home', content: 'x' })).toMatchInlineSnapshot(
    `"too_large: The answer is larger than AWS Lambda gives (6,291,556 bytes). The function did what it was asked for. Ask for less at once."`,
  );
});

test.each([{}, { request_id: null }])(
  'a connection that is cut before the reply is tried again under the same id: %j',
  async (given) => {
    const ids: string[] = [];
    const text = await textWhen(
      (request, response) => {
        ids.push(JSON.parse(request.body).input.request_id);
        if (ids.length === 1) response.destroy();
        else answerNotFound(request, response);
      },
      'append_to_page',
      { path: 'Home', content: 'x', create: false, ...given },
    );
    expect(ids).toEqual([expect.any(String), ids[0]]);
    expect(text).toContain('not_found');
  },
);

test('a call over the limit is refused before it is sent', async () => {
  let calls = 0;
  const text = await textWhen(
    () => {
      calls += 1;
    },
    'write_page',
    { path: 'Home', content: '\u0001'.repeat(1_500_000) },
  );
  expect(calls).toBe(0);
  expect(text).toMatchInlineSnapshot(
    `"too_large: The call has 9000291 bytes; AWS Lambda takes 6291556. It was not sent, and nothing was changed. Send less at once."`,
  );
});

test('what is no reply of a wiki is not taken for one', async () => {
  const text = await textWhen((_request, response) => void response.writeHead(200).end('"hello"'));
  expect(text).toContain('backend_unavailable: What answered is not a Pagetree wiki of this version.');
});

test('a call for all wikis is sent without the one that is meant where a call names none', async () => {
  const inputs: unknown[] = [];
  const endpoint = await startAwsEndpoint((request, response) => {
    inputs.push(JSON.parse(request.body).input);
    answerNotFound(request, response);
  });
  const client = await server({ ...endpointsAt(endpoint), PAGETREE_WIKI: 'help' });
  await client.error('maintain_wiki', { all: true });
  await client.error('maintain_wiki', {});
  expect(inputs[0]).not.toHaveProperty('wiki');
  expect(inputs[1]).toMatchObject({ wiki: 'help', all: false });
});

test('a wiki of the settings that is not there is told as that where a call names none', async () => {
  const endpoint = await startAwsEndpoint((_request, response) => {
    const text = {
      happened: 'There is no wiki "notse".',
      now: 'There are: main, notes.',
      next: 'Pass wiki: "main", or leave wiki out for the default one.',
    };
    const error = { code: 'not_found', text, data: { wikis: ['main', 'notes'] } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error }));
  });
  const client = await server({ ...endpointsAt(endpoint), PAGETREE_WIKI: 'notse' });
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"not_found: There is no wiki "notse". There are: main, notes. Pass wiki: "main". Where none is named, "notse" is meant: ask the person who runs this server to name another (--wiki or PAGETREE_WIKI)."`,
  );
  expect(await client.error('read_page', { path: 'Home', wiki: 'notse' })).toContain('or leave wiki out');
});

test('a stack is asked for its function', async () => {
  const paths: string[] = [];
  const endpoint = await startAwsEndpoint((request, response) => {
    paths.push(request.path);
    if (request.path === '/') response.writeHead(200, { 'content-type': 'text/xml' }).end(stackWithFunction);
    else answerNotFound(request, response);
  });
  const client = await server(
    { PAGETREE_FUNCTION: '', AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) },
    ['--connect', 'Wiki'],
  );
  expect(await client.error('read_page', { path: 'Home' })).toContain('There is no page "Home".');
  expect(paths.at(-1)).toBe(`/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`);
});

test('a stack that is not there', async () => {
  const endpoint = await startAwsEndpoint((_request, response) => {
    response.writeHead(400, { 'content-type': 'text/xml' });
    response.end(
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Wiki does not exist</Message></Error></ErrorResponse>',
    );
  });
  const client = await server({ AWS_REGION: 'eu-central-1', ...endpointsAt(endpoint) }, [
    '--connect',
    'Wiki',
  ]);
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: There is no stack "Wiki" in this account and region. Nothing was read or changed. Check the name after --connect, and AWS_REGION and AWS_PROFILE in the settings of this server."`,
  );
});

const answerNotFound: Respond = (_request, response) => {
  const text = { happened: 'There is no page "Home".', now: 'Nothing was changed.', next: 'Look.' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok: false, error: { code: 'not_found', text, data: {} } }));
};

const stackWithFunction = `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
<StackName>Wiki</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>
<Outputs><member><OutputKey>Function</OutputKey><OutputValue>${functionArn}</OutputValue></member></Outputs>
</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

function whenRefused(status: number, errorType: string, message: string): Promise<string> {
  return textWhen(refuse(status, errorType, message));
}

/** The text that an agent sees of a call which AWS answers so; none may tell what was in AWS's own message. */
async function textWhen(
  respond: Respond,
  tool = 'read_page',
  args: Record<string, unknown> = { path: 'Home' },
): Promise<string> {
  const client = await server(endpointsAt(await startAwsEndpoint(respond)));
  const text = await client.error(tool, args);
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\bat .*:\d+/);
  return text;
}

function endpointsAt(endpoint: string): Record<string, string> {
  return { AWS_ENDPOINT_URL_LAMBDA: endpoint, AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint };
}

async function server(env: Record<string, string>, args: string[] = []): Promise<SdkClient> {
  const aws = {
    PAGETREE_FUNCTION: functionArn,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
  };
  const client = new SdkClient(process.execPath, [bundle, ...args], { ...aws, ...env });
  onTestFinished(() => client.close());
  return client.connect();
}
