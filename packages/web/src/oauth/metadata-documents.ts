import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { checkedLookup, PUBLIC, type Reaching, requireAllowed } from '@pagetree/outbound/reaching';
import { readRegistration } from './registration.ts';

/**
 * Fetches the metadata document of a client, for the provider. The client names the address, so it must be one of
 * the public Internet: the name is looked up once, and the connection is made to an address that was checked. Redirects
 * are not followed. Of the document is taken what of a registration is taken.
 */
export async function fetchDocument(
  address: string,
  signal: AbortSignal | undefined,
  reaching = PUBLIC,
): Promise<Response> {
  const url = new URL(address);
  if (url.protocol !== 'https:') throw new Error('it is not https');
  requireAllowed(url, reaching);
  const { status, text } = await load(url, signal, reaching);
  if (status !== 200) return new Response(null, { status: status >= 300 && status < 600 ? status : 502 });
  const document = JSON.parse(text) as { client_id?: unknown };
  const read = readRegistration(text);
  if (read.kind === 'fault') throw new Error(read.description);
  return Response.json(
    { ...JSON.parse(read.body), client_id: document.client_id },
    { headers: { 'Cache-Control': `max-age=${KEPT_S}` } },
  );
}

function load(
  url: URL,
  signal: AbortSignal | undefined,
  reaching: Reaching,
): Promise<{ status: number; text: string }> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      ...{ lookup: checkedLookup(reaching), signal: AbortSignal.any(signals), agent: false },
      ...{ maxHeaderSize: MAX_BYTES, ca: reaching.ca },
      headers: { accept: 'application/json', 'user-agent': 'Pagetree' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) sent.destroy(new Error(`it has more than ${MAX_BYTES} bytes`));
      });
      buffer(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, text: body.toString('utf8') }),
        reject,
      );
    });
    sent.end();
  });
}

const MAX_BYTES = 16_000;
const TIMEOUT_MS = 3_000;
/** A document that changes counts after five minutes. */
const KEPT_S = 300;
