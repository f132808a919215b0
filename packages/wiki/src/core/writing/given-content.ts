import { WikiError } from '../../contract/errors.ts';
import type { Call } from '../../contract/wiki.ts';

/** The bytes that came with a call; `invalid_input` if there are none. */
export function requireContent(
  operation: string,
  { content, local_path }: { content?: string | undefined; local_path?: string | undefined },
  { bytes }: Pick<Call, 'bytes'>,
): Uint8Array {
  if (bytes !== undefined) return bytes;
  if (content !== undefined) return Buffer.from(content, 'base64');
  throw new WikiError('invalid_input', {
    happened:
      local_path === undefined
        ? `The arguments of ${operation} do not fit: local_path is missing.`
        : `The wiki was asked for ${JSON.stringify(local_path.slice(0, 200))}, but is not on the machine where that file is.`,
    now: 'Nothing was changed.',
    next: 'Call the tool of a Pagetree server that runs on the machine with the file, with local_path.',
  });
}

/** A file's bytes for an output: null if the caller takes the raw bytes instead. */
export function contentOf(bytes: Uint8Array, { takeBytes }: Pick<Call, 'takeBytes'>): string | null {
  if (takeBytes === undefined)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  takeBytes(bytes);
  return null;
}

export function contentTooLarge(what: string, bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `${what} has ${bytes} bytes; this backend takes and gives at most ${most} in one call.`,
      now: 'Nothing was changed.',
      next: 'Make it smaller, or use a clone of the wiki (see wiki_status) if there is one.',
    },
    { bytes, most },
  );
}
