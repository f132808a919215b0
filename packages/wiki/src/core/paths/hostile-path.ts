import { trimEndOf } from '../text/trim-end.ts';

/**
 * Names that git itself refuses, or that are dangerous once they are files. A repository made elsewhere may
 * contain such names. They are quarantined: no operation shows them, and they are neither imported nor
 * exported as files. page-path.ts has the stricter rules for new names.
 */

/**
 * True if the file at this tree path is quarantined. Paths that begin with a dot are not, unless they are
 * harmful.
 */
export function isHostilePath(treePath: string): boolean {
  if (treePath.length > MAX_PATH_CHARACTERS) return true;
  const parts = treePath.split('/');
  return parts.some(isHostileName);
}

/**
 * The same for an entry of a folder that is not quarantined itself; `prefix` is the folder's path with a
 * slash, or empty.
 */
export function isHostileEntry(prefix: string, name: string): boolean {
  return prefix.length + name.length > MAX_PATH_CHARACTERS || isHostileName(name);
}

/** True if one part of a path, the name of a folder or file, is quarantined with everything below. */
export function isHostileName(name: string): boolean {
  if (HARMLESS.test(name)) return false;
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return true;
  return leadsElsewhereOnWindows(name) || isGitDirectory(name) || isGitFile(name);
}

/**
 * True if a file may be written outside of the repository, by an export to a folder or a zip. Other programs
 * execute files in folders that begin with a dot (`.vscode/tasks.json`, `.claude/settings.json`), so these
 * stay inside; so do names that are too long for a file system.
 */
export function mayLeaveAsFile(treePath: string): boolean {
  const parts = treePath.split('/');
  if (Buffer.byteLength(treePath) > MAX_FILE_PATH_BYTES) return false;
  if (parts.some((part) => Buffer.byteLength(part) > MAX_FILE_NAME_BYTES)) return false;
  return !isHostilePath(treePath) && !parts.some(beginsWithDot) && !isGitHead(parts.at(-1) ?? '');
}

const MAX_FILE_NAME_BYTES = 255;
/** Linux takes 4,095, with the folder that the files are written to. */
const MAX_FILE_PATH_BYTES = 3_000;

/**
 * `HEAD` as some file system reads it. With `objects` and `refs` beside it, git takes the folder for a
 * repository, and its `config` says which programs git runs there.
 */
export function isGitHead(name: string): boolean {
  return asHfsSees(name) === 'head' || /^head[ .]*(:|$)/i.test(name);
}

/** A short name of NTFS, such as `CLAUDE~1`, which may belong to a folder whose name begins with a dot. */
export function isShortName(name: string): boolean {
  return /^[^.~]{1,6}~\d{1,6}(\.[^.]{0,3})?$/.test(name);
}

/**
 * `.git` as some file system reads it: any case, with characters that HFS+ ignores, NTFS short names and
 * streams.
 */
export function isGitDirectory(name: string): boolean {
  if (HARMLESS.test(name) || !mayBeGits(name)) return false;
  return asHfsSees(name) === '.git' || name.split('\\').some((part) => DOT_GIT_ON_NTFS.test(part));
}

/**
 * The same for `.gitmodules` and `.gitattributes`, which configure programs for git to run and whose content
 * `git fsck` judges.
 */
export function isGitFile(name: string): boolean {
  return isDotFile(name, 'gitmodules') || isDotFile(name, 'gitattributes');
}

/**
 * The files that git reads in a working tree, without their dot, and the short names that NTFS falls back to.
 */
const SHORT_NAMES = {
  gitmodules: 'gi7eba',
  gitattributes: 'gi7d29',
  gitignore: 'gi250a',
  mailmap: 'maba30',
} as const;

export type DotFile = keyof typeof SHORT_NAMES;

/** True if HFS+ or NTFS reads a name, or the part after a backslash in it, as this file of git. */
export function isDotFile(name: string, file: DotFile): boolean {
  if (HARMLESS.test(name) || !mayBeGits(name)) return false;
  if (asHfsSees(name) === `.${file}`) return true;
  return name.split('\\').some((part) => isDotFileOnNtfs(part, file));
}

/** False for most names that are not harmless at a glance: it takes much less time than the checks that follow. */
function mayBeGits(name: string): boolean {
  return /git|mailmap|~/i.test(name.replace(IGNORED_BY_HFS, ''));
}

function isDotFileOnNtfs(name: string, file: DotFile): boolean {
  const stem = trimEndOf(name.split(':', 1)[0] ?? '', ' .').toLowerCase();
  if (stem === `.${file}`) return true;
  if (stem.startsWith(`${file.slice(0, 6)}~`) && /^[1-4]$/.test(stem.slice(7))) return true;
  // Eight characters: the first letters of the hashed name, a tilde, and a number.
  const [, beginning, number] = /^([^~]{0,6})~([1-9]\d*)$/.exec(stem) ?? [];
  if (beginning === undefined || number === undefined) return false;
  return beginning.length + 1 + number.length === 8 && SHORT_NAMES[file].startsWith(beginning);
}

/** True if HFS+ or any other file system reads a name as one that begins with a dot. */
function beginsWithDot(name: string): boolean {
  return asHfsSees(name).startsWith('.');
}

/**
 * The name that HFS+ compares, up to the first bytes that are not text: git treats these as the end of the
 * name.
 */
function asHfsSees(name: string): string {
  return name.replace(IGNORED_BY_HFS, '').split(NOT_TEXT, 1)[0]?.toLowerCase() ?? '';
}

/** Windows reads a backslash as a slash: such a name may lead out of the folder into which it is unpacked. */
function leadsElsewhereOnWindows(name: string): boolean {
  if (!name.includes('\\')) return false;
  return /^([a-z]:)?\\/i.test(name) || name.split('\\').some((part) => part === '.' || part === '..');
}

/** Characters that HFS+ leaves out when it compares names, as git lists them (utf8.c, next_hfs_char). */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const NOT_TEXT = /[\ufffd-\uffff]/;
const DOT_GIT_ON_NTFS = /^(\.git|git~1)[ .]*(:|$)/i;
/** Matches nearly all names: none of the checks above can match these. */
const HARMLESS = /^[\p{L}\p{N}_-][^~:\\/\0\u200c-\u206f\ufeff\ufffd-\uffff]*$/u;
/** The longest path that Linux can check out. */
const MAX_PATH_CHARACTERS = 4_096;
