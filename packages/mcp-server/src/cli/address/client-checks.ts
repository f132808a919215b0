import * as z from 'zod';
import { ok, problem, type Result } from './checklist.ts';
import { type Answer, get } from './get.ts';
import { describeStranger, type Site } from './page-checks.ts';
import { shown } from './shown.ts';

/** Asks as an agent that has no token. The value is what the server says to it. */
export async function checkAgents({ origin, timeoutMs }: Site): Promise<Result<string>> {
  const asked = await get(new URL(AGENTS, origin), timeoutMs, JSON_ONLY);
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, text } = asked.answer;
  if (status !== 401) return problem(describeStranger(asked.answer, origin, AGENTS));
  return ok(`need a token of a person (${AGENTS} answers 401)`, text);
}

/** Sends a token that is none: the server answers it otherwise than no token at all. */
export async function checkTokens(toNone: string, { origin, timeoutMs }: Site): Promise<Result<null>> {
  const headers = { ...JSON_ONLY, authorization: 'Bearer doctor' };
  const asked = await get(new URL(AGENTS, origin), timeoutMs, headers);
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, text } = asked.answer;
  if (status !== 401) return problem(describeStranger(asked.answer, origin, AGENTS));
  if (text !== toNone) return ok('arrive', null);
  return problem(
    'The header Authorization does not arrive at the server, so that no agent and no git can log in. Let the proxy pass it on.',
  );
}

/** Posts what asks for nothing. */
export async function checkForms({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const asked = await get(new URL(AGENTS, origin), timeoutMs, JSON_ONLY, '{}');
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status } = asked.answer;
  if (status === 401) return ok('arrive', null);
  return problem(
    `${origin} answers ${status} to a POST, without which nobody can write a page, sign out, connect an agent or push. Let the proxy pass on every POST.`,
  );
}

const resource = z.object({ resource: z.string(), authorization_servers: z.array(z.string()).min(1) });
const server = z.object({ issuer: z.string(), token_endpoint: z.string() });

/** Goes the way of a client of MCP that knows the address alone, up to its request for a token. */
export async function checkConnecting(site: Site): Promise<Result<null>> {
  const described = await metadataAt(site, `/.well-known/oauth-protected-resource${AGENTS}`, resource);
  if (described.kind === 'problem') return described;
  if (described.value.resource !== `${site.origin}${AGENTS}`)
    return problem(otherAddress(site, described.value.resource));
  const authorization = await metadataAt(site, '/.well-known/oauth-authorization-server', server);
  if (authorization.kind === 'problem') return authorization;
  const { token_endpoint: endpoint } = authorization.value;
  const address = URL.parse(endpoint);
  if (address?.origin !== site.origin) return problem(otherAddress(site, endpoint));
  const asked = await get(address, site.timeoutMs, FORM, 'grant_type=authorization_code&code=doctor');
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status, text } = asked.answer;
  if ((status === 400 || status === 401) && z.object({ error: z.string() }).safeParse(parsed(text)).success)
    return ok('by the address alone, with a login', null);
  return problem(unconnected(asked.answer, site, address.pathname));
}

/** Asks as git does at first. */
export async function checkGit({ origin, timeoutMs }: Site): Promise<Result<null>> {
  const asked = await get(new URL(GIT, origin), timeoutMs, { accept: '*/*' });
  if (asked.kind === 'problem') return problem(asked.sentence);
  const { status } = asked.answer;
  if (status === 401) return ok('needs a token of a person (/WIKI.git answers 401)', null);
  return problem(
    `${origin}/WIKI.git answers ${status} to git, so that nobody can clone or push. Let the proxy pass on what ends with .git and what is below it.`,
  );
}

async function metadataAt<Value>(
  { origin, timeoutMs }: Site,
  path: string,
  schema: z.ZodType<Value>,
): Promise<Result<Value>> {
  const asked = await get(new URL(path, origin), timeoutMs, JSON_ONLY);
  if (asked.kind === 'problem') return problem(asked.sentence);
  const read = asked.answer.status === 200 ? schema.safeParse(parsed(asked.answer.text)) : null;
  if (read?.success !== true) return problem(unconnected(asked.answer, { origin, timeoutMs }, path));
  return ok('', read.data);
}

function unconnected({ status }: Answer, { origin }: Site, path: string): string {
  return `${origin}${path} answers ${status}, and not as Pagetree does, so that no agent can be connected by the address alone. Let the proxy pass on what is below /.well-known/ and /_/.`;
}

function otherAddress({ origin }: Site, named: string): string {
  return `The server tells agents to ask ${shown(named)}, which is not below ${origin}. Start it with --public-url ${origin}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema names the fault.
    return null;
  }
}

const AGENTS = '/mcp';
const GIT = '/main.git/info/refs?service=git-upload-pack';
const JSON_ONLY = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const FORM = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
