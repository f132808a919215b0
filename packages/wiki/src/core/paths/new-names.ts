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
  if (problems.length > 0) throw namesRefused(problems);
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

interface NameProblem extends Clash {
  path: string;
}

/** The names that a change leaves in the folders to which it adds. */
class Siblings {
  readonly #base: Snapshot;
  readonly #removed: ReadonlySet<string>;
  /** By folder, then by key. */
  readonly #folders = new Map<string, Map<string, string[]>>();

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
      const names = await this.#namesIn(folder);
      const key = siblingKey(name);
      const alike = names.get(key) ?? [];
      if (!alike.includes(name)) {
        clash ??= await this.#clashWith(folder, alike, parts.slice(depth + 1), kept);
        names.set(key, [...alike, name]);
      }
      folder = folder === '' ? name : `${folder}/${name}`;
    }
    return clash;
  }

  async #clashWith(
    folder: string,
    alike: readonly string[],
    rest: readonly string[],
    kept: KeptName | null,
  ): Promise<Clash | null> {
    const before = kept !== null && rest.length < kept.parts ? this.#folderBefore(kept, rest) : null;
    for (const other of alike) {
      const there: string = folder === '' ? other : `${folder}/${other}`;
      if (await this.#isLeaving(there)) continue;
      if (before !== null && !(await this.#isThere(there)) && (await this.#comesFrom(before, other)))
        continue;
      const rule = `${JSON.stringify(withoutExtension(there))} is there, which differs only in case or in what cannot be seen`;
      return { rule, suggestion: [there, ...rest].join('/') };
    }
    return null;
  }

  async #namesIn(folder: string): Promise<Map<string, string[]>> {
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

  /** True if the change itself removes the file, or everything in the folder. */
  async #isLeaving(path: string): Promise<boolean> {
    if (this.#removed.has(path)) return true;
    if (this.#removed.size === 0 || (await this.#base.entry(path)) !== null) return false;
    for await (const file of this.#base.files(path)) if (!this.#removed.has(file.path)) return false;
    return true;
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
