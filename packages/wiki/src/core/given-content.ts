import { WikiError } from '../contract/errors.ts';

/** The bytes that came with a call; `invalid_input` where none did. */
export function requireContent(
  operation: string,
  { content, local_path }: { content?: string | undefined; local_path?: string | undefined },
): Uint8Array {
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

export function contentTooLarge(what: string, bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `${what} has ${bytes} bytes; this backend takes and gives at most ${most} in one call.`,
      now: 'Nothing was changed.',
      next: 'Make it smaller, or use a clone of the wiki (see wiki_status) where there is one.',
    },
    { bytes, most },
  );
}
