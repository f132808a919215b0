import { link, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { mayLeaveAsFile } from '@pagetree/wiki/local-files';
import { alreadyThere } from './local-files.ts';

/** The content of a file, whole or part after part. */
type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Writes a new file, whole or not at all. Throws `already_exists` and `backend_unavailable`, and what `content` throws. */
export async function saveFile(place: string, content: Content): Promise<void> {
  await besideFirst(place, async (aside) => {
    const whole = join(aside, basename(place));
    await writeNew(whole, content);
    await moveToNew(whole, place);
  });
}

/**
 * Writes the files of zips from export_wiki as a new folder, whole or not at all. Throws the same errors.
 */
export async function saveFolder(
  place: string,
  zips: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const { unpackExport } = await import('@pagetree/wiki');
  await besideFirst(place, async (aside) => {
    const whole = join(aside, basename(place));
    await mkdir(whole, { mode: FOLDER_MODE });
    for await (const zip of zips) for await (const file of unpackExport(zip)) await writeBelow(whole, file);
    await rename(whole, place).catch((error: unknown) => {
      throw hasCode(error, ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']) ? alreadyThere(place) : error;
    });
  });
}

async function writeBelow(
  folder: string,
  { path, content }: { path: string; content: Uint8Array },
): Promise<void> {
  // The repository may have been made elsewhere, with names that lead out of the folder on some system.
  if (!mayLeaveAsFile(path)) throw cannotBeFile(path);
  const file = join(folder, ...path.split('/'));
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  await writeNew(file, content).catch((error: unknown) => {
    // For example Home.md beside home.md, which are one file on some systems.
    throw hasCode(error, ['EEXIST']) ? cannotBeFile(path) : error;
  });
}

/** Other users get no rights to exported files. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Runs `save` with a temporary folder beside the place, which is removed afterwards in any case. */
async function besideFirst(place: string, save: (aside: string) => Promise<void>): Promise<void> {
  try {
    const aside = await mkdtemp(join(dirname(place), '.pagetree-part-'));
    try {
      await save(aside);
    } finally {
      // The save is complete even if a virus scanner still holds the leftovers open.
      await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    }
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? cannotSave(place, error) : error;
  }
}

/** Writes a new file and syncs it, so that it survives a power cut. */
async function writeNew(path: string, content: Content): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename would replace an existing file; a link does not. */
async function moveToNew(whole: string, place: string): Promise<void> {
  try {
    await link(whole, place);
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) throw alreadyThere(place);
    if (!hasCode(error, NO_HARD_LINKS)) throw error;
    // So this process first makes sure that it replaces only its own file.
    await (
      await open(place, 'wx', FILE_MODE).catch((cause: unknown) => {
        throw hasCode(cause, ['EEXIST']) ? alreadyThere(place) : cause;
      })
    ).close();
    await rename(whole, place).catch(async (cause: unknown) => {
      await rm(place, { force: true });
      throw cause;
    });
  }
}

/** The errors of disks without such links, such as memory sticks. */
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
      next: 'Name another place, or tell the person who runs this server to make room or to let it write there.',
      atTerminal: 'Make room or see to the rights of that folder, or name another place.',
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
    atTerminal: 'Export it with --format bundle, or rename that page.',
  });
}
