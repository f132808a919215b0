import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  type ProtocolEra,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { type Call, toWikiError } from '@pagetree/wiki/contract';
import { describeError, type Log } from '../log.ts';

/** A server for one era of the protocol: from 2026-07-28 on requests describe themselves, before it `initialize` did. */
export interface EraServer {
  server: Server;
  era: ProtocolEra;
}

/** The client's name and version, as one line that fits a commit's trailer; null if it gave none. */
export function agentOf({ server, era }: EraServer, context: ServerContext): string | null {
  // The SDK has checked it, and its type does not name it.
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined;
  const client = era === 'modern' ? envelope?.[CLIENT_INFO_META_KEY] : server.getClientVersion();
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
    if (code === 'not_found') {
      const missing = era === 'modern' ? ProtocolErrorCode.InvalidParams : OLD_NOT_FOUND;
      throw protocolError(missing, message, uri === undefined ? undefined : { uri });
    }
    const isOfTheCaller = code === 'invalid_input' || code === 'invalid_path' || code === 'too_large';
    throw protocolError(
      isOfTheCaller ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      message,
    );
  }
}

/** A plain error with a code: clients show the code's name twice if the SDK's own error class is thrown. */
export function protocolError(code: number, message: string, data?: { uri: string }): ProtocolFailure {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

type ProtocolFailure = Error & { code: number };

/**
 * Stands for -32002, the code of a missing resource before 2026-07-28, until the wire writes it: the SDK (2.4.0)
 * replaces that code with -32602 in both eras.
 */
export const OLD_NOT_FOUND = -1_032_002;
