import { type Fault, fault } from './fault.ts';
import type { JudgedFile } from './tree-faults.ts';

/** The first fault that `git fsck --strict` finds in the content of a file that it judges, or null. */
export function fileFault(file: JudgedFile, content: Uint8Array): Fault | null {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  return file === 'gitmodules' ? modulesFault(text) : attributesFault(text);
}

function attributesFault(text: string): Fault | null {
  return text.split('\n').some((line) => line.length >= MAX_LINE_BYTES)
    ? fault('gitattributesLineLength', `it has a line of more than ${MAX_LINE_BYTES} bytes`)
    : null;
}

/**
 * Stricter than git: accepts only what `git submodule add` writes, so that no quoting or line folding can
 * hide from this check what git reads.
 */
function modulesFault(text: string): Fault | null {
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const section = /^\[submodule "([^"\\\p{Cc}]+)"\]$/u.exec(trimmed);
    if (section) {
      isInside = true;
      if (hasDotDot(section[1] ?? ''))
        return fault('gitmodulesName', 'the name of a submodule leads out of its folder');
      continue;
    }
    // The value begins with no space: the spaces before it would be tried in every way otherwise.
    const [, key, value] =
      /^([A-Za-z][A-Za-z0-9-]*) *= *([^ "\\;#\p{Cc}][^"\\;#\p{Cc}]*)$/u.exec(trimmed) ?? [];
    if (!isInside || key === undefined || value === undefined) {
      return fault('gitmodulesParse', 'it holds more than plain names, paths and addresses of submodules');
    }
    const found = settingFault(key.toLowerCase(), value.trim());
    if (found !== null) return found;
  }
  return null;
}

function settingFault(key: string, value: string): Fault | null {
  if (key === 'url' && !isPlainUrl(value))
    return fault('gitmodulesUrl', 'the address of a submodule is not a plain one');
  if (key === 'path' && value.startsWith('-'))
    return fault('gitmodulesPath', 'the path of a submodule begins with "-"');
  if (key === 'update' && !UPDATES.has(value))
    return fault('gitmodulesUpdate', 'the update of a submodule runs a command');
  return null;
}

/** An address with a scheme, `user@host:path`, or a relative one that stays inside its base. */
function isPlainUrl(url: string): boolean {
  if (/%0[0-9a-f]|%[^0-9a-f]/i.test(url)) return false;
  if (/^(https?|ssh|git):\/\/([\w.~][\w.:~-]*@)?[\w.[~][\w.:[\]~-]*(\/[\w@:.~%+=,/-]*)?$/i.test(url))
    return true;
  if (/^[\w.-]+@[\w.][\w.-]*:[\w.~/][\w@.~%+=,/-]*$/.test(url)) return true;
  return /^(\.\.?\/)?[\w][\w.~+=,/-]*$/.test(url) && !url.includes('::');
}

function hasDotDot(name: string): boolean {
  return name.split(/[/\\]/).includes('..');
}

const UPDATES: ReadonlySet<string> = new Set(['checkout', 'rebase', 'merge', 'none']);
/** The line length from which on git refuses the file. */
const MAX_LINE_BYTES = 2_048;
