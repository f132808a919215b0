import { WikiError } from '../contract/errors.ts';
import { quoted } from '../core/text/markdown/hidden-characters.ts';

export function notAllowed(path: string, directories: readonly string[]): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `${quoted(path)} is not in a directory whose files may be read and written.`,
      now:
        directories.length === 0
          ? 'No directory was allowed. Nothing was read or written.'
          : `Allowed are ${directories.join(', ')}. Nothing was read or written.`,
      next: 'Ask the person who runs this server to allow a directory, with --files DIRECTORY or PAGETREE_FILES, or use one of these.',
    },
    { local_path: path },
  );
}

/** The error that the system would return if nothing existed at a path. */
export function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, open ${quoted(path)}`), {
    code: 'ENOENT',
    errno: -2,
    syscall: 'open',
    path,
  });
}

export function notAFile(path: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `${quoted(path)} is not a file.`,
    now: 'Nothing was changed.',
    next: 'Name a file.',
  });
}

export function fileTooLarge(path: string, bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The file ${quoted(path)} has ${bytes} bytes or more; the most is ${most}.`,
      now: 'Nothing was changed.',
      next: 'Make it smaller, or give it in parts.',
    },
    { bytes, most },
  );
}
