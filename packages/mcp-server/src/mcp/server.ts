import {
  type CacheHint,
  type ProtocolEra,
  ProtocolErrorCode,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describeError } from '../log.ts';
import { callTool, type ToolHost } from './call-tool.ts';
import { instructionsFor } from './instructions.ts';
import { prompts } from './prompts.ts';
import {
  agentOf,
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
import { Wire } from './wire.ts';

/** The served wiki, and the interval at which a client's subscriptions are checked. */
export interface ServerHost extends Omit<ToolHost, 'reportFailure'> {
  version: string;
  saving: FileSaving;
  watchEveryMs: number;
  /** Resolves when the client has read enough of the answers that there is room for another one. */
  room: () => Promise<void>;
}

/** As many calls as a client has reason to send at once. Each holds its answer in memory. */
const MAX_RUNNING = 64;
/** Each may watch many resources. */
const MAX_LISTENS = 100;

/**
 * Serves the wiki to the one client at the other end of `transport`: its tools, resources and prompts. The client's
 * first messages say by which era of the protocol. `close` ends what the client listens to.
 */
export function serve(host: ServerHost, transport: Transport): StdioServerHandle {
  const turns = new Turns(MAX_RUNNING, host.room);
  const tools = listTools(host.tools, host.saving);
  let current: Server | null = null;
  const call = { caller: { author: host.author, agent: null }, scope: host.scope ?? undefined };
  const subscriptions = new Subscriptions(host.wiki, call, host.watchEveryMs, (uri) => {
    current
      ?.sendResourceUpdated({ uri })
      // The client has gone, which the transport notices by itself.
      .catch((error: unknown) => host.log(`an update was not sent: ${describeError(error)}`));
  });
  /** Called a second time if a client asks by `server/discover` which versions there are and goes on with an older one. */
  const factory = ({ era }: { era: ProtocolEra }): Server => {
    const served = { server: newServer(host, era), era };
    serveTools(served, host, tools, turns);
    serveResources(served, host, turns, subscriptions);
    servePrompts(served.server);
    current = served.server;
    return served.server;
  };
  const onerror = (error: Error) => host.log(describeError(error));
  const wire = new Wire(transport, subscriptions, turns);
  return serveStdio(factory, { transport: wire, onerror, maxSubscriptions: MAX_LISTENS });
}

function newServer(host: ServerHost, era: ProtocolEra): Server {
  return new Server(
    { name: 'pagetree', title: 'Pagetree', version: host.version },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        // Deprecated from 2026-07-28 on.
        ...(era === 'legacy' && { logging: {} }),
      },
      instructions: instructionsFor(host.scope),
      cacheHints: {
        'server/discover': FIXED,
        'tools/list': FIXED,
        'prompts/list': FIXED,
        'resources/templates/list': FIXED,
      },
    },
  );
}

/** The same for as long as the process lives; another start may have other settings. Pages may change at any time. */
const FIXED: CacheHint = { ttlMs: 5 * 60_000, cacheScope: 'private' };

function serveTools(
  served: EraServer,
  host: ServerHost,
  tools: readonly ToolDescription[],
  turns: Turns,
): void {
  const { server, era } = served;
  const reportFailure: ToolHost['reportFailure'] = (data) => {
    if (era === 'modern') return;
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
