import { lstatSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { WikiError } from './contract/errors.ts';
import { limits } from './contract/limits.ts';
import type { ArchivedFile } from './core/transfer/archive.ts';
import { exportTooLarge } from './core/transfer/export-too-large.ts';
import { isOthers } from './core/transfer/import-files.ts';
import { cannotImport, type ImportProblem } from './core/transfer/import-problems.ts';
import { bundleOfRepository } from './git/received/local-repository.ts';
import { allowedFileSystem } from './local-files/allowed-file-system.ts';
import { type AllowedFiles, isMissing } from './local-files/allowed-files.ts';
import { findRepository } from './local-files/find-repository.ts';
import { type FolderReader, openFolder } from './local-files/folder-reader.ts';
import { yielding } from './scheduling/yielding.ts';

export interface ImportOptions {
  mostBytes: number;
  files: AllowedFiles;
  /**
   * True if the bytes leave this process. Within it, compressing them would take longer than everything else.
   */
  travels?: boolean;
}

/**
 * The input of import_wiki for a path on this machine: a folder as a zip, a git repository (bare, or a
 * working tree) as a bundle of its HEAD, a file unchanged. Throws WikiError, for example for links that lead
 * out of the folder, and ENOENT if nothing is there. Opens only files of `files`.
 */
export async function readForImport(
  path: string,
  { mostBytes, files, travels = false }: ImportOptions,
): Promise<Uint8Array> {
  const place = await files.resolve(path);
  if (!lstatSync(place).isDirectory()) return files.read(path, mostBytes);
  const repository = await findRepository(files, place, await files.list(place));
  if (repository !== null) return bundleOfRepository(allowedFileSystem(files), repository);
  const inFolder = files.below(place, MAX_STEPS);
  const reader = await openFolder(inFolder, place);
  try {
    const found = await listFolder(reader, inFolder, place);
    const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > mostBytes) throw tooLarge(path, bytes, mostBytes);
    const { overheadOf, writeArchive } = await import('./core/transfer/archive.ts');
    return await writeArchive(readFiles(reader, found, mostBytes), {
      date: new Date(0),
      expectedBytes: found.reduce(
        (sum, { path, bytes }) => sum + bytes + overheadOf(path),
        FOLDER_ARCHIVE_BYTES,
      ),
      compress: travels,
    });
  } finally {
    reader.close();
  }
}

/** The files of a zip that export_wiki made. */
export async function* unpackExport(zip: Uint8Array): AsyncIterable<ArchivedFile> {
  const { readArchive } = await import('./core/transfer/archive.ts');
  for (const entry of await readArchive(zip)) yield { path: entry.path, content: await entry.unpack() };
}

/** One zip of the files of several that export_wiki made. Throws `too_large` if it has more bytes than an export may have. */
export async function joinExports(
  zips: AsyncIterable<Uint8Array>,
  date: Date,
  mostBytes: number = limits.exportBytes,
): Promise<Uint8Array> {
  const { writeArchive } = await import('./core/transfer/archive.ts');
  async function* files(): AsyncIterable<ArchivedFile> {
    for await (const zip of zips) yield* unpackExport(zip);
  }
  const onBytes = (bytes: number) => {
    if (bytes > mostBytes) throw exportTooLarge(bytes, mostBytes);
  };
  return writeArchive(files(), { date, onBytes });
}

const FOLDER_ARCHIVE_BYTES = 1_000;

interface FoundFile {
  /** Relative to the folder, with `/`. */
  path: string;
  bytes: number;
  /** The file that is read. Because of links it may differ from `path`. */
  realPath: string;
}

/**
 * All files below a folder except those of other programs. Links that lead out of it are reported, and
 * nothing is imported.
 */
async function listFolder(reader: FolderReader, files: AllowedFiles, root: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const problems: ImportProblem[] = [];
  const folders = [''];
  const yieldIfDue = yielding();
  let left = MAX_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await reader.list(folder, left);
    left -= entries.length;
    for (const { name, status } of entries) {
      await yieldIfDue();
      if (othersFolders.has(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const met = await classify(files, root, path, status);
      if (met === 'folder') folders.push(path);
      else if ('reason' in met) problems.push(met);
      else found.push(met);
    }
  }
  if (problems.length > 0) throw cannotImport(problems, found.length + problems.length);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function classify(
  files: AllowedFiles,
  root: string,
  path: string,
  status: Pick<Stats, 'isDirectory' | 'isFile' | 'isSymbolicLink' | 'size'>,
): Promise<FoundFile | ImportProblem | 'folder'> {
  if (status.isDirectory()) {
    if (path.split('/').length < MAX_DEPTH) return 'folder';
    return { path, reason: `it is below ${MAX_DEPTH} folders` };
  }
  if (status.isFile()) return { path, bytes: status.size, realPath: path };
  if (!status.isSymbolicLink()) return { path, reason: 'it is no file' };
  const target = await behindLink(files, join(root, path));
  if (target === null) return { path, reason: BAD_LINK };
  // A file that is left out under its own name stays out under another.
  return isOthers(target.realPath) ? { path, reason: LINK_TO_OTHERS } : { path, ...target };
}

const BAD_LINK = 'it is a link out of the folder, or to no file';
const LINK_TO_OTHERS = 'it is a link to a file of another program, such as one whose name begins with a dot';
/** The maximum number of files and folders, including those that are left out. */
const MAX_ENTRIES = limits.importFiles;
/** No importable path has more parts. The parents of the folder being read are open. */
const MAX_DEPTH = limits.pathCharacters / 2;
/** The maximum number of steps to follow all links in a folder. */
const MAX_STEPS = 100_000;

/** Left out before they are read: they can be large. */
const othersFolders: ReadonlySet<string> = new Set(['.obsidian', '.git', '.trash', 'node_modules']);

/** The target of a link, which is a file in the folder. */
async function behindLink(
  files: AllowedFiles,
  link: string,
): Promise<Pick<FoundFile, 'realPath' | 'bytes'> | null> {
  try {
    const real = await files.resolve(link);
    const found = lstatSync(real);
    if (!found.isFile()) return null;
    return { realPath: (await files.pathBelow(real)).replaceAll(sep, '/'), bytes: found.size };
  } catch (error) {
    if (isMissing(error) || (error instanceof WikiError && error.code === 'forbidden')) return null;
    throw error;
  }
}

async function* readFiles(
  reader: FolderReader,
  found: readonly FoundFile[],
  mostBytes: number,
): AsyncIterable<ArchivedFile> {
  let left = mostBytes;
  for (const { path, realPath } of found) {
    const content = await reader.read(realPath, left);
    left -= content.length;
    yield { path, content };
  }
}

function tooLarge(path: string, bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `${JSON.stringify(path)} has ${bytes} bytes; the most that can be imported at once is ${most}.`,
      now: 'Nothing was imported.',
      next: 'Import it in parts, or copy it with git.',
    },
    { bytes, most },
  );
}
