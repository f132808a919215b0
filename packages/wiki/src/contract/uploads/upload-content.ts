import type { Reply, Request } from '../envelope.ts';
import { WikiError } from '../errors.ts';
import type { Output } from '../operations.ts';
import { refusedByContract } from '../versions/contract-difference.ts';
import type { Call } from '../wiki.ts';
import { type ContentReference, PART_BYTES } from './content-reference.ts';

/** Sends one request and returns the reply. Throws WikiError if there is none. */
type Ask = (request: Request) => Promise<Reply>;

/** A call whose bytes do not fit one request. */
export interface LongCall {
  /** The request without the bytes. */
  request: Request;
  bytes: Uint8Array;
  progress: Call['progress'];
}

/**
 * Sends the bytes of long calls in parts, before the call that names them. If an upload was interrupted and this process
 * makes the same call again, it sends only what is missing.
 */
export class ContentUploads {
  /** The names of uploads are made of it, so that nobody can guess them. */
  readonly #secret = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  readonly #underWay = new Set<string>();

  /** Uploads the bytes, then sends the call. Null if the other side is of a version that takes no parts. */
  async ask({ request, bytes, progress }: LongCall, send: { part: Ask; call: Ask }): Promise<Reply | null> {
    const sha256 = await digestOf(bytes);
    const upload = await this.#nameOf(request, sha256);
    this.#underWay.add(upload);
    try {
      const isTaken = await sendParts({ request, bytes, progress }, upload, send.part);
      if (!isTaken) return null;
      const reply = await send.call({ ...request, content: { upload, bytes: bytes.length, sha256 } });
      // Only now: an attempt whose answer was lost is repeated, and needs the parts again.
      await send.part(partRequest(request, { upload, drop: true })).catch(() => undefined);
      return reply;
    } finally {
      this.#underWay.delete(upload);
    }
  }

  /** The same name if the same call is made again, but not while it is under way: the first to end removes its parts. */
  async #nameOf({ operation, input, caller }: Request, sha256: string): Promise<string> {
    const named = [this.#secret, operation, (input as { wiki?: string }).wiki ?? null, caller, sha256];
    const name = (await digestOf(new TextEncoder().encode(JSON.stringify(named)))).slice(0, NAME_DIGITS);
    if (!this.#underWay.has(name)) return name;
    return hexOf(crypto.getRandomValues(new Uint8Array(NAME_DIGITS / 2)));
  }
}

/** False if the other side takes no parts. */
async function sendParts({ request, bytes, progress }: LongCall, upload: string, ask: Ask): Promise<boolean> {
  const held = new Set<number>();
  const total = bytes.length;
  for (let offset = 0; offset < total; offset += PART_BYTES) {
    progress?.(offset, total, 'sending');
    if (held.has(offset)) continue;
    const content = base64Of(bytes.subarray(offset, offset + PART_BYTES));
    const reply = await ask(partRequest(request, { upload, offset, total, content })).catch(nothingChanged);
    if (!reply.ok) {
      if (refusedByContract('upload_part', reply) !== null) return false;
      const { code, text, data } = reply.error;
      return nothingChanged(new WikiError(code, text, data));
    }
    for (const part of (reply.output as Output<'upload_part'>).parts) {
      if (part.bytes === Math.min(PART_BYTES, total - part.offset)) held.add(part.offset);
    }
  }
  return true;
}

/** Of a part that may or may not have arrived, nothing is in the wiki. */
function nothingChanged(error: unknown): never {
  if (!(error instanceof WikiError) || error.code !== 'write_state_unknown') throw error;
  const { happened } = error.text;
  const text = {
    happened: `${happened} That was while the bytes of the call were sent in parts.`,
    now: 'Nothing was changed.',
    next: 'Call again: what has arrived need not be sent again.',
  };
  throw new WikiError('backend_unavailable', text, error.data, { cause: error });
}

interface PartInput {
  upload: string;
  offset?: number;
  total?: number;
  content?: string;
  drop?: true;
}

/** A request for the wiki of the call, by its caller. */
function partRequest({ input, caller, scope }: Request, part: PartInput): Request {
  const { wiki } = input as { wiki?: string };
  const own = { ...(wiki !== undefined && { wiki }), ...part };
  return { pagetree: 1, operation: 'upload_part', input: own, caller, ...(scope && { scope }) };
}

export function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

async function digestOf(bytes: Uint8Array): Promise<ContentReference['sha256']> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const NAME_DIGITS = 32;
