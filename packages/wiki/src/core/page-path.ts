import { WikiError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';

/**
 * A page path (`Guides/Getting Started`) is the address of a page; its tree path (`Guides/Getting Started.md`)
 * is where git keeps it. Two levels: what can be read is any file ending in `.md`, since a repository may have
 * been made elsewhere; what can be created is only what every platform can check out.
 */

const extension = '.md';

/**
 * The page path, in NFC, that a caller means; `.md` is accepted and dropped.
 * Throws `invalid_path` for what cannot be the address of any page.
 */
export function parsePagePath(input: string): string {
  return parse(input, readingRules);
}

/** The same for a page that is about to be created; refuses names that some platform cannot hold. */
export function parseNewPagePath(input: string): string {
  return parse(input, creationRules);
}

/** Where git keeps a new page of this path. An older page may be spelled otherwise: see `findSamePath`. */
export function treePathOf(pagePath: string): string {
  return pagePath + extension;
}

/** The page path of a file in the tree, or null where the file is no page. */
export function pagePathOf(treePath: string): string | null {
  if (!treePath.endsWith(extension)) return null;
  const path = treePath.slice(0, -extension.length).normalize('NFC');
  return path === '' || path.endsWith('/') ? null : path;
}

/**
 * The one of `paths` (or of the names in a folder) that is this path, if need be in another Unicode form: macOS
 * and older tools left decomposed names in trees.
 */
export function findSamePath(path: string, paths: Iterable<string>): string | null {
  const normal = path.normalize('NFC');
  let otherForm: string | null = null;
  for (const candidate of paths) {
    if (candidate === path) return candidate;
    if (otherForm === null && candidate.normalize('NFC') === normal) otherForm = candidate;
  }
  return otherForm;
}

/** Whether a path could be spelled in more than one Unicode form. ASCII could not, which saves the search. */
export function hasOtherForms(path: string): boolean {
  return path.normalize('NFC') !== path.normalize('NFD');
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

interface Refusal {
  rule: string;
  suggestion: string | null;
}

type Rule = (path: string) => Refusal | null;

function parse(input: string, rules: readonly Rule[]): string {
  const path = input.normalize('NFC').replace(/\.md$/i, '');
  for (const rule of rules) {
    const refusal = rule(path);
    if (refusal !== null) throw invalidPath(input, refusal, rules);
  }
  return path;
}

function invalidPath(input: string, { rule, suggestion }: Refusal, rules: readonly Rule[]): WikiError {
  const repaired = suggestion?.normalize('NFC') ?? null;
  const usable = repaired !== null && rules.every((other) => other(repaired) === null) ? repaired : null;
  return new WikiError(
    'invalid_path',
    {
      happened: `${quote(input)} cannot be a page path: ${rule}.`,
      now: 'Nothing was read or changed.',
      next: usable === null ? 'Give a path such as "Guides/Getting Started".' : `Try ${quote(usable)}.`,
    },
    { rule, ...(usable !== null && { suggestion: usable }) },
  );
}

function quote(text: string): string {
  const shown = text.length > 120 ? `${text.slice(0, 120).toWellFormed()}...` : text;
  return JSON.stringify(shown);
}

const readingRules: readonly Rule[] = [
  (path) => (path === '' ? { rule: 'it is empty', suggestion: null } : null),
  (path) =>
    path.includes('\0') ? { rule: 'it holds a NUL character', suggestion: without(path, /\0/g) } : null,
  (path) => (path.isWellFormed() ? null : { rule: 'it holds half of a surrogate pair', suggestion: null }),
  (path) => {
    if (!/^\/|\/$|\/\//.test(path)) return null;
    const suggestion = path.split('/').filter(Boolean).join('/');
    return { rule: 'it begins or ends with a slash, or has two in a row', suggestion };
  },
  (path) => {
    const parts = path.split('/');
    if (!parts.some((part) => part === '.' || part === '..')) return null;
    const suggestion = parts.some((part) => part === '..') ? null : parts.filter((p) => p !== '.').join('/');
    return { rule: 'it holds "." or ".."; paths begin at the root of the wiki', suggestion };
  },
  (path) =>
    path.split('/').slice(0, -1).some(isGitDirectory)
      ? { rule: 'it leads into a folder that git keeps for itself', suggestion: null }
      : null,
  (path) =>
    path.length > longestPath ? { rule: `it has over ${longestPath} characters`, suggestion: null } : null,
];

/** Of a tree made elsewhere: the longest path that Linux can check out. */
const longestPath = 4_096;

const creationRules: readonly Rule[] = [
  ...readingRules,
  (path) =>
    path.includes('\\')
      ? { rule: 'it holds a backslash; folders are separated by "/"', suggestion: path.replaceAll('\\', '/') }
      : null,
  (path) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)
      ? { rule: 'it holds a control character', suggestion: without(path, /[\p{Cc}\p{Zl}\p{Zp}]/gu) }
      : null,
  (path) =>
    /^[a-z]:/i.test(path)
      ? { rule: 'it begins with the name of a drive', suggestion: path.slice(2).replace(/^\/+/, '') }
      : null,
  (path) => {
    const parts = path.split('/');
    const trimmed = parts.map((part) => part.trimStart().replace(/[\s.]+$/, ''));
    if (trimmed.every((part, index) => part === parts[index])) return null;
    return {
      rule: 'a part of it begins or ends with a space, or ends with a dot',
      suggestion: trimmed.join('/'),
    };
  },
  (path) =>
    path.split('/').some(isGitDirectory)
      ? { rule: 'a part of it is ".git", which git keeps for itself', suggestion: null }
      : null,
  (path) =>
    path.split('/').slice(0, -1).some(isGitFile)
      ? { rule: 'a folder of it has the name of a file that git reads', suggestion: null }
      : null,
  (path) =>
    path.split('/').some((part) => windowsDevice.test(part))
      ? { rule: 'a part of it is the name of a device on Windows, such as CON or NUL', suggestion: null }
      : null,
  (path) =>
    path.split('/').some((part) => Buffer.byteLength(part + extension) > limits.pathPartBytes)
      ? { rule: `a part of it has over ${limits.pathPartBytes} bytes with ".md"`, suggestion: null }
      : null,
  (path) =>
    path.length > limits.pathCharacters
      ? { rule: `it has over ${limits.pathCharacters} characters`, suggestion: null }
      : null,
];

function without(path: string, pattern: RegExp): string {
  return path.replace(pattern, '');
}

/** Characters that HFS+ leaves out when it compares names, as git lists them (utf8.c, next_hfs_char). */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** `.git` as some file system would take it: any case, HFS+ ignored characters, NTFS short names and streams. */
function isGitDirectory(part: string): boolean {
  return /^(\.git|git~1)$/i.test(asFileSystemsSee(part));
}

/** `git fsck --strict` takes a folder of this name for a broken file. */
function isGitFile(part: string): boolean {
  return /^(\.git(modules|attributes|ignore)|\.mailmap|git(mod|att|ign)~\d|gi7eba~\d)$/i.test(
    asFileSystemsSee(part),
  );
}

function asFileSystemsSee(part: string): string {
  const withoutStream = part.replace(ignoredByHfs, '').split(':', 1)[0] ?? '';
  return withoutStream.replace(/[ .]+$/, '');
}

const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|:|$)/i;
