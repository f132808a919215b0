import { link, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { alreadyThere } from './local-files.ts';

/** Writes a file that was not there, whole or not at all. Throws `already_exists` and `backend_unavailable`. */
export async function saveFile(place: string, bytes: Uint8Array): Promise<void> {
  await besideFirst(place, async (aside) => {
    const whole = join(aside, basename(place));
    await writeNew(whole, bytes);
    await moveToNew(whole, place);
  });
}

/** Writes the files of a zip that export_wiki made as a folder that was not there, whole or not at all. Throws the same. */
export async function saveFolder(place: string, zip: Uint8Array): Promise<void> {
  const { unpackExport } = await import('@pagetree/wiki');
  await besideFirst(place, async (aside) => {
    const whole = join(aside, basename(place));
    await mkdir(whole);
    for await (const { path, content } of unpackExport(zip)) {
      const file = join(whole, ...path.split('/'));
      // The repository may have been made elsewhere, with any names.
      if (!file.startsWith(whole + sep)) throw cannotBeFile(path);
      await mkdir(dirname(file), { recursive: true });
      await writeNew(file, content).catch((error: unknown) => {
        // Such as Home.md beside home.md, which are one file to some systems.
        throw hasCode(error, ['EEXIST']) ? cannotBeFile(path) : error;
      });
    }
    await rename(whole, place).catch((error: unknown) => {
      throw hasCode(error, ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']) ? alreadyThere(place) : error;
    });
  });
}

/** With a folder beside the place, which is there no more when all is done or something failed. */
async function besideFirst(place: string, save: (aside: string) => Promise<void>): Promise<void> {
  try {
    const aside = await mkdtemp(join(dirname(place), '.pagetree-part-'));
    try {
      await save(aside);
    } finally {
      // What was saved is saved, also where a scanner still holds what is left over.
      await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    }
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? cannotSave(place, error) : error;
  }
}

/** Writes a file that was not there, so that it stays after a power cut. */
async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename would replace what is there; a link does not. */
async function moveToNew(whole: string, place: string): Promise<void> {
  try {
    await link(whole, place);
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) throw alreadyThere(place);
    if (!hasCode(error, NO_HARD_LINKS)) throw error;
    // So this process makes sure first that what it replaces is its own.
    await (
      await open(place, 'wx').catch((cause: unknown) => {
        throw hasCode(cause, ['EEXIST']) ? alreadyThere(place) : cause;
      })
    ).close();
    await rename(whole, place).catch(async (cause: unknown) => {
      await rm(place, { force: true });
      throw cause;
    });
  }
}

/** What disks answer that know no such links, such as a memory stick's. */
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EMLINK', 'EISDIR', 'UNKNOWN'];

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function cannotSave(place: string, cause: Error): WikiError {
  return new WikiError(
    'backend_unavailable',
    {
      happened: `${JSON.stringify(place)} could not be written on this machine: ${cause.message}.`,
      now: 'Nothing new is there, and the wiki is as it was.',
      next: 'Make room or see to the rights of that folder, or name another place.',
    },
    { local_path: place },
    { cause },
  );
}

function cannotBeFile(path: string): WikiError {
  return new WikiError('invalid_path', {
    happened: `The wiki holds ${JSON.stringify(path)}, which cannot be written as a file on this machine.`,
    now: 'Nothing was exported.',
    next: 'Export it with format "bundle", or rename that page.',
  });
}
