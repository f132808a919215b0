import { beforeAll, expect, test } from 'vitest';
import { builtServer } from '../built-server.ts';
import { failFunction, type Respond, refuse, startAwsEndpoint } from './aws-endpoint.ts';
import { answerNotFound, endpointsAt, secret, serverOnAws } from './server-on-aws.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test('without AWS credentials the tools are listed, and a call says what is missing', async () => {
  const client = await server({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' });
  expect((await client.client.listTools()).tools.length).toBeGreaterThan(10);
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: There are no AWS credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with. Nothing was read or changed. Tell the person who runs this server: Set AWS_PROFILE in the settings of this server (clients pass on few variables of the shell), or run \`aws configure\` or \`aws sso login\`, and try again."`,
  );
});

test('without a region a call says so', async () => {
  const client = await server({ PAGETREE_FUNCTION: 'pagetree:live', AWS_REGION: '' });
  expect(await client.error('read_page', { path: 'Home' })).toMatchInlineSnapshot(
    `"backend_unavailable: Nothing says in which AWS region the function pagetree:live is. Nothing was read or changed. Tell the person who runs this server: Set AWS_REGION in the settings of this server, or give PAGETREE_FUNCTION the whole ARN."`,
  );
});

test('an invalid region is reported as unreachable', async () => {
  const client = await server({
    PAGETREE_FUNCTION: 'pagetree',
    AWS_REGION: 'mars-1',
    AWS_ENDPOINT_URL_LAMBDA: '',
  });
  expect(await client.error('read_page', { path: 'Home' })).toContain(
    'Check the network, and that AWS_REGION is the name of a region.',
  );
});

test('an expired token is reported as such', async () => {
  expect(await whenRefused(403, 'ExpiredTokenException', `token ${secret} is expired`)).toMatchInlineSnapshot(
    `"backend_unavailable: The AWS credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with have expired. Nothing was read or changed. Tell the person who runs this server: Sign in again, with \`aws sso login\` for instance, and try again."`,
  );
});

test('a key that AWS does not know is reported as such', async () => {
  expect(
    await whenRefused(403, 'UnrecognizedClientException', `The security token ${secret} is invalid.`),
  ).toMatchInlineSnapshot(
    `"backend_unavailable: AWS does not accept the credentials to call the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live with. Nothing was read or changed. Tell the person who runs this server: Check the profile or the keys in the settings of this server, and the clock of this machine."`,
  );
});

test('an identity that may not call the function gets an error that names the action and the function', async () => {
  expect(
    await whenRefused(403, 'AccessDeniedException', `User: ${secret} is not authorized`),
  ).toMatchInlineSnapshot(
    `"forbidden: Your AWS identity may not do lambda:InvokeFunction on the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live. Nothing was read or changed. Tell the person who runs this server: Ask the person who deployed the wiki to attach the stack's reader or writer policy to you."`,
  );
});

test('a missing function or alias is reported as such', async () => {
  expect(await whenRefused(404, 'ResourceNotFoundException', 'Function not found')).toMatchInlineSnapshot(
    `"backend_unavailable: AWS does not find the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live: this account has no such function or alias in this region. Nothing was read or changed. Tell the person who runs this server: Compare PAGETREE_FUNCTION with the stack's output \`Function\`, and check AWS_REGION and AWS_PROFILE."`,
  );
});

test('a payload that AWS finds too large is reported as such', async () => {
  expect(await whenRefused(413, 'RequestTooLargeException', 'too large')).toMatchInlineSnapshot(
    `"too_large: The call is larger than AWS Lambda takes (6,291,556 bytes). Nothing was read or changed. Send less at once."`,
  );
});

test('a file system that is not answering is tried again, and then reported', async () => {
  let calls = 0;
  const text = await textWhen((request, response) => {
    calls += 1;
    refuse(410, 'EFSMountTimeoutException', 'mount')(request, response);
  });
  expect(calls).toBe(6);
  expect(text).toMatchInlineSnapshot(
    `"backend_unavailable: AWS could not start the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live, because its file system did not answer. Nothing was read or changed. Try again in a minute. If it stays so, tell the person who runs the wiki to look at the dashboard of the stack."`,
  );
});

test('an unforeseen error is reported by its name only', async () => {
  expect(await whenRefused(400, 'NewFangledException', secret)).toMatchInlineSnapshot(
    `"backend_unavailable: AWS refused the call to the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live (NewFangledException). Nothing was read or changed. Tell the person who runs this server: Check PAGETREE_FUNCTION, AWS_REGION and AWS_PROFILE in the settings of this server."`,
  );
});

test('throttling that does not end is busy, with a time to wait', async () => {
  expect(await whenRefused(429, 'TooManyRequestsException', 'Rate Exceeded.')).toMatchInlineSnapshot(`
    "busy: AWS Lambda throttled the calls to the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live: more are under way than it may run at once. Nothing was read or changed. Try again in a few seconds. If it happens often, tell the person who runs the wiki to raise the concurrency of the function.
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
    `"backend_unavailable: Time ran out before the function arn:aws:lambda:eu-central-1:123456789012:function:pagetree:live answered. Nothing was changed. Try again. If it happens again, tell the person who runs the wiki to look in the function's log."`,
  );
});

test('a write whose function always fails may have been committed, and the error says to repeat it under its id', async () => {
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

test('a write whose reply was lost is not called undone because what came after it was throttled', async () => {
  let calls = 0;
  const loseFirst: Respond = (request, response) => {
    calls += 1;
    if (calls === 1) response.destroy();
    else refuse(429, 'TooManyRequestsException', 'Rate Exceeded.')(request, response);
  };
  const text = await textWhen(loseFirst, 'append_to_page', { path: 'Home', content: 'x' });
  expect(text).toMatch(/^write_state_unknown: .* The write may or may not have been committed\. /);
});

test('a write whose answer is too large was made, and the error says not to send it again', async () => {
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
    `"too_large: The call has 9000214 bytes; AWS Lambda takes 6291556. It was not sent, and nothing was changed. Send less at once."`,
  );
});

test("a reply that is not a wiki's is refused", async () => {
  const text = await textWhen((_request, response) => void response.writeHead(200).end('"hello"'));
  expect(text).toContain('backend_unavailable: What answered is not a Pagetree wiki of this version.');
});

test('a call for all wikis is sent without the default wiki', async () => {
  const inputs: unknown[] = [];
  const endpoint = await startAwsEndpoint((request, response) => {
    inputs.push(JSON.parse(request.body).input);
    answerNotFound(request, response);
  });
  const client = await server({ ...endpointsAt(endpoint), PAGETREE_WIKI: 'help' });
  await client.error('maintain_wiki', { all: true });
  await client.error('maintain_wiki', {});
  expect(inputs[0]).not.toHaveProperty('wiki');
  expect(inputs[1]).toMatchObject({ wiki: 'help' });
});

test('a missing default wiki of the settings is reported if a call names no wiki', async () => {
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

function whenRefused(status: number, errorType: string, message: string): Promise<string> {
  return textWhen(refuse(status, errorType, message));
}

/**
 * The text that an agent sees if AWS answers a call like this. It must not contain any of AWS's own message.
 */
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

function server(env: Record<string, string>) {
  return serverOnAws(bundle, env);
}
