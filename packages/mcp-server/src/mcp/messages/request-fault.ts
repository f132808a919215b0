import {
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  specTypeSchemas,
} from '@modelcontextprotocol/server';

/**
 * The fault of a request whose params do not fit its method, in a sentence. The SDK answers such a request with an
 * internal error that repeats each fault. Calls of tools have answers of their own.
 */
export function faultOfRequest(request: JSONRPCRequest): string | null {
  if (!isMethodOfItsEra(request)) return null;
  const checked = SCHEMAS.get(request.method)?.['~standard'].validate(request);
  const issue = checked?.issues?.[0];
  if (issue === undefined) return null;
  const place = (issue.path ?? []).map(String).join('.').slice(0, MAX_PLACE);
  return `${request.method} does not take this: ${place}: ${issue.message.slice(0, MAX_MESSAGE)}.`;
}

/** False for a request from 2026-07-28 on whose method there is not, or no longer. Older ones may name any. */
export function isMethodOfItsEra({ method, params }: JSONRPCRequest): boolean {
  if (params?._meta?.[PROTOCOL_VERSION_META_KEY] === undefined) return true;
  return method === 'tools/call' || (SCHEMAS.has(method) && !OLD_METHODS.has(method));
}

const OLD_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'logging/setLevel',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
]);

const MAX_PLACE = 100;
const MAX_MESSAGE = 300;

type Schema = {
  '~standard': { validate(value: unknown): { readonly issues?: readonly Issue[] | undefined } };
};
type Issue = { readonly message: string; readonly path?: readonly unknown[] | undefined };

const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['ping', specTypeSchemas.PingRequest],
  ['completion/complete', specTypeSchemas.CompleteRequest],
  ['logging/setLevel', specTypeSchemas.SetLevelRequest],
  ['prompts/get', specTypeSchemas.GetPromptRequest],
  ['prompts/list', specTypeSchemas.ListPromptsRequest],
  ['resources/list', specTypeSchemas.ListResourcesRequest],
  ['resources/templates/list', specTypeSchemas.ListResourceTemplatesRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
  ['resources/subscribe', specTypeSchemas.SubscribeRequest],
  ['resources/unsubscribe', specTypeSchemas.UnsubscribeRequest],
  ['server/discover', specTypeSchemas.DiscoverRequest],
  ['subscriptions/listen', specTypeSchemas.SubscriptionsListenRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
]);
