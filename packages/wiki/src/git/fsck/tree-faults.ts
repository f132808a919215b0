import { type DotFile, isDotFile, isGitDirectory, isHostileName } from '../../core/paths/hostile-path.ts';
import { readableName } from '../../formats/names.ts';
import type { EntryKind } from '../../formats/tree.ts';
import { asBuffer, entryAt, placeAt } from '../../formats/tree-layout.ts';
import { type Fault, fault } from './fault.ts';

/** An entry of a tree as it is stored; each character of `name` is one byte. */
export interface StoredEntry {
  kind: EntryKind;
  name: string;
  oid: string;
  /** The kind of file whose content git judges, whatever its name here; null for any other file. */
  judged: JudgedFile | null;
}

export type JudgedFile = Extract<DotFile, 'gitmodules' | 'gitattributes'>;

/**
 * The first fault that `git fsck --strict`, or the quarantine of hostile names, finds in the bytes of a tree,
 * or null. Calls `each` with the entries up to there.
 */
export function treeFault(content: Uint8Array, each: (entry: StoredEntry) => void): Fault | null {
  const bytes = asBuffer(content);
  const prefixes = new Prefixes();
  let before = '';
  for (let at = 0; at < bytes.length; ) {
    const place = placeAt(bytes, at);
    if (place === null) return fault('badTree', 'it ends in the middle of an entry');
    const { mode, name, oid } = entryAt(bytes, place);
    const kind = kindOfMode(mode);
    if (typeof kind !== 'string') return kind;
    const found = nameFault(name, kind);
    if (found !== null) return found;
    if (oid === NULL_OID) return fault('nullSha1', `its entry ${quoted(name)} names no object`);
    const key = kind === 'folder' ? `${name}/` : name;
    if (key === before || prefixes.holdsThenAdd(name)) {
      return fault('duplicateEntries', `it has two entries ${quoted(name)}`);
    }
    if (key < before) return fault('treeNotSorted', `its entry ${quoted(name)} is not in its place`);
    before = key;
    each({ kind, name, oid, judged: judgedFile(name) });
    at = place.next;
  }
  return null;
}

/**
 * The earlier names that a later one may repeat: between a file and a folder of the same name there are only
 * names that begin with it. Remembering every name would take several times as long.
 */
class Prefixes {
  readonly #names: string[] = [];

  holdsThenAdd(name: string): boolean {
    while (this.#names.length > 0 && !name.startsWith(this.#names.at(-1) ?? '')) this.#names.pop();
    if (this.#names.at(-1) === name) return true;
    this.#names.push(name);
    return false;
  }
}

function kindOfMode(mode: string): EntryKind | Fault {
  const known = KINDS.get(mode);
  if (known !== undefined) return known;
  if (mode.startsWith('0')) return fault('zeroPaddedFilemode', 'the mode of an entry begins with a zero');
  // Files with other modes date from the first years of git, which reports and accepts them.
  return /^100[0-7]{3}$/.test(mode) ? 'file' : fault('badFilemode', 'the mode of an entry is none of git');
}

function nameFault(name: string, kind: EntryKind): Fault | null {
  if (HARMLESS.test(name)) return null;
  const text = readableName(name);
  const shown = quoted(name);
  if (name === '') return fault('emptyName', 'it has an entry without a name');
  if (name === '.' || name === '..')
    return fault(name === '.' ? 'hasDot' : 'hasDotdot', `it has an entry ${shown}`);
  if (name.includes('/')) return fault('fullPathname', `its entry ${shown} holds a slash`);
  if (name.length > MAX_NAME_BYTES) return fault('largePathname', `a name has over ${MAX_NAME_BYTES} bytes`);
  if (isGitDirectory(text))
    return fault('hasDotgit', `it has an entry ${shown}, which some systems take for ".git"`);
  for (const file of JUDGED) {
    if (!isDotFile(text, file)) continue;
    if (kind === 'symlink') return fault(`${file}Symlink`, `its entry ${shown} is a symbolic link`);
    if (kind !== 'file') return fault(`${file}Blob`, `its entry ${shown} is no file`);
    return null;
  }
  return isHostileName(text)
    ? fault('hostileName', `its entry ${shown} leads out of its folder on Windows`)
    : null;
}

/** The special file of git that a name, in bytes, stands for on some system. */
export function judgedFile(name: string): JudgedFile | null {
  if (HARMLESS.test(name)) return null;
  const text = readableName(name);
  return JUDGED.find((file) => isDotFile(text, file)) ?? null;
}

/** A name for display in an error. */
function quoted(name: string): string {
  const text = readableName(name);
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100).toWellFormed()}...` : text);
}

const KINDS: ReadonlyMap<string, EntryKind> = new Map([
  ['100644', 'file'],
  ['100755', 'file'],
  ['40000', 'folder'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);
const JUDGED: readonly JudgedFile[] = ['gitmodules', 'gitattributes'];
/**
 * Matches nearly all harmless names. A hostile name begins with `git` or a dot and `git`, consists of dots, or
 * holds a tilde, a backslash or a character that HFS+ ignores, whose first byte is one of the last two.
 */
const HARMLESS = /^(?![gG]|\.(?![0-9A-FH-Za-fh-z_-]))[^~\\/\xe2\xef]{1,255}$/;
const MAX_NAME_BYTES = 4_096;
const NULL_OID = '0'.repeat(40);
