import { limits } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import type { Room, Share } from '../room.ts';

/** The reason why a form cannot be read, in the words of a person. */
export class UnreadableForm extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/**
 * The fields of a posted form, of at most `most` bytes. Throws UnreadableForm. `share` holds the memory of the form until
 * it is given back.
 */
export async function readForm(
  context: Context,
  most: number,
  memory: Room,
): Promise<{ form: FormData; share: Share }> {
  const type = context.req.header('content-type') ?? '';
  if (!FORM_TYPES.includes(type.split(';')[0]?.trim().toLowerCase() ?? '')) {
    throw new UnreadableForm(415, 'This was not sent by a form of this wiki.');
  }
  const length = Number(context.req.header('content-length')) || most;
  const share = await memory.take(Math.min(length, most) * COPIES, context.req.raw.signal);
  try {
    const bytes = await readBytes(context.req.raw.body, most);
    if (bytes === null) throw tooLarge(most);
    return { form: await parse(bytes, type), share };
  } catch (error) {
    share.keep(0);
    throw error;
  }
}

/** A page and its fields: each line feed arrives as two bytes. */
export const MAX_PAGE_FORM_BYTES = 2 * limits.pageBytes + 100_000;
/** A file and its fields. */
export const MAX_FILE_FORM_BYTES = limits.attachmentBytes + 100_000;

/** These and `text/plain` are what a foreign page may send without asking first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
/** As it arrives, parsed, and as the bytes of a file. */
const COPIES = 3;

/** Null if there are more. Reads these too, and forgets them: most browsers read no answer before they have sent all. */
async function readBytes(body: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size <= most) parts.push(part);
    else parts.length = 0;
  }
  return size > most ? null : Buffer.concat(parts);
}

async function parse(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    const body = bytes as Uint8Array<ArrayBuffer>;
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new UnreadableForm(400, 'The form arrived in pieces. Send it again.');
  }
}

function tooLarge(most: number): UnreadableForm {
  return new UnreadableForm(413, `This is too large: a form may have ${Math.floor(most / 1_000_000)} MB.`);
}
