import { lastPartOf, pageNameOf } from '../../paths/page-path.ts';
import { foldCase } from '../fold-case.ts';
import type { Link } from '../markdown/markdown.ts';
import { normalForm } from '../normal-form.ts';

/** The parts of a link that say where it leads. */
export type LinkAddress = Pick<Link, 'kind' | 'target' | 'query' | 'anchor'>;

/**
 * The key that pages, files and aliases share with the links that can lead to them: the last part of the
 * name that is not empty, in lower case and without any `.md` at its end. The file `README.md.md` and the links to it
 * have one key.
 */
export function nameKey(name: string): string {
  const path = withoutEndings('/.', name.endsWith('/') ? name.slice(0, -1) : name);
  return withoutEndings('.md', foldCase(normalForm(lastPartOf(path))));
}

function withoutEndings(ending: string, text: string): string {
  let end = text.length;
  while (text.endsWith(ending, end)) end -= ending.length;
  return text.slice(0, end);
}

/** The keys of a link's possible targets. There is one, unless a `#` or `?` in the link may belong to the name. */
export function nameKeysOf({ kind, target, query, anchor }: LinkAddress): string[] {
  if (kind !== 'wiki') return keysOf(query === null ? [target] : [target, target + query]);
  const hashed = [...namesWithHashes(target, anchor)].map(([name]) => name);
  // Blanks around a wikilink's target do not count. Those of a Markdown link were written as `%20`.
  return keysOf([target, ...hashed].map((name) => name.trim()));
}

function keysOf(names: readonly string[]): string[] {
  return [...new Set(names.map(nameKey))];
}

/** Names may contain `#` and are then not cut there: `[[C# Guide#Setup]]`. Longest first, with what is left for the anchor. */
export function* namesWithHashes(target: string, anchor: string | null): Generator<[string, string | null]> {
  if (anchor === null) return;
  const written = `${target}#${anchor}`;
  yield [written, null];
  for (let cut = written.lastIndexOf('#'), tries = 0; cut > target.length && tries < 8; tries += 1) {
    yield [written.slice(0, cut), written.slice(cut + 1)];
    cut = written.lastIndexOf('#', cut - 1);
  }
}

/** The name by which links refer to a file: a page's without its extension, unless the link had it. */
export function nameLike(path: string, treePath: string): string {
  const page = pageNameOf(treePath);
  if (page === null) return treePath.normalize('NFC');
  return /\.md$/i.test(path) ? `${page}.md` : page;
}
