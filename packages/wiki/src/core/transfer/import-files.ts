import { throwIfCancelled } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Call } from '../../contract/wiki.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { blobOidInTurns } from '../content-hash.ts';
import { isGitHead } from '../paths/hostile-path.ts';
import { siblingKey } from '../paths/new-names.ts';
import { pagePathOf, refusalOfNewPath } from '../paths/page-path.ts';
import type { FileWrite, LargeContent, Snapshot } from '../ports.ts';
import { quoted } from '../text/markdown/hidden-characters.ts';
import type { ArchiveEntry } from './archive.ts';
import { cannotImport, type ImportProblem, importClashes, importTooLarge } from './import-problems.ts';

/**
 * A file to import. It is unpacked again when it is stored, so that the files are never in memory all at
 * once.
 */
export interface ImportedFile extends LargeContent {
  path: string;
}

export interface ArchivedWiki {
  files: ImportedFile[];
  /** Files of other programs, which were left out. */
  ignored: string[];
}

/**
 * The files of a zip at their paths in a wiki, below a folder if there is a prefix. All invalid files are
 * reported in one error, before anything is unpacked. The unpacked size is bounded, whatever the zip
 * declares.
 */
export async function readArchivedWiki(
  bytes: Uint8Array,
  prefix: string,
  call: Call,
  mostBytes: number = limits.importBytes,
): Promise<ArchivedWiki> {
  const { readArchive } = await import('./archive.ts');
  const entries = await readArchive(bytes, limits.importFiles);
  const yieldIfDue = yielding();
  const wanted: ArchiveEntry[] = [];
  const ignored: string[] = [];
  const problems: ImportProblem[] = [];
  const clashOf = clashes();
  const requireFewFolders = countingFolders(prefix);
  for (const entry of entries) {
    await yieldIfDue();
    requireFewFolders(entry);
    if (isOthers(entry.path)) {
      ignored.push(entry.path);
      continue;
    }
    wanted.push(entry);
    problems.push(...problemsOf(entry, prefix), ...clashOf(entry));
  }
  if (problems.length > 0) throw cannotImport(problems, entries.length);
  requireBounded(wanted, mostBytes);

  const files: ImportedFile[] = [];
  for (const entry of wanted) {
    throwIfCancelled(call.signal);
    // Verifies every file before any is stored, and drops its content.
    const oid = await blobOidInTurns(await entry.unpack());
    const path = (prefix + entry.path).normalize('NFC');
    files.push({ path, oid, length: entry.bytes, read: () => entry.unpack() });
    await yieldIfDue();
    call.progress?.(files.length, wanted.length, 'unpacking');
  }
  return { files, ignored };
}

/**
 * The changes that importing the files makes to a tree. Existing files with other content are replaced only
 * on request.
 */
export async function planImport(
  base: Snapshot,
  files: readonly ImportedFile[],
  replace: boolean,
): Promise<FileWrite[]> {
  const present = new Map<string, string>();
  for await (const entry of base.files()) present.set(siblingKey(entry.path), entry.path);
  const writes: FileWrite[] = [];
  const other: string[] = [];
  const problems: ImportProblem[] = [];
  const yieldIfDue = yielding();
  for (const file of files) {
    await yieldIfDue();
    const { path, oid } = file;
    const spelled = present.get(siblingKey(path));
    if (spelled !== undefined && spelled !== path) {
      problems.push({
        path,
        reason: `the wiki has ${quoted(spelled)}, which differs only in case or in what cannot be seen`,
      });
      continue;
    }
    const entry = spelled === undefined ? null : await base.entry(path);
    if (entry?.oid === oid) continue;
    if (entry !== null) other.push(path);
    writes.push({ ...file, ...(entry !== null && { mode: entry.mode }) });
  }
  if (problems.length > 0) throw cannotImport(problems, files.length);
  if (other.length > 0 && !replace) throw importClashes(other, files.length);
  return writes;
}

/**
 * Settings, recycle bins and histories of other programs: all names that begin with a dot, and some more such
 * as a `HEAD` of git.
 */
export function isOthers(path: string): boolean {
  const parts = path.split('/');
  return (
    parts.some((part) => /^\.(?!\.?$)/.test(part) || ['__MACOSX', 'node_modules'].includes(part)) ||
    ['Thumbs.db', 'desktop.ini'].includes(parts.at(-1) ?? '') ||
    isGitHead(parts.at(-1) ?? '')
  );
}

function problemsOf(entry: ArchiveEntry, prefix: string): ImportProblem[] {
  const { path } = entry;
  if (entry.isLink) return [{ path, reason: 'it is a symbolic link' }];
  if (entry.isEncrypted) return [{ path, reason: 'it is encrypted' }];
  const most = pagePathOf(path) === null ? limits.attachmentBytes : limits.pageBytes;
  if (entry.bytes > most) return [{ path, reason: `it has ${entry.bytes} bytes; the most is ${most}` }];
  const refusal = refusalOfNewPath((prefix + path).normalize('NFC'));
  if (refusal === null) return [];
  const instead = refusal.suggestion === null ? '' : `; ${quoted(refusal.suggestion)} would do`;
  return [{ path, reason: refusal.rule + instead }];
}

/** Finds files that would be one on a disk that ignores case. The write refuses folders that would be. */
function clashes(): (entry: ArchiveEntry) => ImportProblem[] {
  const byName = new Map<string, string>();
  return ({ path }) => {
    const key = siblingKey(path);
    const before = byName.get(key);
    if (before === path) return [{ path, reason: 'it is there twice' }];
    if (before !== undefined) {
      return [{ path, reason: `it differs from ${quoted(before)} only in case or in what cannot be seen` }];
    }
    byName.set(key, path);
    return [];
  };
}

/**
 * Counts folders as well: a folder takes as much time as a file, and a file takes more in a deeper folder.
 */
function countingFolders(prefix: string): (entry: ArchiveEntry) => void {
  const folders = new Set<string>();
  const prefixNames = prefix.split('/').length - 1;
  let files = 0;
  let names = 0;
  return ({ path }) => {
    for (let at = path.lastIndexOf('/'); at > 0 && !folders.has(path.slice(0, at)); ) {
      folders.add(path.slice(0, at));
      at = path.lastIndexOf('/', at - 1);
    }
    files += 1;
    names += prefixNames + path.split('/').length;
    if (files + folders.size > limits.importFiles) {
      throw importTooLarge(`it has more than ${limits.importFiles} files and folders`);
    }
    if (names > MAX_NAMES) throw importTooLarge(`its paths have more than ${MAX_NAMES} parts`);
  };
}

/** The maximum number of files, each in nine folders. */
const MAX_NAMES = 10 * limits.importFiles;

/** A zip of some kilobytes can say that it holds terabytes. */
function requireBounded(entries: readonly ArchiveEntry[], most: number): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > most) throw importTooLarge(`it has ${bytes} bytes once unpacked; the most is ${most}`);
}
