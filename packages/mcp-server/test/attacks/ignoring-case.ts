import { execFile } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPrograms } from '../../../../labs/requirements.ts';
import { temporaryDirectory } from '../built-server.ts';

const run = promisify(execFile);

/**
 * Clones a repository onto an NTFS that ignores case, in a file, and passes the clone to `look`. Throws if
 * this machine cannot mount such a file system.
 */
export async function cloneIgnoringCase(
  repository: string,
  look: (clone: string) => Promise<void>,
): Promise<void> {
  await installPrograms({ 'lowntfs-3g': 'ntfs-3g', mkntfs: 'ntfs-3g' });
  const directory = await temporaryDirectory();
  const [image, place] = [join(directory, 'image'), join(directory, 'mounted')];
  await writeFile(image, '');
  await truncate(image, IMAGE_BYTES);
  await mkdir(place);
  await run('mkntfs', ['--fast', '--force', '--quiet', image]);
  // Also refuses the names that Windows refuses.
  await run('lowntfs-3g', [image, place, '-o', 'ignore_case,windows_names']);
  try {
    await requireIgnoringCase(place);
    const clone = join(place, 'clone');
    await run('git', ['clone', '--quiet', repository, clone], { maxBuffer: 1 << 26 });
    await look(clone);
  } finally {
    await run('umount', [place]);
  }
}

const IMAGE_BYTES = 1_000_000_000;

async function requireIgnoringCase(place: string): Promise<void> {
  await writeFile(join(place, 'probe'), '');
  await writeFile(join(place, 'PROBE'), '', { flag: 'wx' }).then(
    () => {
      throw new Error('The file system that was mounted heeds case.');
    },
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}
