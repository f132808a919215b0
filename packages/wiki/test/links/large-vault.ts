import { git, gitBytes } from '../native-git.ts';
import { slowLinksOf, type WrittenLink } from './slow-links.ts';
import { resolveSlowly, type SlowLink, type Vault } from './slow-resolver.ts';

/**
 * The slow resolver for a large vault without aliases. It is given only the files whose last names are those of the
 * link, two if the link has two: every rule compares them, so the others have no say. Links of one folder with one
 * target lead to one place, and are made out once.
 */
export function resolverOf(paths: readonly string[]): (link: SlowLink, from: string) => string | null {
  const all: Vault = { paths, aliases: [] };
  const none: Vault = { paths: [], aliases: [] };
  const vaults = new Map<string, Vault>();
  for (const count of [1, 2]) {
    for (const [names, alike] of Map.groupBy(paths, (path) => lastNames(path, count))) {
      vaults.set(`${count} ${names}`, { paths: alike, aliases: [] });
    }
  }
  const known = new Map<string, string | null>();
  return (link, from) => {
    const { kind, target } = link;
    const key = [kind, target, target === '' ? from : from.slice(0, from.lastIndexOf('/') + 1)].join('\0');
    const led = known.get(key);
    if (led !== undefined) return led;
    const [last = '', before = ''] = target.trim().split('/').toReversed();
    const count = isName(before) ? 2 : 1;
    const vault = isName(last) ? (vaults.get(`${count} ${lastNames(target, count)}`) ?? none) : all;
    const leads = resolveSlowly(link, from, vault);
    known.set(key, leads);
    return leads;
  };
}

/** A page's links in their order, with where each leads: a tree path, or null if it is broken. */
export interface PageLinks {
  links: readonly WrittenLink[];
  leads: readonly (string | null)[];
}

/** The trees of a repository with every link of every page, read from git and made out without the wiki. */
export class LargeVault {
  readonly #repository: string;
  readonly #linksOf = new Map<string, readonly WrittenLink[]>();

  constructor(repository: string) {
    this.#repository = repository;
  }

  /** The pages of the newest commit, by tree path. */
  read(): Map<string, PageLinks> {
    const rows = git(this.#repository, ['ls-tree', '-r', '-z', '--format=%(objectname) %(path)', 'main']);
    const files = rows
      .split('\0')
      .filter((row) => row !== '')
      .map((row) => ({ oid: row.slice(0, 40), path: row.slice(41) }));
    this.#parse(files.map(({ oid }) => oid));
    const resolve = resolverOf(files.map(({ path }) => path));
    const pages = files.map(({ oid, path }) => {
      const links = this.#linksOf.get(oid) ?? [];
      return [path, { links, leads: links.map((link) => resolve(link, path)) }] as const;
    });
    return new Map(pages);
  }

  /** Reads the blobs that no tree before had. */
  #parse(oids: readonly string[]): void {
    const unread = [...new Set(oids)].filter((oid) => !this.#linksOf.has(oid));
    let rest = gitBytes(this.#repository, ['cat-file', '--batch'], { input: `${unread.join('\n')}\n` });
    for (const oid of unread) {
      const start = rest.indexOf('\n') + 1;
      const end = start + Number(rest.toString('utf8', 0, start).trim().split(' ')[2]);
      this.#linksOf.set(oid, slowLinksOf(rest.toString('utf8', start, end)));
      rest = rest.subarray(end + 1);
    }
  }
}

function lastNames(path: string, count: number): string {
  const names = path.normalize('NFC').trim().split('/').slice(-count).join('/');
  return names.toLowerCase().replace(/\.md$/, '');
}

function isName(part: string): boolean {
  return !['', '.', '..'].includes(part);
}
