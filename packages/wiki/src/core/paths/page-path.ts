import { WikiError } from '../../contract/errors.ts';
import { normalForm } from '../text/normal-form.ts';
import { creationRules, type Refusal, type Rule, readingRules, refusalOf, repair } from './path-rules.ts';

/**
 * A page path (`Guides/Getting Started`) is the address of a page; its tree path (`Guides/Getting
 * Started.md`) is its place in git. There are two levels of rules. Any file ending in `.md` can be read,
 * since a repository may have been made elsewhere. Only names that every platform can check out can be
 * created.
 */

const extension = '.md';

/** Rules for the paths of new pages. A page `N.md.md` beside a page `N` would mislead its readers. */
const pageRules: readonly Rule[] = [
  ...creationRules,
  (path) =>
    endsLikeFile(path)
      ? {
          rule: 'it ends in ".md" twice, which is only for the file',
          suggestion: path.replace(/(?:\.md)+$/i, ''),
        }
      : null,
];

/**
 * The page path, in NFC, that a caller means. A trailing `.md` is accepted and dropped, unless the name ends in
 * another one. A page path parses to itself. Throws `invalid_path` if the text cannot be the address of any page.
 */
export function parsePagePath(input: string): string {
  return parse(input, readingRules);
}

/** The same for a new page. Also refuses names that some platform cannot hold. */
export function parseNewPagePath(input: string): string {
  return parse(input, pageRules);
}

/** The tree path of a new page. An older page may be spelled in another way: see spellings.ts. */
export function treePathOf(pagePath: string): string {
  return endsLikeFile(pagePath) ? pagePath : pagePath + extension;
}

/** True if a name in the path begins with a dot, as in folders that programs keep for themselves. */
export function isHidden(path: string): boolean {
  return /(?:^|\/)\./.test(path);
}

/** The page path of a file in the tree, or null if the file is not a page. Of `N.md.md` it is `N.md.md`: `N.md` means `N`. */
export function pagePathOf(treePath: string): string | null {
  const name = pageNameOf(treePath);
  return name === null ? null : addressOf(name);
}

/** The name that links use for a page: the path of its file without one `.md`. Null if the file is not a page. */
export function pageNameOf(treePath: string): string | null {
  if (!treePath.endsWith(extension)) return null;
  const path = normalForm(treePath.slice(0, -extension.length));
  return path === '' || path.endsWith('/') ? null : path;
}

/**
 * True if a path could be spelled in more than one Unicode form. Few letters of ASCII can, which saves most searches:
 * the Kelvin sign becomes K in each normal form, the Greek question mark `;`, and the varia a backtick.
 */
export function hasOtherForms(path: string): boolean {
  return /[^\0-\x7f]|[K;`]/.test(path);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The reason why a tree path cannot be a new file's, or null if it can. */
export function refusalOfNewPath(treePath: string): Refusal | null {
  const path = treePath.endsWith(extension) ? treePath.slice(0, -extension.length) : treePath;
  const refusal = refusalOf(path, creationRules);
  if (refusal?.suggestion == null) return refusal;
  return { ...refusal, suggestion: repair(refusal.suggestion, creationRules) };
}

function addressOf(name: string): string {
  return endsLikeFile(name) ? name + extension : name;
}

function endsLikeFile(path: string): boolean {
  return /\.md$/i.test(path);
}

/** The path of a folder, or of a file with its extension. Nothing of its name is dropped. Throws as `parsePagePath`. */
export function parseTreePath(input: string): string {
  return checked(input, normalForm(input), readingRules);
}

/** The page path that a text means, without a look at whether there can be such a page. */
export function asPagePath(text: string): string {
  return addressOf(normalForm(text).replace(/\.md$/i, ''));
}

function parse(input: string, rules: readonly Rule[]): string {
  return checked(input, asPagePath(input), rules);
}

function checked(input: string, path: string, rules: readonly Rule[]): string {
  const refusal = refusalOf(path, rules);
  if (refusal !== null) throw invalidPath(input, refusal, rules);
  return path;
}

function invalidPath(input: string, { rule, suggestion }: Refusal, rules: readonly Rule[]): WikiError {
  const usable = suggestion === null ? null : repair(suggestion, rules);
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
