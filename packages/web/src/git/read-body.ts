import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Room, Share } from '../site/room.ts';
import { Refusal } from './refusal.ts';

/** The bytes of a request and the memory that they take, which the caller gives back. */
export interface Body {
  bytes: Uint8Array;
  share: Share;
}

/** The refusal of a request that has too many bytes. */
export class TooLarge extends Refusal {
  /** The first bytes. Empty if the rest was not read. */
  readonly beginning: Uint8Array;

  constructor(most: number, beginning: Uint8Array = new Uint8Array(0)) {
    super(413, `This is too large: a request may have ${Math.floor(most / 1_000_000)} MB.`);
    this.beginning = beginning;
  }
}

interface Bounds {
  /** The most bytes, once inflated. */
  most: number;
  memory: Room;
  /** True to read and forget the rest of what is too large: git reads no answer before it has sent all. */
  drains?: boolean;
}

/**
 * Reads the bytes of a request. Stops to inflate at the first byte too many, so that a small body cannot become a large one
 * in memory. Throws Refusal, and `busy` if there is no memory for it.
 */
export async function readBody(request: Request, { most, memory, drains = false }: Bounds): Promise<Body> {
  const isDrained = drains && encodingOf(request) === 'identity';
  // Without gzip a length is known before anything is read.
  if (!isDrained && Number(request.headers.get('content-length')) > most) throw new TooLarge(most);
  const shares: Share[] = [];
  const share: Share = {
    keep: (amount) => {
      for (const each of shares.splice(0)) each.keep(amount);
    },
  };
  const parts: Uint8Array[] = [];
  let beginning: Buffer | null = null;
  let size = 0;
  let taken = 0;
  try {
    for await (const part of inflated(request)) {
      size += part.length;
      if (size <= most) {
        for (; taken < size; taken += STEP_BYTES) shares.push(memory.takeIfFree(STEP_BYTES));
        parts.push(part);
      } else if (!isDrained) throw new TooLarge(most);
      else if (beginning === null) {
        beginning = Buffer.concat([...parts, part], Math.min(size, BEGINNING_BYTES));
        parts.length = 0;
        share.keep(0);
      }
    }
    if (beginning !== null) throw new TooLarge(most, beginning);
    return { bytes: Buffer.concat(parts), share };
  } catch (error) {
    share.keep(0);
    throw error;
  }
}

function encodingOf({ headers }: Request): string {
  return headers.get('content-encoding')?.toLowerCase() ?? 'identity';
}

async function* inflated(request: Request): AsyncGenerator<Uint8Array> {
  const { body } = request;
  if (body === null) return;
  const encoding = encodingOf(request);
  if (encoding === 'identity') return yield* body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new Refusal(415, 'A body may be compressed by gzip alone.');
  }
  const sent = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  const gunzip = createGunzip();
  sent.on('error', (error) => gunzip.destroy(error));
  try {
    // Leaving the loop early destroys the decompressor.
    for await (const part of sent.pipe(gunzip)) yield part as Buffer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new Refusal(400, 'The body is not what gzip makes, or it is cut off.');
    }
    throw error;
  } finally {
    sent.destroy();
  }
}

/** A push names its refs in fewer bytes. */
const BEGINNING_BYTES = 65_536;
const STEP_BYTES = 1_000_000;
