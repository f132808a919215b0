import { join } from 'node:path';
import * as z from 'zod';
import { type Disk, isMissing, statusAt, syncFolder, writeDurably } from './disk.ts';
import type { AgreedFile } from './folder-contents.ts';

/** The folder of the mirror's own files, in the folder that it keeps in step. */
export const OWN_FOLDER = '.pagetree';

/** What both sides agreed on. */
export interface MirrorState {
  /** Names this mirror: the folder has it too, unless it is gone or another one. */
  id: string;
  /** The wiki and the scope for which the folder was made, as one text. */
  source: string;
  /** Tells the folder from its copies, which have all its files. */
  home: string;
  /** The commit of the wiki at which the folder stands. */
  commit: string | null;
  files: AgreedFiles;
  /** The versions that a commit makes which may be under way; null for a file that it deletes. */
  pending: Map<string, string | null>;
  /** The files that the mirror takes out of the folder: one that is gone was not deleted by the person. */
  removing: Set<string>;
}

/** Counts its changes. */
export class AgreedFiles extends Map<string, AgreedFile> {
  changes = 0;

  override set(key: string, file: AgreedFile): this {
    this.changes += 1;
    return super.set(key, file);
  }

  override delete(key: string): boolean {
    this.changes += 1;
    return super.delete(key);
  }

  override clear(): void {
    this.changes += 1;
    super.clear();
  }
}

const stored = z.object({
  format: z.literal(1),
  id: z.string(),
  source: z.string(),
  home: z.string(),
  commit: z.string().nullable(),
  pending: z.array(z.tuple([z.string(), z.string().nullable()])),
  removing: z.array(z.string()).default([]),
  files: z.array(
    z.union([
      z.tuple([z.string(), z.string()]),
      z.tuple([z.string(), z.string(), z.number(), z.number(), z.number(), z.number()]),
    ]),
  ),
});

/** Null if there is none, or none that can be read: then both sides are compared as if for the first time. */
export function loadState(disk: Disk, root: string): MirrorState | null {
  const text = readText(disk, join(root, OWN_FOLDER, 'state.json'));
  const parsed = text === null ? null : stored.safeParse(parseJson(text));
  if (parsed?.success !== true) return null;
  const { format: _, files, pending, removing, ...rest } = parsed.data;
  return {
    ...rest,
    pending: new Map(pending),
    removing: new Set(removing),
    files: new AgreedFiles(
      files.map(([key, version, size, mtimeMs, ctimeMs, ino]) => [
        key,
        {
          version,
          stat:
            size === undefined || mtimeMs === undefined || ctimeMs === undefined || ino === undefined
              ? null
              : { size, mtimeMs, ctimeMs, ino },
        },
      ]),
    ),
  };
}

/** A crash at any point leaves the old state or the new one. */
export async function saveState(disk: Disk, root: string, state: MirrorState): Promise<void> {
  const { files, pending, removing, ...rest } = state;
  const rows = [...files].map(([key, { version, stat }]) =>
    stat === null ? [key, version] : [key, version, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino],
  );
  const sets = { pending: [...pending], removing: [...removing] };
  const text = JSON.stringify({ format: 1, ...rest, ...sets, files: rows });
  await store(disk, join(root, OWN_FOLDER), 'state.json', text);
}

/** By the clock of the disk; 0 if there is no state. */
export function savedAtMs(disk: Disk, root: string): number {
  return statusAt(disk, join(root, OWN_FOLDER, 'state.json'))?.mtimeMs ?? 0;
}

/** The id of the mirror whose folder this is; null if it is none, or not there. */
export function readId(disk: Disk, root: string): string | null {
  return readText(disk, join(root, OWN_FOLDER, 'id'))?.trim() || null;
}

/** Differs for a folder that was copied, or brought back from a backup. Throws if it has no id. */
export function homeOf(disk: Disk, root: string): string {
  const { ino, birthtimeMs } = disk.lstatSync(join(root, OWN_FOLDER, 'id'));
  return `${ino} ${birthtimeMs}`;
}

export async function writeId(disk: Disk, root: string, id: string): Promise<void> {
  await store(disk, join(root, OWN_FOLDER), 'id', `${id}\n`);
}

async function store(disk: Disk, folder: string, name: string, text: string): Promise<void> {
  const next = join(folder, `${name}.next`);
  try {
    disk.unlinkSync(next);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await writeDurably(disk, next, text);
  disk.renameSync(next, join(folder, name));
  await syncFolder(disk, folder);
}

function readText(disk: Disk, path: string): string | null {
  try {
    return disk.readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
