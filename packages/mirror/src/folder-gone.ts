import { WikiError } from '@pagetree/wiki/contract';
import type { Disk } from './folder/disk.ts';
import { OWN_FOLDER, readId } from './folder/mirror-state.ts';

/** Throws unless the folder is the one of this mirror: an empty place where a disk is not mounted has no deleted files. */
export function requireFolder(disk: Disk, root: string, id: string): void {
  if (readId(disk, root) === id) return;
  throw new WikiError(
    'not_found',
    {
      happened: `The folder ${root} is not there any more, or lost its ${OWN_FOLDER}.`,
      now: 'Nothing was deleted in the wiki. The mirror has stopped.',
      next: 'Bring the folder back, and start the mirror again. To begin anew, start it with an empty folder.',
    },
    { folder: root },
  );
}

/** True if a mirror must stop, since its folder is gone. */
export function isFolderGone(error: unknown): boolean {
  return error instanceof WikiError && error.code === 'not_found' && typeof error.data.folder === 'string';
}
