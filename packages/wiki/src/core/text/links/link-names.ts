import { lastPartOf, pageNameOf } from '../../paths/page-path.ts';
import { foldCase } from '../fold-case.ts';
import { normalForm } from '../normal-form.ts';
import type { LinkAddress } from './link-resolver.ts';

/**
 * The key that pages, files and aliases share with the links that can lead to them: the last part of the
 * name, in lower case and without any `.md` at its end. The file `README.md.md` and the links to it
 * have one key.
 */
export function nameKey(name: string): string {
  const folded = foldCase(normalForm(lastPartOf(name)));
  let end = folded.length;
  while (folded.endsWith('.md', end)) end -= '.md'.length;
  return folded.slice(0, end);
}

/** The keys of a link's possible targets. There is one, unless a `#` or `?` in the link may belong to the name. */
export function nameKeysOf({ kind, target, query, anchor }: LinkAddress): string[] {
  const whole = query === null ? [] : [target + query];
  const names = kind === 'wiki' ? withHashes(target, anchor) : [target, ...whole];
  // Blanks around a wikilink's target do not count. Those of a Markdown link were written as `%20`.
  const trimmed = kind === 'wiki' ? names.map((name) => name.trim()) : names;
  return [...new Set(trimmed.map((name) => nameKey(name.replace(/(\/\.)*\/?$/, ''))))];
}

function withHashes(target: string, anchor: string | null): string[] {
  const names = [target];
  for (const part of anchor?.split('#', mostHashes) ?? []) names.push(`${names.at(-1)}#${part}`);
  return names;
}

const mostHashes = 8;

/** The name by which links refer to a file: a page's without its extension, unless the link had it. */
export function nameLike(path: string, treePath: string): string {
  const page = pageNameOf(treePath);
  if (page === null) return treePath.normalize('NFC');
  return /\.md$/i.test(path) ? `${page}.md` : page;
}
