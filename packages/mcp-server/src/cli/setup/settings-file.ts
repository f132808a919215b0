import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Refusal } from './edit.ts';

/** A settings file as it was read. */
export interface SettingsFile {
  /** The file itself, where links lead. */
  place: string;
  text: string;
  /** Null if there is no file yet. */
  found: { bytes: Buffer; mode: number; uid: number; gid: number } | null;
}

/** Reads a settings file that can be written too, or says why it cannot. */
export async function readSettings(path: string): Promise<SettingsFile | Refusal> {
  try {
    if (await isMissing(path)) return { place: path, text: '', found: null };
    const place = await realpath(path);
    const status = await stat(place);
    const { mode, uid, gid } = status;
    if (!status.isFile()) return { refused: 'It is no file.' };
    // Its folder may let another file take its place, which is not what a file that may only be read is for.
    if ((mode & 0o222) === 0) return { refused: 'It may only be read. Make it writable first.' };
    await access(place, constants.W_OK);
    const bytes = await readFile(place);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { place, text, found: { bytes, mode: mode & 0o7777, uid, gid } };
  } catch (error) {
    if (error instanceof TypeError) return { refused: 'It is no text in UTF-8.' };
    return { refused: describe(error) };
  }
}

/**
 * Puts another text into a settings file: whole or not at all, with the rights that it had, and with a copy of what
 * was there beside it. Answers the copy's path, null for a new file.
 */
export async function replaceSettings(
  { place, found }: SettingsFile,
  text: string,
): Promise<{ copy: string | null } | Refusal> {
  const copy = found === null ? null : `${place}.before-pagetree`;
  const aside = `${place}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    if (found === null) await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await writeNew(aside, Buffer.from(text), found);
    try {
      if (copy !== null && found !== null) {
        await writeNew(`${aside}.copy`, found.bytes, found);
        await rename(`${aside}.copy`, copy);
      }
      // As late as possible: clients write to their settings too.
      if (!(await isAsRead(place, found)))
        return { refused: 'It was changed by another program meanwhile. Run this again.' };
      await rename(aside, place);
      return { copy };
    } finally {
      await Promise.all([aside, `${aside}.copy`].map((path) => rm(path, { force: true })));
    }
  } catch (error) {
    return { refused: describe(error) };
  }
}

/** Settings may hold keys of other servers: a new file is for its owner alone, and a copy is as open as the file was. */
async function writeNew(path: string, bytes: Uint8Array, like: SettingsFile['found']): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    if (like !== null) {
      const own = await file.stat();
      // Under sudo the file stays its owner's.
      if (own.uid !== like.uid || own.gid !== like.gid) await file.chown(like.uid, like.gid);
      await file.chmod(like.mode);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isAsRead(place: string, found: SettingsFile['found']): Promise<boolean> {
  if (found === null) return isMissing(place);
  return (await readFile(place)).equals(found.bytes);
}

/** Not so for a link that leads nowhere. */
async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return true;
      throw error;
    },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'It is a link that leads to no file.',
  ELOOP: 'It is a link that leads to itself.',
  EACCES: 'This user may not read or write it, or its folder.',
  EPERM: 'The system does not let this user write it, or another program has it open.',
  EBUSY: 'Another program has it open.',
  EROFS: 'It is on a disk that may only be read.',
  ENOSPC: 'The disk is full.',
  EEXIST: 'Its folder cannot be made: a file has that name.',
  ENOTDIR: 'Its folder cannot be made: a file has that name.',
};

/** The reason why the system did not do it, for people. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const reason = 'code' in error ? REASONS[String(error.code)] : undefined;
  return reason ?? `The system answers: ${error.message}.`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
