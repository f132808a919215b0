import { type ProtocolEra, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Wiki } from '@pagetree/wiki/contract';
import { describeError } from '../log.ts';
import { callTool, type ToolHost } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { CAPABILITIES, FIXED, serverInfo } from './introduction.ts';
import { prompts } from './prompts.ts';
import {
  agentOf,
  type Connection,
  type EraServer,
  progressOf,
  protocolError,
  traceparentOf,
  wantsStructure,
} from './request-context.ts';
import { serveResources } from './resource-handlers.ts';
import { Subscriptions } from './subscriptions.ts';
import { type FileSaving, listTools, type ToolDescription } from './tool-list.ts';
import { Turns } from './turns.ts';

/** The served wiki, and the interval at which the subscriptions of clients are checked. */
export interface ServerHost extends Omit<ToolHost, 'reportFailure'> {
  version: string;
  saving: FileSaving;
  watchEveryMs: number;
}

/** The parts that the servers of a process share. */
export interface Shared {
  tools: readonly ToolDescription[];
  turns: Turns;
  subscriptions: Subscriptions;
}

/** Makes the shared parts. Subscriptions ask `watched`. `room` resolves when another answer may take memory. */
export function shareOf(
  host: ServerHost,
  watched: Wiki,
  room: () => Promise<void>,
  updated: (uri: string) => void,
): Shared {
  const call = { caller: { author: host.author, agent: null }, scope: host.scope ?? undefined };
  return {
    tools: listTools(host.tools, host.saving),
    turns: new Turns(MAX_RUNNING, room),
    subscriptions: new Subscriptions(host.wiki, watched, call, host.watchEveryMs, updated),
  };
}

/** As many calls as clients have reason to send at once. Each holds its answer in memory. */
const MAX_RUNNING = 64;
/** The open `subscriptions/listen` requests. Each may watch many resources. */
export const MAX_LISTENS = 100;

/** A server of the wiki's tools, resources and prompts, for one era of the protocol and one connection. */
export function makeServer(
  host: ServerHost,
  shared: Shared,
  era: ProtocolEra,
  connection: Connection,
): Server {
  const served = { server: newServer(host, era, connection), era, connection };
  serveTools(served, host, shared);
  serveResources(served, host, shared.turns, shared.subscriptions);
  servePrompts(served.server);
  return served.server;
}

function newServer(host: ServerHost, era: ProtocolEra, { lasts, canListen }: Connection): Server {
  return new Server(serverInfo(host.version), {
    capabilities: {
      ...CAPABILITIES,
      ...(!canListen && { resources: {} }),
      // Deprecated from 2026-07-28 on.
      ...(era === 'legacy' && lasts && { logging: {} }),
    },
    instructions: instructionsFor(host.scope),
    cacheHints: {
      'server/discover': FIXED,
      'tools/list': FIXED,
      'prompts/list': FIXED,
      'resources/templates/list': FIXED,
    },
  });
}

function serveTools(served: EraServer, host: ServerHost, { tools, turns }: Shared): void {
  const { server, era, connection } = served;
  const reportFailure: ToolHost['reportFailure'] = (data) => {
    if (era === 'modern' || !connection.lasts) return;
    server
      .sendLoggingMessage({ level: 'error', logger: 'pagetree', data })
      // The client has gone, which the transport notices by itself.
      .catch((error: unknown) => host.log(`the client got no log message: ${describeError(error)}`));
  };
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  // Not `setRequestHandler`: that answers arguments that are not an object with a protocol error, which
  // models never see. An answer of the tool says what to correct.
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    if (method !== 'tools/call') throw protocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    const { signal } = context.mcpReq;
    const toolCall = {
      name: params?.name,
      arguments: params?.arguments,
      agent: agentOf(served, context),
      traceparent: traceparentOf(context),
      isStructured: wantsStructure(context),
      signal,
      progress: progressOf(context, host.log),
    };
    return turns.run(signal, () => callTool({ ...host, reportFailure }, toolCall));
  };
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ text: _, ...listed }) => ({ ...listed, arguments: [...listed.arguments] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    const given = params.arguments ?? {};
    const missing = prompt?.arguments.find(({ name, required }) => required && given[name] === undefined);
    if (prompt === undefined || missing !== undefined) {
      const names = prompts.map(({ name }) => name).join(', ');
      const sentence = missing
        ? `The prompt needs "${missing.name}".`
        : `There is no such prompt. There are ${names}.`;
      throw protocolError(ProtocolErrorCode.InvalidParams, sentence);
    }
    const message = { role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } };
    return { description: prompt.description, messages: [message] };
  });
}
