import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { WikiError } from './contract/errors.ts';
import type { ArchivedFile } from './core/archive.ts';
import { cannotImport, type ImportProblem } from './core/import-problems.ts';
import { bundleOfRepository } from './git/local-repository.ts';
import { nodeFileSystem } from './storage/files/node-file-system.ts';

/**
 * What import_wiki takes of something on this machine: a folder as a zip, a git repository (bare, or a working tree)
 * as a bundle of its HEAD, a file as it is. Throws WikiError, also for links that lead out of the folder.
 */
export async function readForImport(path: string, options: { mostBytes: number }): Promise<Uint8Array> {
  const found = await stat(path);
  if (!found.isDirectory()) {
    if (found.size > options.mostBytes) throw tooLarge(path, found.size, options.mostBytes);
    return readFile(path);
  }
  const names = await readdir(path);
  const holds = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  if (holds('HEAD', 'objects', 'refs')) return bundleOfRepository(nodeFileSystem, path);
  if (holds('.git')) return bundleOfRepository(nodeFileSystem, join(path, '.git'));
  const files = await listFolder(path);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > options.mostBytes) throw tooLarge(path, bytes, options.mostBytes);
  const { writeArchive } = await import('./core/archive.ts');
  return writeArchive(readFiles(path, files), { date: new Date(0) });
}

/** The files of a zip that export_wiki made. */
export async function* unpackExport(zip: Uint8Array): AsyncIterable<ArchivedFile> {
  const { readArchive } = await import('./core/archive.ts');
  for (const entry of await readArchive(zip)) yield { path: entry.path, content: await entry.unpack() };
}

interface FoundFile {
  /** With `/`, below the folder. */
  path: string;
  bytes: number;
}

/** All files below a folder but those of other programs; what leads out of it is told and refuses all. */
async function listFolder(root: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  const problems: ImportProblem[] = [];
  const realRoot = await realpath(root);
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of (await readdir(join(root, folder))).toSorted()) {
      if (othersFolders.has(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const found = await lstat(join(root, path));
      if (found.isDirectory()) folders.push(path);
      else if (found.isFile()) files.push({ path, bytes: found.size });
      else if (found.isSymbolicLink()) {
        const file = await followLink(realRoot, join(root, path));
        if (file === null) problems.push({ path, reason: 'it is a link out of the folder, or to no file' });
        else files.push({ path, bytes: file });
      }
    }
  }
  if (problems.length > 0) throw cannotImport(problems, files.length + problems.length);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Left out before they are read: they can be large. */
const othersFolders: ReadonlySet<string> = new Set(['.obsidian', '.git', '.trash', 'node_modules']);

/** The size of the file in the folder that a link leads to. */
async function followLink(realRoot: string, link: string): Promise<number | null> {
  try {
    const target = await realpath(link);
    const below = relative(realRoot, target);
    const isInside = below !== '' && below.split(sep)[0] !== '..' && !below.startsWith(sep);
    const found = await stat(target);
    return isInside && found.isFile() ? found.size : null;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return null; // It leads nowhere, or in a circle.
  }
}

async function* readFiles(root: string, files: readonly FoundFile[]): AsyncIterable<ArchivedFile> {
  for (const { path } of files) yield { path, content: await readFile(join(root, path)) };
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
