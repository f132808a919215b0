import { type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';

/**
 * The fault of a request whose params do not fit its method, in a sentence. The SDK answers such a request with an
 * internal error that repeats each fault. Calls of tools have answers of their own.
 */
export function faultOfRequest(request: JSONRPCRequest): string | null {
  const checked = SCHEMAS.get(request.method)?.['~standard'].validate(request);
  const issue = checked?.issues?.[0];
  if (issue === undefined) return null;
  const place = (issue.path ?? []).map(String).join('.').slice(0, MAX_PLACE);
  return `${request.method} does not take this: ${place}: ${issue.message.slice(0, MAX_MESSAGE)}.`;
}

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
