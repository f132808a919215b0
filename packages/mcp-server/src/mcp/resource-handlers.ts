import type { ServerContext } from '@modelcontextprotocol/server';
import type { Author, Call, Scope, Wiki } from '@pagetree/wiki/contract';
import { complete } from './completions.ts';
import { agentOf, type EraServer, orProtocolError } from './request-context.ts';
import { listResources, readResource, templates } from './resources.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Turns } from './turns.ts';

export interface ResourceHost {
  wiki: Wiki;
  author: Author;
  scope: Scope | null;
}

/** Answers the requests for resources and completions. */
export function serveResources(
  served: EraServer,
  host: ResourceHost,
  turns: Turns,
  subscriptions: Subscriptions,
): void {
  const { server, era, connection } = served;
  const { wiki } = host;
  const callOf = (context: ServerContext): Call => ({
    caller: { author: host.author, agent: agentOf(served, context) },
    scope: host.scope ?? undefined,
    signal: context.mcpReq.signal,
  });
  /** Runs `work` in the turn of its request. */
  const inTurn = <Value>(
    context: ServerContext,
    work: (call: Call) => Promise<Value>,
    uri?: string,
  ): Promise<Value> =>
    turns.run(context.mcpReq.signal, () => orProtocolError(era, work(callOf(context)), uri));

  server.setRequestHandler('resources/list', ({ params }, context) =>
    inTurn(context, (call) => listResources(wiki, call, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => ({
    contents: [await inTurn(context, (call) => readResource(wiki, call, uri), uri)],
  }));
  server.setRequestHandler('completion/complete', async ({ params }, context) => ({
    completion: await inTurn(context, (call) =>
      complete(wiki, call, params.argument, params.context?.arguments ?? {}),
    ),
  }));
  // From 2026-07-28 on clients listen instead.
  if (era === 'modern' || !connection.lasts) return;
  server.setRequestHandler('resources/subscribe', async ({ params }, context) => {
    await inTurn(context, () => subscriptions.subscribe(params.uri));
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}
