import type { IncomingHttpHeaders } from 'node:http';
import { describeFailure } from './describe-failure.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Asked = { kind: 'answer'; answer: Answer } | { kind: 'problem'; sentence: string };

/**
 * Asks for an address as a browser does that nobody is logged in with. Follows no redirect and sends no cookie by itself.
 * Not `fetch`, which always says that a script asks, and gets another answer than a person.
 */
export function get(address: URL, timeoutMs: number, headers: Record<string, string> = {}): Promise<Asked> {
  return tried({ method: 'GET', address, headers, body: '' }, timeoutMs);
}

/** Sends a body, with the type that these headers say, in the same way. */
export function post(
  address: URL,
  timeoutMs: number,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<Asked> {
  return tried({ method: 'POST', address, headers, body }, timeoutMs);
}

interface Request {
  method: 'GET' | 'POST';
  address: URL;
  headers: Record<string, string>;
  body: string;
}

async function tried({ headers, ...asked }: Request, timeoutMs: number): Promise<Asked> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await ask({ ...asked, headers: { accept: 'text/html, */*', ...headers } }, signal);
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    return { kind: 'problem', sentence: describeFailure(reason, asked.address, timeoutMs) };
  }
}

async function ask({ method, address, headers, body }: Request, signal: AbortSignal): Promise<Asked> {
  // Loaded here: in the bundle every start would load it.
  const { request } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    request(address, { method, signal, headers, agent: false }, async (response) => {
      try {
        const parts: Buffer[] = [];
        let bytes = 0;
        for await (const part of response) {
          parts.push(part);
          bytes += part.length;
          // Leaving the loop closes the connection.
          if (bytes > MAX_BYTES) return resolve({ kind: 'problem', sentence: tooLong(address) });
        }
        const text = Buffer.concat(parts).toString();
        resolve({
          kind: 'answer',
          answer: { status: response.statusCode ?? 0, headers: response.headers, text },
        });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end(body);
  });
}

function tooLong({ host, pathname }: URL): string {
  return `${host} answers for ${pathname} with more than ${MAX_BYTES} bytes, as Pagetree and issuers never do. See what answers there.`;
}

/** Several times what any of these answers has. */
const MAX_BYTES = 2_000_000;
