/**
 * A second resolver of links, written from the rule in docs/links.md alone. It shares no code with the wiki, and it is
 * slow on purpose: it looks at every file for every link.
 */
export interface SlowLink {
  kind: 'wiki' | 'markdown';
  /** Without anchor and query, decoded. */
  target: string;
  anchor?: string | null;
  /** The part of a Markdown link from the first `?` on. */
  query?: string;
}

/** The possible targets of links. Paths are tree paths: those of pages end in `.md`. */
export interface Vault {
  paths: readonly string[];
  aliases: readonly { alias: string; path: string }[];
}

/** The tree path where a link of the page at `from` leads, or null. */
export function resolveSlowly(link: SlowLink, from: string, vault: Vault): string | null {
  return followSlowly(link, from, vault)?.leads ?? null;
}

interface Followed {
  leads: string;
  /** The target and the anchor, of which a name with a `#` takes a part. */
  target: string;
  anchor: string | null;
}

/** The same with what is the target and what the anchor: `[[C#]]` may name a page with the alias `C#`. */
export function followSlowly(link: SlowLink, from: string, vault: Vault): Followed | null {
  const { target, anchor = null } = link;
  if (link.kind === 'markdown' || target.trim() === '') {
    const leads = resolvePlainly(link, from, vault);
    return leads === null ? null : { leads, target, anchor };
  }
  const parts = (anchor === null ? target : `${target}#${anchor}`).split('#');
  // The longest first.
  const cuts = parts.map((_, count) => ({
    target: parts.slice(0, parts.length - count).join('#'),
    anchor: count === 0 ? null : parts.slice(-count).join('#'),
  }));
  for (const find of [resolvePlainly, byAlias]) {
    for (const cut of cuts) {
      const leads = cut.target === '' ? null : find({ ...link, ...cut }, from, vault);
      if (leads !== null) return { leads, ...cut };
    }
  }
  return null;
}

/** Rules (a) to (e). */
function resolvePlainly(link: SlowLink, from: string, vault: Vault): string | null {
  if (link.query !== undefined) {
    const { query, ...plain } = link;
    const whole = resolvePlainly({ ...plain, target: plain.target + query }, from, vault);
    return whole ?? resolvePlainly(plain, from, vault);
  }
  const target = link.target.normalize('NFC').trim();
  if (target === '') return from;
  const isPath = /^\.{0,2}\//.test(target);
  if (isPath) return fromFolder(target, from, vault);
  if (link.kind === 'markdown') return fromFolder(target, from, vault) ?? byName(target, from, vault);
  return byName(target, from, vault);
}

/** Rule (a): a path from the root if it begins with `/`, else from the page's folder. */
function fromFolder(target: string, from: string, vault: Vault): string | null {
  const parts = target.startsWith('/') ? [] : foldersOf(from);
  for (const part of target.replace(/^\//, '').split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.') parts.push(part);
  }
  return exactly(parts.join('/'), vault);
}

/** Rules (b) to (e). */
function byName(target: string, from: string, vault: Vault): string | null {
  const exact = exactly(target, vault);
  if (exact !== null) return exact;
  const count = target.split('/').length;
  for (const names of kindsOf(target, vault)) {
    const endings = names.map(({ path, name }) => ({ path, name: name.split('/').slice(-count).join('/') }));
    const found = nearest(ofOneSpelling(endings, target), from);
    if (found !== null) return found;
  }
  return null;
}

function exactly(wanted: string, vault: Vault): string | null {
  for (const names of kindsOf(wanted, vault)) {
    const [found] = ofOneSpelling(names, wanted);
    if (found !== undefined) return found.path;
  }
  return null;
}

/** Rule (f). */
function byAlias(link: SlowLink, from: string, vault: Vault): string | null {
  const target = link.target.normalize('NFC').trim();
  if (/^\.{0,2}\//.test(target)) return null;
  const aliases = vault.aliases.map(({ alias, path }) => ({ path, name: alias.normalize('NFC') }));
  return nearest(ofOneSpelling(aliases, target), from);
}

interface Named {
  path: string;
  name: string;
}

/** Those named exactly so; without any, those that differ in case alone, if they are all spelled alike. */
function ofOneSpelling<Entry extends Named>(entries: readonly Entry[], wanted: string): Entry[] {
  const exact = entries.filter(({ name }) => name === wanted);
  if (exact.length > 0) return exact;
  const folded = entries.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return new Set(folded.map(({ name }) => name)).size === 1 ? folded : [];
}

/** Rules (c), (d) and (e). */
function nearest(entries: readonly Named[], from: string): string | null {
  const below = foldersOf(from).length;
  const [first] = entries
    .map(({ path }) => path)
    .toSorted((a, b) => {
      const [sharedByA, sharedByB] = [shared(a, from), shared(b, from)];
      const isABelow = sharedByA === below;
      const isBBelow = sharedByB === below;
      if (isABelow !== isBBelow) return isABelow ? -1 : 1;
      if (!isABelow && sharedByA !== sharedByB) return sharedByB - sharedByA;
      return a.length - b.length || byCodePoint(a, b);
    });
  return first ?? null;
}

/**
 * The possible meanings of a link by its extension: `.md` a page; none a page before a file; any other a file
 * before a page.
 */
function kindsOf(target: string, vault: Vault): Named[][] {
  const { pages, short, files } = namesIn(vault);
  if (/\.md$/i.test(target)) return [pages];
  return /\.[^./]+$/.test(target) ? [files, short] : [short, files];
}

const KNOWN = new WeakMap<Vault, { pages: Named[]; short: Named[]; files: Named[] }>();

function namesIn(vault: Vault) {
  const known = KNOWN.get(vault);
  if (known) return known;
  const isPage = (path: string) => path.endsWith('.md');
  const inFull = (path: string) => ({ path, name: path.normalize('NFC') });
  const pages = vault.paths.filter(isPage).map(inFull);
  const short = pages.map(({ path, name }) => ({ path, name: name.slice(0, -'.md'.length) }));
  const files = vault.paths.filter((path) => !isPage(path)).map(inFull);
  KNOWN.set(vault, { pages, short, files });
  return { pages, short, files };
}

function foldersOf(path: string): string[] {
  return path.normalize('NFC').split('/').slice(0, -1);
}

/** The number of folders, counted from the root, that two paths have in common. */
function shared(one: string, other: string): number {
  const others = foldersOf(other);
  let count = 0;
  for (const folder of foldersOf(one)) {
    if (folder !== others[count]) break;
    count += 1;
  }
  return count;
}

/** UTF-8 has the order of code points; UTF-16 has not. */
function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
