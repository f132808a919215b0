import type { IncomingHttpHeaders } from 'node:http';
import { describeFailure } from './describe-failure.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Asked = { kind: 'answer'; answer: Answer } | { kind: 'problem'; sentence: string };

/**
 * Asks for an address as a browser does that nobody is logged in with; posts `body`, if there is one. Follows no redirect and
 * keeps no cookie. Not `fetch`, which always says that a script asks, and gets another answer than a person.
 */
export async function get(
  address: URL,
  timeoutMs: number,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Asked> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await ask(address, signal, { accept: 'text/html, */*', ...headers }, body);
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    return { kind: 'problem', sentence: describeFailure(reason, address, timeoutMs) };
  }
}

async function ask(
  address: URL,
  signal: AbortSignal,
  headers: Record<string, string>,
  body?: string,
): Promise<Asked> {
  // Loaded here: in the bundle every start would load it.
  const { request } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    request(
      address,
      { method: body === undefined ? 'GET' : 'POST', signal, headers, agent: false },
      async (response) => {
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
      },
    )
      .on('error', reject)
      .end(body);
  });
}

function tooLong({ host, pathname }: URL): string {
  return `${host} answers for ${pathname} with more than ${MAX_BYTES} bytes, as Pagetree and issuers never do. See what answers there.`;
}

/** Several times what any of these answers has. */
const MAX_BYTES = 2_000_000;
