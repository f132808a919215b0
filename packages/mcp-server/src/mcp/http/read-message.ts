import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { parseMessage } from '../messages/parse-message.ts';
import { errorResponse } from './error-response.ts';

/** The longest message that is read, as over standard input. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The message in the body of a request, or the answer that refuses it. */
export async function readMessage(request: Request): Promise<JSONRPCMessage | Response> {
  const text = await bodyOf(request);
  if (text === null)
    return errorResponse(413, 'The message is over 10 MB. Nothing was done. Send less in one call.');
  const parsed = parseMessage({ kind: 'line', text });
  if (parsed.kind === 'message') return parsed.message;
  const { code, id, reason } = parsed;
  // Params that do not fit are the matter of the request, not of HTTP.
  return errorResponse(code === ProtocolErrorCode.InvalidParams ? 200 : 400, reason, {}, { code, id });
}

/** The text of the body; null if it is too long. */
async function bodyOf(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
