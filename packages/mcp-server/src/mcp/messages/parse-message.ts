import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { Line } from '../stdio/line-splitter.ts';
import { countValues } from './count-values.ts';
import { isRequest } from './message-kind.ts';
import { faultOfRequest } from './request-fault.ts';

/** Enough for a full batch of changes with the maximum number of edits. */
const MAX_VALUES = 150_000;
/** Each of them is checked for its type. */
const MAX_VALUES_BESIDE_TOOLS = 1_000;

/** A message, or the reason why the line is not one, with the id of its request if that can be read. */
export type Parsed = { kind: 'message'; message: JSONRPCMessage } | Refused;

export interface Refused {
  kind: 'refused';
  code: ProtocolErrorCode;
  reason: string;
  id: RequestId | undefined;
}

export function parseMessage(line: Line): Parsed {
  if (line.kind === 'too_long') {
    const reason = 'The message is over 10 MB. Nothing was done. Send less in one call.';
    return { kind: 'refused', code: ProtocolErrorCode.InvalidRequest, reason, id: idAtTheEnds(line) };
  }
  const values = countValues(line.text, MAX_VALUES);
  if (values > MAX_VALUES) return tooManyValues(MAX_VALUES, idAtTheEnds(endsOf(line.text)));
  let json: unknown;
  try {
    json = JSON.parse(line.text);
  } catch {
    // The parser's message quotes the input. The client only needs to know that it is not JSON.
    return {
      kind: 'refused',
      code: ProtocolErrorCode.ParseError,
      reason: 'The message is not JSON.',
      id: undefined,
    };
  }
  if (values > MAX_VALUES_BESIDE_TOOLS && !isToolCall(json)) {
    return tooManyValues(MAX_VALUES_BESIDE_TOOLS, idIn(json));
  }
  const parsed = specTypeSchemas.JSONRPCMessage['~standard'].validate(json);
  if (parsed.issues !== undefined) {
    const reason = 'The message is not a JSON-RPC 2.0 message.';
    return { kind: 'refused', code: ProtocolErrorCode.InvalidRequest, reason, id: idIn(json) };
  }
  const message = parsed.value;
  const fault = isRequest(message) ? faultOfRequest(message) : null;
  if (fault === null) return { kind: 'message', message };
  return { kind: 'refused', code: ProtocolErrorCode.InvalidParams, reason: fault, id: idIn(json) };
}

function tooManyValues(most: number, id: RequestId | undefined): Parsed {
  const reason = `The message has more than ${most} values. Nothing was done. Send less in one call.`;
  return { kind: 'refused', code: ProtocolErrorCode.InvalidRequest, reason, id };
}

function isToolCall(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'method' in json && json.method === 'tools/call';
}

function endsOf(text: string): { head: string; tail: string } {
  return { head: text.slice(0, END_CHARACTERS), tail: text.slice(-END_CHARACTERS) };
}

const END_CHARACTERS = 500;

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
