import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { parseMessage } from '../messages/parse-message.ts';
import { errorResponse } from './error-response.ts';

/** The longest message that is read, as over standard input. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The messages that are read at once may have as many bytes, beyond the small ones. */
const MAX_READ_BYTES = 8 * MAX_BYTES;
const SMALL_BYTES = 64 * 1024;
/** For a message of 10 MB over a slow line. A client that sends nothing keeps nobody waiting. */
const MAX_READ_MS = 60_000;

/** Reads the messages of requests, and holds a bounded number of their bytes. */
export class MessageReader {
  #heldBytes = 0;

  /** The message in the body of a request, or the answer that refuses it. `done` is called when it is held no longer. */
  async read(request: Request): Promise<{ message: JSONRPCMessage | Response; done: () => void }> {
    const held = { bytes: 0 };
    const done = () => {
      this.#heldBytes -= held.bytes;
      held.bytes = 0;
    };
    const take = (bytes: number): boolean => {
      const more = Math.max(bytes - SMALL_BYTES, 0) - held.bytes;
      if (more > 0 && this.#heldBytes + more > MAX_READ_BYTES) return false;
      held.bytes += Math.max(more, 0);
      this.#heldBytes += Math.max(more, 0);
      return true;
    };
    try {
      return { message: messageIn(await bodyOf(request, take)), done };
    } catch (error) {
      done();
      throw error;
    }
  }
}

function messageIn(text: string | Response): JSONRPCMessage | Response {
  if (text instanceof Response) return text;
  const parsed = parseMessage({ kind: 'line', text });
  if (parsed.kind === 'message') return parsed.message;
  const { code, id, reason } = parsed;
  // Params that do not fit are the matter of the request, not of HTTP.
  return errorResponse(code === ProtocolErrorCode.InvalidParams ? 200 : 400, reason, {}, { code, id });
}

/** The text of the body, or the answer that refuses it. */
async function bodyOf(request: Request, take: (bytes: number) => boolean): Promise<string | Response> {
  if (request.body === null) return '';
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return tooLong();
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // Ends the read that waits.
    void reader.cancel().catch(() => {});
  }, MAX_READ_MS);
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return errorResponse(408, 'The message did not come. Nothing was done. Send it again.');
      if (done) return Buffer.concat(chunks).toString('utf8');
      bytes += value.byteLength;
      if (bytes > MAX_BYTES) return tooLong();
      if (!take(bytes)) return tooManyAtOnce();
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function tooManyAtOnce(): Response {
  return errorResponse(503, 'Too many large messages come at once. Nothing was done. Send it again.');
}

function tooLong(): Response {
  return errorResponse(413, 'The message is over 10 MB. Nothing was done. Send less in one call.');
}
