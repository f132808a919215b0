import { folderOf, pagePathOf } from '../page-path.ts';
import type { Link } from './markdown.ts';
import { PathIndex } from './path-index.ts';
import { joinPath } from './relative-path.ts';

export type LinkAddress = Pick<Link, 'kind' | 'target' | 'anchor'>;

export interface ResolvedLink {
  /** The tree path of the page or file. */
  path: string;
  anchor: string | null;
  /** What made it out: a place in the same page, a path from the page's folder or the root, a name, an alias. */
  by: 'self' | 'relative' | 'path' | 'name' | 'alias';
}

/** What links resolve against, as plain data. */
export interface LinkNames {
  /** All files of the wiki, pages and others. */
  treePaths: readonly string[];
  /** Frontmatter aliases with the tree paths of their pages. */
  aliases: readonly (readonly [alias: string, treePath: string])[];
}

/** Says where links lead, in one state of a wiki. */
export interface LinkResolver {
  /** `from` is the tree path of the page that holds the link. Null: nothing is there. */
  resolve(link: LinkAddress, from: string): ResolvedLink | null;
  /** Whether no other page or file matches this path from its last part on. */
  isUnique(path: string): boolean;
}

/**
 * Resolves as Obsidian does: a wikilink is an exact path, else the end of the shortest path that ends so, else an
 * alias; a Markdown link is a path from the page's folder, else as a wikilink, but for aliases. Case counts
 * where it tells pages apart, and is ignored where all that match are spelled the same way.
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
    const page = pagePathOf(treePath);
    if (page === null) files.add(treePath.normalize('NFC'), treePath);
    else pages.add(page, treePath);
  }
  const named = new PathIndex();
  for (const [alias, treePath] of aliases) named.add(escapeSlashes(alias.normalize('NFC')), treePath);
  return new Resolver(pages, files, named);
}

class Resolver implements LinkResolver {
  private readonly pages: PathIndex;
  private readonly files: PathIndex;
  private readonly aliases: PathIndex;

  constructor(pages: PathIndex, files: PathIndex, aliases: PathIndex) {
    this.pages = pages;
    this.files = files;
    this.aliases = aliases;
  }

  resolve(link: LinkAddress, from: string): ResolvedLink | null {
    const { target, anchor } = link;
    if (target.trim() === '') return { path: from, anchor, by: 'self' };
    if (link.kind !== 'wiki') return withAnchor(this.fromFolder(target, from) ?? this.byName(target), anchor);
    for (const [name, rest] of this.namesWithHashes(target, anchor)) {
      const found = this.byName(name);
      if (found !== null) return withAnchor(found, rest);
    }
    const name = target.trim();
    const isRelative = /^\.\.?\//.test(name);
    return withAnchor(
      isRelative ? this.fromFolder(name, from) : (this.byName(name) ?? this.byAlias(name)),
      anchor,
    );
  }

  isUnique(path: string): boolean {
    const name = path.normalize('NFC');
    return this.pages.countEndingIn(withoutExtension(name)) + this.files.countEndingIn(name) <= 1;
  }

  /** Names that hold `#` are not cut there: `[[C# Guide#Setup]]`. The longest first. */
  private *namesWithHashes(target: string, anchor: string | null): Generator<[string, string | null]> {
    if (anchor === null || !(this.pages.holdsHashes || this.files.holdsHashes)) return;
    const written = `${target}#${anchor}`;
    yield [written, null];
    for (let cut = written.lastIndexOf('#'), tries = 0; cut > target.length && tries < 8; tries += 1) {
      yield [written.slice(0, cut), written.slice(cut + 1)];
      cut = written.lastIndexOf('#', cut - 1);
    }
  }

  private fromFolder(target: string, from: string): Found | null {
    if (target.startsWith('/')) return this.atPath(target.slice(1), 'path');
    const path = joinPath(folderOf(from), target);
    return path === null ? null : this.atPath(path, 'relative');
  }

  private byName(target: string): Found | null {
    if (/^(\.\.?)?\//.test(target))
      return target.startsWith('/') ? this.atPath(target.slice(1), 'path') : null;
    const exact = this.atPath(target, 'path');
    if (exact !== null) return exact;
    const path = this.either(target, (index, name) => index.endingIn(name));
    return path === null ? null : { path, by: 'name' };
  }

  private atPath(target: string, by: 'relative' | 'path'): Found | null {
    const path = this.either(target, (index, name) => index.at(name));
    return path === null ? null : { path, by };
  }

  /** A name with another extension than `.md` is a file's before it is a page's: `![[chart.png]]`. */
  private either(target: string, find: (index: PathIndex, name: string) => string | null): string | null {
    const name = target.normalize('NFC');
    const page = () => find(this.pages, withoutExtension(name));
    if (isPage(name)) return page();
    const file = () => find(this.files, name);
    return hasExtension(name) ? (file() ?? page()) : (page() ?? file());
  }

  private byAlias(target: string): Found | null {
    const path = this.aliases.at(escapeSlashes(target.normalize('NFC')));
    return path === null ? null : { path, by: 'alias' };
  }
}

interface Found {
  path: string;
  by: ResolvedLink['by'];
}

function withAnchor(found: Found | null, anchor: string | null): ResolvedLink | null {
  return found === null ? null : { ...found, anchor };
}

function isPage(name: string): boolean {
  return /\.md$/i.test(name);
}

function hasExtension(name: string): boolean {
  return /\.[a-z][a-z0-9]*$/i.test(name);
}

function withoutExtension(name: string): string {
  return name.replace(/\.md$/i, '');
}

/** An alias is a name, not a path: `TCP/IP`. */
function escapeSlashes(alias: string): string {
  return alias.replaceAll('/', '\0');
}
