import { limits } from '../../contract/limits.ts';
import { hasHiddenCharacter, withoutHiddenCharacters } from '../text/markdown/hidden-characters.ts';
import { isDotFile, isGitDirectory, isGitFile, isHostileName, isShortName } from './hostile-path.ts';

/** The reason why a path is refused, and a similar path that no longer breaks the rule. */
export interface Refusal {
  rule: string;
  suggestion: string | null;
}

export type Rule = (path: string) => Refusal | null;

/** A path like this one that keeps all the rules, or null if their suggestions lead to none. */
export function repair(path: string, rules: readonly Rule[]): string | null {
  let repaired = path.normalize('NFC');
  for (let round = 0; round <= rules.length; round++) {
    const refusal = refusalOf(repaired, rules);
    if (refusal === null) return repaired;
    if (refusal.suggestion === null) return null;
    repaired = refusal.suggestion.normalize('NFC');
  }
  return null;
}

/** The first rule that a path breaks, or null. */
export function refusalOf(path: string, rules: readonly Rule[]): Refusal | null {
  for (const rule of rules) {
    const refusal = rule(path);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Rules for paths of existing pages and files in a tree, which may have been made elsewhere. */
export const readingRules: readonly Rule[] = [
  // First: the other rules take longer the longer a path is.
  (path) =>
    path.length > longestPath ? { rule: `it has over ${longestPath} characters`, suggestion: null } : null,
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
    path.split('/').slice(0, -1).some(isHostileName)
      ? { rule: 'it leads into a folder that git keeps for itself', suggestion: null }
      : null,
];

/** The longest path that Linux can check out, for trees made elsewhere. */
const longestPath = 4_096;

/**
 * Rules for paths of new pages and files: every platform can hold them, and readers can see what they are.
 */
export const creationRules: readonly Rule[] = [
  lengthRule,
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
    const trimmed = eachPart(path, (part) => part.trimStart().replace(/[\s.]+$/, ''));
    if (trimmed === path) return null;
    return { rule: 'a part of it begins or ends with a space, or ends with a dot', suggestion: trimmed };
  },
  (path) =>
    path.split('/').some(isGitDirectory)
      ? { rule: 'a part of it is ".git", which git keeps for itself', suggestion: null }
      : null,
  (path) =>
    path.split('/').slice(0, -1).some(isReadByGit)
      ? { rule: 'a folder of it has the name of a file that git reads', suggestion: null }
      : null,
  (path) =>
    path.split('/').some(isHostileName)
      ? { rule: 'a part of it is a name that git keeps for itself on some system', suggestion: null }
      : null,
  (path) =>
    path.split('/').some((part) => part.startsWith('.'))
      ? {
          rule: 'a part of it begins with a dot, as the settings of other programs do',
          suggestion: eachPart(path, (part) => part.replace(/^\.+/, '')),
        }
      : null,
  (path) =>
    path.split('/').slice(0, -1).some(isShortName)
      ? {
          rule: 'a folder of it has a name that Windows may give to another folder',
          suggestion: eachPart(path, (part) => (isShortName(part) ? part.replace('~', '-') : part)),
        }
      : null,
  (path) =>
    /[<>:"|?*]/.test(path)
      ? { rule: 'it holds one of < > : " | ? *, which Windows cannot hold', suggestion: asWindowsHolds(path) }
      : null,
  (path) =>
    hasHiddenCharacter(path)
      ? {
          rule: 'it holds a character that cannot be seen or that turns the text around',
          suggestion: withoutHiddenCharacters(path),
        }
      : null,
  (path) =>
    path.split('/').some((part) => windowsDevice.test(part))
      ? { rule: 'a part of it is the name of a device on Windows, such as CON or NUL', suggestion: null }
      : null,
  (path) =>
    path.split('/').some((part) => Buffer.byteLength(`${part}.md`) > limits.pathPartBytes)
      ? { rule: `a part of it has over ${limits.pathPartBytes} bytes with ".md"`, suggestion: null }
      : null,
];

export function lengthRule(path: string): Refusal | null {
  if (path.length <= limits.pathCharacters) return null;
  return { rule: `it has over ${limits.pathCharacters} characters`, suggestion: null };
}

function eachPart(path: string, change: (part: string) => string): string {
  return path.split('/').map(change).join('/');
}

function asWindowsHolds(path: string): string {
  return eachPart(path, (part) =>
    part
      .replace(/["?]/g, '')
      .replace(/\s*:\s+/g, ' - ')
      .replace(/(?<=[\p{L}\p{N}])[<>:|*]+(?=[\p{L}\p{N}])/gu, '-')
      .replace(/[<>:|*]/g, '')
      .replace(/^[\s-]+|[\s-]+$/g, ''),
  );
}

function without(path: string, pattern: RegExp): string {
  return path.replace(pattern, '');
}

function isReadByGit(part: string): boolean {
  return isGitFile(part) || isDotFile(part, 'gitignore') || isDotFile(part, 'mailmap');
}

const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|:|$)/i;
