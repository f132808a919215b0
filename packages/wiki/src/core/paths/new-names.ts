import { WikiError } from '../../contract/errors.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { foldCase } from '../text/fold-case.ts';
import { withoutIgnorable } from '../text/markdown/hidden-characters.ts';
import { type KeptName, KeptNames, refusalOfPlace } from './kept-names.ts';

/**
 * Throws `invalid_path` if a change makes a name that no new page or file may have. Every write passes this
 * check, whatever its operation. Names of older pages, which may break the rules, stay in use, move with
 * their folder, and do not spread.
 */
export async function requireFineNames(base: Snapshot, files: readonly FileWrite[]): Promise<void> {
  const problems = await findNameProblems(base, files);
  if (problems.length > 0) throw namesRefused(problems);
}

/** The names that a change would make and that no new page or file may have. */
export async function findNameProblems(base: Snapshot, files: readonly FileWrite[]): Promise<NameProblem[]> {
  const problems: NameProblem[] = [];
  const siblings = new Siblings(base, files);
  const keptNames = new KeptNames(files);
  const yieldIfDue = yielding();
  for (const file of files) {
    await yieldIfDue();
    if ('remove' in file || (await base.entry(file.path)) !== null) continue;
    const kept = keptNames.of(file.path);
    const problem = refusalOfPlace(file.path, kept) ?? (await siblings.clashOf(file.path, kept));
    if (problem !== null) problems.push({ path: file.path, ...problem });
  }
  return problems;
}

/** The key that two names share if some reader or file system cannot distinguish them. */
export function siblingKey(name: string): string {
  return foldCase(withoutIgnorable(name.normalize('NFC')))
    .normalize('NFC')
    .replaceAll('ſ', 's')
    .replace(/\p{Zs}+/gu, ' ');
}

interface Clash {
  rule: string;
  suggestion: string | null;
}

export interface NameProblem extends Clash {
  path: string;
}

/** The names that a change leaves in the folders to which it adds. */
class Siblings {
  readonly #base: Snapshot;
  readonly #removed: ReadonlySet<string>;
  /** The names before the change, by folder, then by key. */
  readonly #folders = new Map<string, Map<string, string[]>>();
  /** Those that stay and those that were added, by folder, then by key. */
  readonly #present = new Map<string, Map<string, readonly string[]>>();

  constructor(base: Snapshot, files: readonly FileWrite[]) {
    this.#base = base;
    this.#removed = new Set(files.flatMap((file) => ('remove' in file ? [file.path] : [])));
  }

  /**
   * An existing or already added name that some readers cannot distinguish from this one; then adds this one.
   */
  async clashOf(path: string, kept: KeptName | null): Promise<Clash | null> {
    const parts = path.split('/');
    let clash: Clash | null = null;
    let folder = '';
    for (const [depth, name] of parts.entries()) {
      const alike = await this.#namesLike(folder, name);
      if (!alike.includes(name)) {
        clash ??= await this.#clashWith(folder, name, alike, parts.slice(depth + 1), kept);
        this.#present.get(folder)?.set(siblingKey(name), [...alike, name]);
      }
      folder = folder === '' ? name : `${folder}/${name}`;
    }
    return clash;
  }

  async #clashWith(
    folder: string,
    name: string,
    alike: readonly string[],
    rest: readonly string[],
    kept: KeptName | null,
  ): Promise<Clash | null> {
    const before = kept !== null && rest.length < kept.parts ? this.#folderBefore(kept, rest) : null;
    for (const other of alike) {
      const there: string = folder === '' ? other : `${folder}/${other}`;
      const isAdded = !(await this.#isThere(there));
      if (isAdded) {
        // Callers write composed names only: the other form comes back with an undo, or with a move back.
        if (other.normalize('NFC') === name.normalize('NFC')) continue;
        if (before !== null && (await this.#comesFrom(before, other))) continue;
      }
      const shown = JSON.stringify(withoutExtension(there));
      const twin = isAdded ? `the same change adds ${shown}` : `${shown} is there`;
      const rule = `${twin}, which differs only in case or in what cannot be seen`;
      return { rule, suggestion: isAdded ? null : [there, ...rest].join('/') };
    }
    return null;
  }

  /** The names in a folder with the key of this one. A name that leaves counts only once it is added again. */
  async #namesLike(folder: string, name: string): Promise<readonly string[]> {
    const present = this.#present.get(folder) ?? new Map<string, readonly string[]>();
    this.#present.set(folder, present);
    const key = siblingKey(name);
    const known = present.get(key);
    if (known !== undefined) return known;
    const staying: string[] = [];
    for (const other of (await this.#namesBefore(folder)).get(key) ?? []) {
      if (!(await this.#isLeaving(folder === '' ? other : `${folder}/${other}`))) staying.push(other);
    }
    present.set(key, staying);
    return staying;
  }

  async #namesBefore(folder: string): Promise<Map<string, string[]>> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const names = new Map<string, string[]>();
    for (const { name } of (await this.#base.folder(folder)) ?? []) {
      const key = siblingKey(name);
      names.set(key, [...(names.get(key) ?? []), name]);
    }
    this.#folders.set(folder, names);
    return names;
  }

  /** The old folder of the name that now precedes `rest`. */
  #folderBefore({ from }: KeptName, rest: readonly string[]): string {
    return from
      .split('/')
      .slice(0, -1 - rest.length)
      .join('/');
  }

  /** True if a name was in this folder too, and leaves it: then the two were alike before. */
  async #comesFrom(folder: string, name: string): Promise<boolean> {
    const path = folder === '' ? name : `${folder}/${name}`;
    return (await this.#isThere(path)) && this.#isLeaving(path);
  }

  async #isThere(path: string): Promise<boolean> {
    return (await this.#base.entry(path)) !== null || (await this.#base.folder(path)) !== null;
  }

  /** True if the change itself removes the file, or everything in the folder. Symbolic links and submodules stay. */
  async #isLeaving(path: string): Promise<boolean> {
    if (this.#removed.has(path)) return true;
    if (this.#removed.size === 0) return false;
    const entries = await this.#base.folder(path);
    for (const { name } of entries ?? []) if (!(await this.#isLeaving(`${path}/${name}`))) return false;
    return entries !== null;
  }
}

function namesRefused(problems: readonly NameProblem[]): WikiError {
  const shown = problems.slice(0, SHOWN);
  const reasons = shown.map(({ path, rule, suggestion }) => {
    const instead = suggestion === null ? '' : ` Instead: ${quote(withoutExtension(suggestion))}.`;
    return `${quote(withoutExtension(path))} cannot be the name of a new page or file: ${rule}.${instead}`;
  });
  const more = problems.length - shown.length;
  return new WikiError(
    'invalid_path',
    {
      happened: `${reasons.join('\n')}${more > 0 ? `\nAnd ${more} more.` : ''}`,
      now: 'Nothing was changed.',
      next: 'Choose another name, or use the page that is there.',
    },
    {
      path: problems[0]?.path,
      rule: problems[0]?.rule,
      ...(problems[0]?.suggestion != null && { suggestion: withoutExtension(problems[0].suggestion) }),
      problems: shown,
      problems_total: problems.length,
    },
  );
}

const SHOWN = 8;

function withoutExtension(path: string): string {
  return path.replace(/\.md$/, '');
}

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200).toWellFormed()}...` : path);
}
