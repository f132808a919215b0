import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Line } from './line-splitter.ts';

/** A message, or the reason why the line is not one, with the id of its request if that can be read. */
export type Parsed =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'refused'; code: ErrorCode; reason: string; id: RequestId | undefined };

export function parseMessage(line: Line): Parsed {
  if (line.kind === 'too_long') {
    const reason = 'The message is over 10 MB. Nothing was done. Send less in one call.';
    return { kind: 'refused', code: ErrorCode.InvalidRequest, reason, id: idAtTheEnds(line) };
  }
  let json: unknown;
  try {
    json = JSON.parse(line.text);
  } catch {
    // The parser's message quotes the input. The client only needs to know that it is not JSON.
    return { kind: 'refused', code: ErrorCode.ParseError, reason: 'The line is not JSON.', id: undefined };
  }
  const message = JSONRPCMessageSchema.safeParse(json);
  if (message.success) return { kind: 'message', message: message.data };
  const reason = 'The line is not a JSON-RPC 2.0 message.';
  return { kind: 'refused', code: ErrorCode.InvalidRequest, reason, id: idIn(json) };
}

function idIn(json: unknown): RequestId | undefined {
  if (typeof json !== 'object' || json === null || !('id' in json)) return undefined;
  return typeof json.id === 'string' || Number.isSafeInteger(json.id) ? (json.id as RequestId) : undefined;
}

const id = /"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")/.source;
const member = /"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"/.source;
const idAtTheHead = new RegExp(`^\\s*\\{\\s*(?:${member}\\s*,\\s*)*${id}\\s*,`);
const idAtTheTail = new RegExp(`${id}\\s*(?:,\\s*${member}\\s*)*\\}\\s*$`);

/** Clients write `params` between the short members, so the id is near one end of the line or the other. */
function idAtTheEnds({ head, tail }: { head: string; tail: string }): RequestId | undefined {
  const found = idAtTheHead.exec(head)?.[1] ?? idAtTheTail.exec(tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as RequestId);
}
