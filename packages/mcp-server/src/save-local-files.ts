import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { alreadyThere } from './local-files.ts';

/** Writes a file that was not there, whole or not at all. Throws `already_exists` and `backend_unavailable`. */
export async function saveFile(place: string, bytes: Uint8Array): Promise<void> {
  await besideFirst(place, async (aside) => {
    const whole = join(aside, basename(place));
    await writeNew(whole, bytes, { isSynced: true });
    // A rename replaces what is there: so this process makes sure first that what is there is its own.
    await writeNew(place, new Uint8Array(), { isSynced: false });
    await rename(whole, place).catch(async (error: unknown) => {
      await rm(place, { force: true });
      throw error;
    });
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
      if (!file.startsWith(whole + sep)) throw leadsOut(path);
      await mkdir(dirname(file), { recursive: true });
      await writeNew(file, content, { isSynced: false });
    }
    await rename(whole, place);
  });
}

/** With a folder beside the place, which is there no more when all is done or something failed. */
async function besideFirst(place: string, save: (aside: string) => Promise<void>): Promise<void> {
  try {
    const aside = await mkdtemp(join(dirname(place), '.pagetree-part-'));
    try {
      await save(aside);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? cannotSave(place, error) : error;
  }
}

async function writeNew(path: string, bytes: Uint8Array, { isSynced }: { isSynced: boolean }): Promise<void> {
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(path);
    throw error;
  });
  try {
    await file.writeFile(bytes);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
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

function leadsOut(path: string): WikiError {
  return new WikiError('invalid_path', {
    happened: `The wiki holds ${JSON.stringify(path)}, which cannot be written as a file on this machine.`,
    now: 'Nothing was exported.',
    next: 'Export it with format "bundle", or rename that page.',
  });
}
