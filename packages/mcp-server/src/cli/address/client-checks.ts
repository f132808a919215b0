import * as z from 'zod';
import { ok, problem, type Result } from './checklist.ts';
import { describeBlocked, LOGIN_PATH, locationIn, type Site } from './page-checks.ts';
import { type Answer, get, post } from './requests.ts';

/** Asks the address of agents without a token. */
export async function checkAgents({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const asked = await get(new URL('/mcp', origin), timeoutMs, { accept: 'application/json' });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status } = asked.answer;
  if (status === 401 && /resource_metadata=|This server needs a token/.test(challengeIn(asked.answer)))
    return ok('need a token of a person (/mcp answers 401)', null);
  return problem(describeBlocked(asked.answer, { asked: `${origin}/mcp`, ...NO_AGENTS }));
}

/** Calls the address of agents with a token that nobody has: the answer says whether it arrived. */
export async function checkTokens({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const asked = await post(new URL('/mcp', origin), timeoutMs, {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer a-token-that-nobody-has',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const challenge = challengeIn(asked.answer);
  if (asked.answer.status !== 401)
    return problem(describeBlocked(asked.answer, { asked: `POST to ${origin}/mcp`, ...NO_AGENTS }));
  if (/error="invalid_token"|The token is none of this server/.test(challenge))
    return ok('arrive, and one that nobody has is refused', null);
  return problem(
    /resource_metadata=|This server needs a token/.test(challenge)
      ? `The header Authorization does not arrive: ${origin}/mcp answers a request with a token as one without, so that no client of MCP gets in, and no git with a token. Let the proxy pass that header on as it came (in CloudFront by the origin request policy, without origin access control).`
      : describeBlocked(asked.answer, { asked: `POST to ${origin}/mcp`, ...NO_AGENTS }),
  );
}

/** Reads the two documents by which clients of MCP find the login, at each of their addresses. */
export async function checkMetadata({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const resource = z.object({
    resource: z.literal(`${origin}/mcp`),
    authorization_servers: z.array(z.string()).refine((all) => all.includes(origin)),
  });
  const documents = [
    ['/.well-known/oauth-protected-resource/mcp', resource],
    ['/.well-known/oauth-protected-resource', resource],
    ['/.well-known/oauth-authorization-server', z.object({ issuer: z.literal(origin) })],
  ] as const;
  for (const [path, schema] of documents) {
    const asked = await get(new URL(path, origin), timeoutMs, { accept: 'application/json' });
    if (asked.kind === 'problem') return problem(asked.sentence);
    const { status, text } = asked.answer;
    if (status !== 200 || !schema.safeParse(parseJson(text)).success)
      return problem(
        describeBlocked(asked.answer, {
          asked: `${origin}${path}`,
          effect: 'clients of MCP that are given the address alone do not find the login, and cannot connect',
          remedy:
            'Let the proxy pass everything below /.well-known/ on to the server, but for what it answers itself, such as /.well-known/acme-challenge/.',
        }),
      );
  }
  return ok('leads clients of MCP to the login', null);
}

/** Goes the ways of clients of MCP up to where a person or a registration would be needed. Nothing is registered. */
export async function checkOAuth({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const blocked = (answer: Answer, asked: string) =>
    problem(
      describeBlocked(answer, {
        asked,
        effect:
          'clients of MCP that are given the address alone cannot connect, or lose their access within an hour',
        remedy:
          'Let the proxy pass everything below /_/oauth/ on to the server, and its answers back unchanged.',
      }),
    );
  const begun = new URL('/_/oauth/authorize?client_id=pagetree-doctor', origin);
  const asked = await get(begun, timeoutMs);
  if (asked.kind === 'problem') return problem(asked.sentence);
  const to = locationIn(asked.answer, origin);
  if (to?.origin !== origin || to.pathname !== LOGIN_PATH)
    return blocked(asked.answer, `${origin}${begun.pathname}`);
  for (const [path, type, body, error] of REFUSED) {
    const refused = await post(new URL(path, origin), timeoutMs, {
      headers: { accept: 'application/json', 'content-type': type },
      body,
    });
    if (refused.kind === 'problem') return problem(refused.sentence);
    const parsed = z.object({ error: z.literal(error) }).safeParse(parseJson(refused.answer.text));
    if (!parsed.success) return blocked(refused.answer, `POST to ${origin}${path}`);
  }
  return ok('leads to the login, and refuses clients that are not registered', null);
}

/** Asks for a wiki as git does without a token. Whether the wiki is there makes no difference. */
export async function checkGit({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const path = '/main.git/info/refs?service=git-upload-pack';
  const asked = await get(new URL(path, origin), timeoutMs, { accept: '*/*', 'git-protocol': 'version=2' });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, headers, text } = asked.answer;
  if (status !== 401 || !text.startsWith('Make a token on the page of your tokens'))
    return problem(
      describeBlocked(asked.answer, {
        asked: `${origin}${path}`,
        effect: 'nobody can clone, fetch or push with git',
        remedy:
          'Let the proxy pass every path that begins with the name of a wiki and `.git/` on to the server.',
      }),
    );
  return ok(
    (headers['www-authenticate'] ?? '').includes('Basic')
      ? 'asks for a token of a person'
      : 'needs a token, for which it does not ask here: give it the token yourself (docs/git.md)',
    null,
  );
}

/** All that an answer of 401 says. AWS may rename the header. */
function challengeIn({ headers, text }: Answer): string {
  return [headers['www-authenticate'], headers['x-amzn-remapped-www-authenticate'], text].flat().join('\n');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema takes it.
    return null;
  }
}

const NO_AGENTS = {
  effect: 'no client of MCP can connect',
  remedy: 'Let the proxy pass /mcp on to the server, for every method, and its answers back unchanged.',
};

/** Requests that are refused for what they say: nothing is kept of them. */
const REFUSED = [
  [
    '/_/oauth/token',
    'application/x-www-form-urlencoded',
    'grant_type=refresh_token&refresh_token=none&client_id=pagetree-doctor',
    'invalid_client',
  ],
  ['/_/oauth/register', 'application/json', '{}', 'invalid_client_metadata'],
] as const;
