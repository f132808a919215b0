import { ClientRequestSchema, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';

/**
 * The fault of a request whose params do not fit its method, in a sentence. The SDK answers such a request with an
 * internal error that repeats each fault. Calls of tools have answers of their own.
 */
export function faultOfRequest(request: JSONRPCRequest): string | null {
  const checked = SCHEMAS.get(request.method)?.safeParse(request);
  const issue = checked?.error?.issues[0];
  if (issue === undefined) return null;
  const place = issue.path.map(String).join('.').slice(0, MAX_PLACE);
  return `${request.method} does not take this: ${place}: ${issue.message.slice(0, MAX_MESSAGE)}.`;
}

const MAX_PLACE = 100;
const MAX_MESSAGE = 300;

const SCHEMAS = new Map(
  ClientRequestSchema.options.map((schema) => [schema.shape.method.value as string, schema]),
);
SCHEMAS.delete('tools/call');
