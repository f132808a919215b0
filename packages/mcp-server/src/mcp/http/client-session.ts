import type { Implementation } from '@modelcontextprotocol/server';
import * as z from 'zod';

/**
 * Before 2026-07-28 a client names itself once, in `initialize`, and sends the session id of the answer with every later
 * request. This server keeps no sessions: the id itself says who the client is. `nonce` makes it unlike others.
 */
export function sessionIdFor(client: Implementation, nonce: string): string {
  const named = { name: client.name.slice(0, MAX_NAME), version: client.version.slice(0, MAX_NAME) };
  return Buffer.from(JSON.stringify({ ...named, nonce })).toString('base64url');
}

/** The client that a session id names; undefined if it is none of ours. */
export function clientOfSession(id: string | null): Implementation | undefined {
  if (id === null || id.length > MAX_ID) return undefined;
  try {
    const { name, version } = session.parse(JSON.parse(Buffer.from(id, 'base64url').toString('utf8')));
    return { name, version };
  } catch {
    // Another server's, or made up.
    return undefined;
  }
}

export function sessionOf(request: Request): string | null {
  return request.headers.get('mcp-session-id');
}

const MAX_NAME = 100;
const MAX_ID = 2_000;

const session = z.object({ name: z.string().max(MAX_NAME), version: z.string().max(MAX_NAME) });
