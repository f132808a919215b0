import { folderOf, pageNameOf } from '../../paths/page-path.ts';
import { normalForm } from '../normal-form.ts';
import { type LinkAddress, namesWithHashes } from './link-names.ts';
import { PathIndex } from './path-index.ts';
import { joinPath } from './relative-path.ts';

export interface ResolvedLink {
  /** The tree path of the page or file. */
  path: string;
  /** Null also if the query is a part of the name. */
  query: string | null;
  anchor: string | null;
  /**
   * The kind of match: a place in the same page, a path from the page's folder or the root, a name, an alias.
   */
  by: 'self' | 'relative' | 'path' | 'name' | 'alias';
}

/** The names against which links resolve, as plain data. */
export interface LinkNames {
  /** All files of the wiki, pages and others. */
  treePaths: readonly string[];
  /** Frontmatter aliases with the tree paths of their pages. */
  aliases: readonly (readonly [alias: string, treePath: string])[];
}

/** Resolves links in one state of a wiki. */
export interface LinkResolver {
  /** `from` is the tree path of the page that holds the link. Null if the link leads nowhere. */
  resolve(link: LinkAddress, from: string): ResolvedLink | null;
}

/**
 * Resolves a link in this order (docs/links.md):
 *
 * (a) What begins with `/`, `./` or `../` is a path, from the root or from the linking page's folder, and nothing else.
 * (b) The page or file at exactly this path from the root.
 * (c) Among those whose path ends with the link, whole parts of the path compared: the ones in or below the linking
 *     page's folder, shortest path first.
 * (d) Then the one that shares the longest leading folder with the linking page.
 * (e) Then the shortest path, then the first by code points.
 * (f) A page with this alias; among several in the order of (c) to (e). A name always wins over an alias.
 *
 * So the nearest folder around the linking page that holds a match, in it or below, decides, and in it the shortest
 * path. "Shortest" counts the characters of the whole path, as Obsidian does. Obsidian has no (d): outside of the
 * linking page's folder it takes the shortest path anywhere. A Markdown link is first a path from the page's folder,
 * then (b) to (e), and never an alias. A link without `.md` means a page before a file of that very name; with an
 * extension, such as `chart.png`, the file before the page. Matches of the link's very case come first; without any,
 * case is ignored if all matches are spelled the same way, else the link leads nowhere. A name that holds the query of a
 * Markdown link (`chart.png?v=2`) comes before one without it.
 *
 * `treePaths` are all files of the wiki, pages and others; `aliases` go with the tree paths of their pages.
 */
export function createLinkResolver(
  treePaths: Iterable<string>,
  aliases: Iterable<readonly [alias: string, treePath: string]> = [],
): LinkResolver {
  const pages = new PathIndex();
  const files = new PathIndex();
  for (const treePath of treePaths) {
    const page = pageNameOf(treePath);
    if (page === null) files.add(normalForm(treePath), treePath);
    else pages.add(page, treePath);
  }
  const named = new PathIndex();
  for (const [alias, treePath] of aliases) {
    named.add(normalForm(alias), treePath, pageNameOf(treePath) ?? treePath);
  }
  return new Resolver(pages, files, named);
}

class Resolver implements LinkResolver {
  readonly #pages: PathIndex;
  readonly #files: PathIndex;
  readonly #aliases: PathIndex;

  constructor(pages: PathIndex, files: PathIndex, aliases: PathIndex) {
    this.#pages = pages;
    this.#files = files;
    this.#aliases = aliases;
  }

  resolve(link: LinkAddress, from: string): ResolvedLink | null {
    const { target, query, anchor } = link;
    if (target.trim() === '') return { path: from, query, anchor, by: 'self' };
    const folder = folderOf(from).normalize('NFC');
    if (link.kind !== 'wiki') {
      const place = (name: string) => this.#fromFolder(name, folder) ?? this.#byName(name, folder);
      const whole = query === null ? null : place(target + query);
      return withRest(whole, anchor) ?? withRest(place(target), anchor, query);
    }
    const isPath = /^\.{0,2}\//.test(target);
    const place = (name: string) => (isPath ? this.#fromFolder(name, folder) : this.#byName(name, folder));
    const find = (among: (name: string) => Found | null, holdHashes: boolean) => {
      for (const [name, rest] of holdHashes ? namesWithHashes(target, anchor) : []) {
        // As a path it would have no `#` left.
        if (isPath && name.includes('/../', name.indexOf('#'))) continue;
        const found = among(name.trim());
        if (found !== null) return withRest(found, rest);
      }
      return withRest(among(target.trim()), anchor);
    };
    const named = find(place, this.#pages.holdsHashes || this.#files.holdsHashes);
    if (named !== null || isPath) return named;
    return find((name) => this.#byAlias(name, folder), this.#aliases.holdsHashes);
  }

  #fromFolder(target: string, folder: string): Found | null {
    if (target.startsWith('/')) return this.#atPath(target.slice(1), 'path');
    const path = joinPath(folder, target);
    return path === null ? null : this.#atPath(path, 'relative');
  }

  #byName(target: string, folder: string): Found | null {
    const exact = this.#atPath(target, 'path');
    if (exact !== null) return exact;
    const path = this.#either(target, (index, name) => index.endingIn(name, folder));
    return path === null ? null : { path, by: 'name' };
  }

  #atPath(target: string, by: 'relative' | 'path'): Found | null {
    const path = this.#either(target, (index, name) => index.at(name, ''));
    return path === null ? null : { path, by };
  }

  /**
   * A name with another extension than `.md` is first looked up as a file, then as a page: `![[chart.png]]`.
   */
  #either(target: string, find: (index: PathIndex, name: string) => string | null): string | null {
    const name = normalForm(target);
    const page = () => find(this.#pages, withoutExtension(name));
    if (isPage(name)) return page();
    const file = () => find(this.#files, name);
    return hasExtension(name) ? (file() ?? page()) : (page() ?? file());
  }

  #byAlias(target: string, folder: string): Found | null {
    const path = this.#aliases.at(normalForm(target), folder);
    return path === null ? null : { path, by: 'alias' };
  }
}

interface Found {
  path: string;
  by: ResolvedLink['by'];
}

function withRest(
  found: Found | null,
  anchor: string | null,
  query: string | null = null,
): ResolvedLink | null {
  return found === null ? null : { ...found, query, anchor };
}

function isPage(name: string): boolean {
  return /\.md$/i.test(name);
}

function hasExtension(name: string): boolean {
  return /\.[^./]+$/.test(name);
}

function withoutExtension(name: string): string {
  return name.replace(/\.md$/i, '');
}
