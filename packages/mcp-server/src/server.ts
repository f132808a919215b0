import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type Implementation,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '@pagetree/wiki/contract';
import { callTool, type ToolHost } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { describeError } from './log.ts';
import { listTools } from './tool-list.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves the wiki's tools to the one client at the other end of `transport`. */
export async function serve(host: ToolHost, version: string, transport: Transport): Promise<void> {
  const server = new Server(
    { name: 'pagetree', title: 'Pagetree', version },
    { capabilities: { tools: {} }, instructions },
  );
  const tools = listTools(host.tools);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  // Not `setRequestHandler`: that answers arguments which are no object with a protocol error that models never
  // see, where an answer of the tool tells them what to correct.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== 'tools/call') throw methodNotFound();
    return callTool(host, {
      name: params?.name,
      arguments: params?.arguments,
      agent: agentOf(server.getClientVersion()),
      signal: extra.signal,
      progress: progressOf(extra, host),
    });
  };
  server.onerror = (error) => host.log(describeError(error));
  await server.connect(transport);
}

/** The client's name and version, as one line that can stand in a commit's trailer. */
function agentOf(client: Implementation | undefined): string | null {
  if (client === undefined) return null;
  const line = `${client.name}/${client.version}`.replaceAll(/[\p{Cc}\s<>]+/gu, ' ').trim();
  return line.slice(0, 200).toWellFormed();
}

function progressOf(extra: Extra, host: ToolHost): Call['progress'] {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (done, total, message) => {
    const params = { progressToken, progress: done, ...(total > 0 && { total }), message };
    // Progress is a courtesy: a client that cannot be told is no reason to end the work.
    extra
      .sendNotification({ method: 'notifications/progress', params })
      .catch((error: unknown) => host.log(`progress was not sent: ${describeError(error)}`));
  };
}

/** A plain error with a code: the SDK's own error class repeats its prefix at the client. */
function methodNotFound(): Error {
  return Object.assign(new Error('Method not found'), { code: ErrorCode.MethodNotFound });
}
