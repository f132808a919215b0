import { WikiError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Call } from '../contract/wiki.ts';
import type { ArchivedFile, ArchiveEntry } from './archive.ts';
import { throwIfCancelled } from './cancelled.ts';
import { blobOid } from './draft.ts';
import { cannotImport, type ImportProblem, importClashes, importTooLarge } from './import-problems.ts';
import { pagePathOf, parseNewPagePath } from './page-path.ts';
import type { FileWrite, Snapshot } from './ports.ts';

export interface ArchivedWiki {
  files: ArchivedFile[];
  /** What belongs to other programs and was left out. */
  ignored: string[];
}

/**
 * The files of a zip as they would lie in a wiki, below a folder if there is a prefix. All that cannot be is told
 * in one error, before anything is unpacked; what is unpacked is bounded, whatever the zip says of itself.
 */
export async function readArchivedWiki(bytes: Uint8Array, prefix: string, call: Call): Promise<ArchivedWiki> {
  const { readArchive } = await import('./archive.ts');
  const entries = await readArchive(bytes);
  const wanted = entries.filter((entry) => !isOthers(entry.path));
  const ignored = entries.filter((entry) => isOthers(entry.path)).map((entry) => entry.path);
  const problems = [...wanted.flatMap((entry) => problemsOf(entry, prefix)), ...clashes(wanted)];
  if (problems.length > 0) throw cannotImport(problems, entries.length);
  requireBounded(wanted);

  const files: ArchivedFile[] = [];
  for (const entry of wanted) {
    throwIfCancelled(call.signal);
    files.push({ path: (prefix + entry.path).normalize('NFC'), content: await entry.unpack() });
    call.progress?.(files.length, wanted.length, 'unpacking');
  }
  return { files, ignored };
}

/** What importing the files changes in a tree. Files that are there with other content are replaced only if told. */
export async function planImport(
  base: Snapshot,
  files: readonly ArchivedFile[],
  replace: boolean,
): Promise<FileWrite[]> {
  const present = new Map<string, string>();
  for await (const entry of base.files()) present.set(folded(entry.path), entry.path);
  const writes: FileWrite[] = [];
  const other: string[] = [];
  const problems: ImportProblem[] = [];
  for (const { path, content } of files) {
    const spelled = present.get(folded(path));
    if (spelled !== undefined && spelled !== path) {
      problems.push({ path, reason: `the wiki has ${JSON.stringify(spelled)}, which differs only in case` });
      continue;
    }
    const entry = spelled === undefined ? null : await base.entry(path);
    if (entry?.oid === blobOid(content)) continue;
    if (entry !== null) other.push(path);
    writes.push({ path, content, ...(entry !== null && { mode: entry.mode }) });
  }
  if (problems.length > 0) throw cannotImport(problems, files.length);
  if (other.length > 0 && !replace) throw importClashes(other, files.length);
  return writes;
}

/** Settings, rubbish bins and histories of other programs. */
function isOthers(path: string): boolean {
  const parts = path.split('/');
  return (
    parts.some((part) => ['.obsidian', '.git', '.trash', '__MACOSX', 'node_modules'].includes(part)) ||
    ['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(parts.at(-1) ?? '')
  );
}

function problemsOf(entry: ArchiveEntry, prefix: string): ImportProblem[] {
  const { path } = entry;
  if (entry.isLink) return [{ path, reason: 'it is a symbolic link' }];
  if (entry.isEncrypted) return [{ path, reason: 'it is encrypted' }];
  const most = pagePathOf(path) === null ? limits.attachmentBytes : limits.pageBytes;
  if (entry.bytes > most) return [{ path, reason: `it has ${entry.bytes} bytes; the most is ${most}` }];
  try {
    parseNewPagePath(prefix + path);
    return [];
  } catch (error) {
    if (!(error instanceof WikiError)) throw error;
    return [{ path, reason: typeof error.data.rule === 'string' ? error.data.rule : error.text.happened }];
  }
}

/** Names that are one on a disk which ignores case, and files where another one needs a folder. */
function clashes(entries: readonly ArchiveEntry[]): ImportProblem[] {
  const byName = new Map<string, string>();
  const problems: ImportProblem[] = [];
  for (const { path } of entries) {
    const before = byName.get(folded(path));
    if (before === undefined) byName.set(folded(path), path);
    else if (before === path) problems.push({ path, reason: 'it is there twice' });
    else problems.push({ path, reason: `it differs from ${JSON.stringify(before)} only in case` });
  }
  return problems;
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** A zip of some kilobytes can say that it holds terabytes. */
function requireBounded(entries: readonly ArchiveEntry[]): void {
  if (entries.length > limits.importFiles) {
    throw importTooLarge(`it has ${entries.length} files; the most is ${limits.importFiles}`);
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > limits.importBytes) {
    throw importTooLarge(`it has ${bytes} bytes once unpacked; the most is ${limits.importBytes}`);
  }
}
