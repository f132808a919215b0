import { filesOf } from '../operations/archives.ts';
import type { TestWiki } from '../operations/test-wiki.ts';
import { slowAliasesOf, slowLinksOf, type WrittenLink } from './slow-links.ts';
import { followSlowly, type Vault } from './slow-resolver.ts';

export interface LinkWithTarget extends WrittenLink {
  /** The tree path of its page. */
  page: string;
  /** A tree path, or null if the link is broken. */
  leads: string | null;
}

/** A wiki at one moment, as its export has it, with every link resolved slowly. Paths are composed: links mean any form. */
export interface VaultState extends Vault {
  files: ReadonlyMap<string, Buffer>;
  /** By the tree path of the page. */
  links: ReadonlyMap<string, readonly LinkWithTarget[]>;
}

export async function stateOf(wiki: TestWiki, name?: string): Promise<VaultState> {
  const { content } = await wiki.run('export_wiki', {
    format: 'zip',
    ...(name !== undefined && { wiki: name }),
  });
  return stateFrom(await filesOf(content ?? ''));
}

function stateFrom(contents: Readonly<Record<string, Buffer>>): VaultState {
  const files = new Map(
    Object.entries(contents).map(([path, bytes]) => [path.normalize('NFC'), bytes] as const),
  );
  if (files.size < Object.keys(contents).length) throw new Error('A path is there in two Unicode forms.');
  const pages = [...files]
    .filter(([path]) => path.endsWith('.md'))
    .map(([path, bytes]) => [path, `${bytes}`] as const);
  const vault = {
    paths: [...files.keys()],
    aliases: pages.flatMap(([path, text]) => slowAliasesOf(text).map((alias) => ({ alias, path }))),
  };
  const links = pages.map(([path, text]) => {
    const found = slowLinksOf(text).map((link) => ({
      ...link,
      page: path,
      leads: null,
      ...followSlowly(link, path, vault),
    }));
    return [path, found] as const;
  });
  return { ...vault, files, links: new Map(links) };
}

/** The page's text with its links taken out: what a rewriting of links may not touch. */
export function textBesideLinks(state: VaultState, path: string): string {
  let rest = `${state.files.get(path)}`;
  for (const { start, end } of outermost(state.links.get(path) ?? []).toReversed()) {
    rest = `${rest.slice(0, start)}\u0000${rest.slice(end)}`;
  }
  return rest;
}

function outermost(links: readonly LinkWithTarget[]): LinkWithTarget[] {
  return links.filter(
    (link) => !links.some((other) => other !== link && other.start <= link.start && link.end <= other.end),
  );
}

/** The wiki's name for a file: pages without `.md`, unless they end in two. */
export function addressOf(path: string): string {
  const name = path.replace(/\.md$/, '');
  return name.endsWith('.md') ? path : name;
}

/** The file of a page that the wiki names so. */
export function fileOf(address: string): string {
  return address.endsWith('.md') ? address : `${address}.md`;
}
