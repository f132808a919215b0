import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type Implementation,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Call, toWikiError } from '@pagetree/wiki/contract';
import { describeError } from '../log.ts';
import { callTool, type ToolHost } from './call-tool.ts';
import { complete } from './completions.ts';
import { instructionsFor } from './instructions.ts';
import { prompts } from './prompts.ts';
import { listResources, readResource, templates } from './resources.ts';
import { Subscriptions } from './subscriptions.ts';
import { type FileSaving, listTools } from './tool-list.ts';
import { Turns } from './turns.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

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

/** Serves the wiki to the one client at the other end of `transport`: its tools, resources and prompts. */
export async function serve(host: ServerHost, transport: Transport): Promise<void> {
  const server = new Server(
    { name: 'pagetree', title: 'Pagetree', version: host.version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
      instructions: instructionsFor(host.scope),
    },
  );
  const turns = new Turns(MAX_RUNNING, host.room);
  serveTools(server, host, turns);
  serveResources(server, host, turns);
  servePrompts(server);
  server.onerror = (error) => host.log(describeError(error));
  await server.connect(transport);
}

function serveTools(server: Server, host: ServerHost, turns: Turns): void {
  const reportFailure: ToolHost['reportFailure'] = (data) => {
    server
      .sendLoggingMessage({ level: 'error', logger: 'pagetree', data })
      // The client has gone, which the transport notices by itself.
      .catch((error: unknown) => host.log(`the client got no log message: ${describeError(error)}`));
  };
  const tools = listTools(host.tools, host.saving);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  // Not `setRequestHandler`: that answers arguments that are not an object with a protocol error, which
  // models never see. An answer of the tool says what to correct.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== 'tools/call') throw protocolError(ErrorCode.MethodNotFound, 'Method not found');
    const agent = agentOf(server.getClientVersion());
    const progress = progressOf(extra, host);
    const { signal } = extra;
    const toolCall = { name: params?.name, arguments: params?.arguments, agent, signal, progress };
    return turns.run(signal, () => callTool({ ...host, reportFailure }, toolCall));
  };
}

function serveResources(server: Server, host: ServerHost, turns: Turns): void {
  const { wiki } = host;
  const callOf = (extra?: Extra): Call => ({
    caller: { author: host.author, agent: agentOf(server.getClientVersion()) },
    scope: host.scope ?? undefined,
    signal: extra?.signal,
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    turns.run(extra.signal, () => orProtocolError(listResources(wiki, callOf(extra), params?.cursor))),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: templates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => ({
    contents: [
      await turns.run(extra.signal, () => orProtocolError(readResource(wiki, callOf(extra), params.uri))),
    ],
  }));
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, extra) => ({
    completion: await turns.run(extra.signal, () =>
      orProtocolError(complete(wiki, callOf(extra), params.argument, params.context?.arguments ?? {})),
    ),
  }));

  const subscriptions = new Subscriptions(wiki, callOf(), host.watchEveryMs, (uri) => {
    server
      .sendResourceUpdated({ uri })
      // The client has gone, which the transport notices by itself.
      .catch((error: unknown) => host.log(`an update was not sent: ${describeError(error)}`));
  });
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }, { signal }) => {
    await turns.run(signal, () => orProtocolError(subscriptions.subscribe(params.uri)));
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ text: _, ...listed }) => ({ ...listed, arguments: [...listed.arguments] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    const given = params.arguments ?? {};
    const missing = prompt?.arguments.find(({ name, required }) => required && given[name] === undefined);
    if (prompt === undefined || missing !== undefined) {
      const names = prompts.map(({ name }) => name).join(', ');
      const sentence = missing
        ? `The prompt needs "${missing.name}".`
        : `There is no such prompt. There are ${names}.`;
      throw protocolError(ErrorCode.InvalidParams, sentence);
    }
    const message = { role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } };
    return { description: prompt.description, messages: [message] };
  });
}

/** The client's name and version, as one line that fits a commit's trailer. */
function agentOf(client: Implementation | undefined): string | null {
  if (client === undefined) return null;
  const line = `${client.name}/${client.version}`.replaceAll(/[\p{Cc}\s<>]+/gu, ' ').trim();
  return line.slice(0, 200).toWellFormed();
}

function progressOf(extra: Extra, host: ServerHost): Call['progress'] {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (done, total, message) => {
    const params = { progressToken, progress: done, ...(total > 0 && { total }), message };
    // Progress is a courtesy: if a client cannot be reached, the work still goes on.
    extra
      .sendNotification({ method: 'notifications/progress', params })
      .catch((error: unknown) => host.log(`progress was not sent: ${describeError(error)}`));
  };
}

/** MCP's own code for a missing resource. */
const resourceNotFound = -32_002;

/**
 * Turns the error of a resource or a completion into a protocol error; only tools have error answers of their
 * own.
 */
async function orProtocolError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = toWikiError(error);
    if (code === 'not_found') throw protocolError(resourceNotFound, message);
    const isOfTheCaller = code === 'invalid_input' || code === 'invalid_path' || code === 'too_large';
    throw protocolError(isOfTheCaller ? ErrorCode.InvalidParams : ErrorCode.InternalError, message);
  }
}

/** A plain error with a code: the SDK's own error class repeats its prefix at the client. */
function protocolError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
