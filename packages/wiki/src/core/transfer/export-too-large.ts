import { WikiError } from '../../contract/errors.ts';

/** @param bytes the size of the export, or the size that it would exceed. */
export function exportTooLarge(bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The export has ${bytes} bytes or more; this backend gives at most ${most} in one call.`,
      now: 'Nothing was exported.',
      next: 'Export one folder after the other, each by a server that is limited to it (`--scope FOLDER`), or ask the person who runs the wiki to clone its repository with `git clone --bare` where its files are; for a wiki on AWS docs/deploy.md says how, under "Mount the wikis by hand".',
    },
    { bytes, most },
  );
}
