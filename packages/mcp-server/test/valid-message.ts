import { specTypeSchemas } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** A request of a client, and the era of the protocol by which it is answered. */
export interface Asked {
  method: string;
  era: 'legacy' | 'modern';
}

/** The fault of a message of the server by the schemas of its era; null if nothing is. */
export function faultOfMessage(message: unknown, asked: Asked | undefined): string | null {
  const schemas: Schema[] = [specTypeSchemas.JSONRPCMessage];
  const { method, result } = message as { method?: string; result?: unknown };
  if (method !== undefined) schemas.push(specTypeSchemas.ServerNotification);
  const faults = schemas.map((schema) => faultBy(schema, message));
  if (result !== undefined && asked !== undefined) {
    const schema = RESULTS[asked.method];
    if (schema === undefined) return `${asked.method} has no result`;
    faults.push(faultBy(schema, result));
    if (asked.era === 'modern') {
      faults.push(faultBy(modernResult, result));
      if (CACHEABLE.has(asked.method)) faults.push(faultBy(cacheableResult, result));
    }
  }
  return faults.find((fault) => fault !== null) ?? null;
}

interface Schema {
  '~standard': { validate(value: unknown): unknown };
}

function faultBy(schema: Schema, value: unknown): string | null {
  const { issues } = schema['~standard'].validate(value) as {
    issues?: { message: string; path?: unknown[] }[];
  };
  const [issue] = issues ?? [];
  return issue === undefined ? null : `${(issue.path ?? []).join('.')}: ${issue.message}`;
}

const RESULTS: Readonly<Record<string, Schema>> = {
  initialize: specTypeSchemas.InitializeResult,
  ping: specTypeSchemas.EmptyResult,
  'completion/complete': specTypeSchemas.CompleteResult,
  'logging/setLevel': specTypeSchemas.EmptyResult,
  'prompts/get': specTypeSchemas.GetPromptResult,
  'prompts/list': specTypeSchemas.ListPromptsResult,
  'resources/list': specTypeSchemas.ListResourcesResult,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesResult,
  'resources/read': specTypeSchemas.ReadResourceResult,
  'resources/subscribe': specTypeSchemas.EmptyResult,
  'resources/unsubscribe': specTypeSchemas.EmptyResult,
  'server/discover': specTypeSchemas.DiscoverResult,
  'subscriptions/listen': specTypeSchemas.SubscriptionsListenResult,
  'tools/call': specTypeSchemas.CallToolResult,
  'tools/list': specTypeSchemas.ListToolsResult,
};

/** The SDK's public schemas do not ask for these fields, as results of both eras fit them. */
const modernResult = z.looseObject({
  resultType: z.literal('complete'),
  _meta: z.looseObject({
    'io.modelcontextprotocol/serverInfo': z.looseObject({ name: z.literal('pagetree') }),
  }),
});
const cacheableResult = z.looseObject({
  ttlMs: z.int().nonnegative(),
  cacheScope: z.enum(['public', 'private']),
});
const CACHEABLE: ReadonlySet<string> = new Set([
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/list',
]);
