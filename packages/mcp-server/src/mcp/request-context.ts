import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCMessage,
  type ProtocolEra,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { type Call, toWikiError } from '@pagetree/wiki/contract';
import { describeError, type Log } from '../log.ts';
import { isError } from './messages/message-kind.ts';

/** A server for one era of the protocol: from 2026-07-28 on requests describe themselves, before it `initialize` did. */
export interface EraServer {
  server: Server;
  era: ProtocolEra;
  connection: Connection;
}

/** How the client of a server reaches it. */
export interface Connection {
  /** True if it lasts beyond one request: only then can a message be sent that no request asked for. */
  lasts: boolean;
  /** True if the client can listen to changes. */
  canListen: boolean;
  /** The client as an earlier request named it; undefined if this connection says so itself. */
  client: Implementation | undefined;
}

/** The client's name and version, as one line that fits a commit's trailer; null if it gave none. */
export function agentOf({ server, era, connection }: EraServer, context: ServerContext): string | null {
  // The SDK has checked it, and its type does not name it.
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined;
  const named = connection.client ?? server.getClientVersion();
  const client = era === 'modern' ? envelope?.[CLIENT_INFO_META_KEY] : named;
  if (client === undefined) return null;
  const line = `${client.name}/${client.version}`.replaceAll(/[\p{Cc}\s<>]+/gu, ' ').trim();
  return line.slice(0, 200).toWellFormed();
}

/** The trace context that came with a request, as W3C writes it. */
export function traceparentOf({ mcpReq }: ServerContext): string | undefined {
  const given = mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined;
}

/** True for a program that asks for `structuredContent`, which hides the text from the models of some clients (ADR 13). */
export function wantsStructure({ mcpReq }: ServerContext): boolean {
  return mcpReq._meta?.[STRUCTURED_KEY] === true;
}

const STRUCTURED_KEY = 'pagetree/structured';

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

export function progressOf({ mcpReq }: ServerContext, log: Log): Call['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (done, total, message) => {
    const params = { progressToken, progress: done, ...(total > 0 && { total }), message };
    // Progress is a courtesy: if a client cannot be reached, the work still goes on.
    mcpReq
      .notify({ method: 'notifications/progress', params })
      .catch((error: unknown) => log(`progress was not sent: ${describeError(error)}`));
  };
}

/**
 * Turns the error of a resource or a completion into a protocol error; only tools have error answers of their
 * own.
 */
export async function orProtocolError<Value>(
  era: ProtocolEra,
  work: Promise<Value>,
  uri?: string,
): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = toWikiError(error);
    const data = uri === undefined ? undefined : { uri };
    if (code === 'not_found') {
      throw protocolError(era === 'modern' ? ProtocolErrorCode.InvalidParams : OLD_NOT_FOUND, message, data);
    }
    const isOfTheCaller = code === 'invalid_input' || code === 'invalid_path' || code === 'too_large';
    const kind = isOfTheCaller ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw protocolError(kind, message, data);
  }
}

/** A plain error with a code: clients show the code's name twice if the SDK's own error class is thrown. */
export function protocolError(code: number, message: string, data?: { uri: string }): ProtocolFailure {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

type ProtocolFailure = Error & { code: number };

/** Stands for -32002 until a message leaves: the SDK (2.4.0) replaces that code with -32602 in both eras. */
const OLD_NOT_FOUND = -1_032_002;

/** The message as it leaves, with the code that a missing resource had before 2026-07-28. */
export function withOldCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!isError(message) || message.error.code !== OLD_NOT_FOUND) return message;
  return { ...message, error: { ...message.error, code: -32_002 } };
}
