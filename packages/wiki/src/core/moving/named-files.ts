import { WikiError } from '../../contract/errors.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import type { Index } from '../index-port.ts';
import { mediaTypeOf } from '../pages/attachments.ts';
import { findPage } from '../pages/find-page.ts';
import { folderOf, lastPartOf, pagePathOf } from '../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { foldCase } from '../text/fold-case.ts';
import { nameKeysOf } from '../text/links/link-names.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { literal } from '../text/literal.ts';
import { linkSteps } from '../text/markdown/markdown-links.ts';
import { normalForm } from '../text/normal-form.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { NetChange } from '../writing/net-change.ts';

/** True if something besides the links of `page` may name a file, or if this cannot be found out cheaply. */
export type IsNamed = (file: string, page: string) => Promise<boolean>;

/**
 * Looks for the name of a file where a link that nobody follows may have it: in frontmatter, code, HTML or an
 * address on another page, in a link that leads nowhere, and in other text files, such as a canvas or MDX. On
 * `page` itself only the path from the root counts, since a relative one stays right when both move.
 */
export function namingFinder(index: Index, { draft }: NetChange): IsNamed {
  const { base } = draft;
  let otherTexts: Promise<string[] | null> | undefined;
  let readsLeft = MAX_PAGES_READ;

  let own: { page: string; text: string } | undefined;

  async function isOn(snapshot: Snapshot, entry: TreeEntry, names: RegExp): Promise<boolean> {
    readsLeft -= 1;
    return readsLeft < 0 || names.test(await textWithoutLinks(index, snapshot, entry));
  }

  /** Kept, since a page may have hundreds of files. */
  async function textOfOwn(page: string): Promise<string> {
    if (own?.page === page) return own.text;
    const entry = await base.entry(page);
    own = { page, text: entry === null ? '' : await textWithoutLinks(index, base, entry) };
    return own.text;
  }

  async function isOnPage(commit: string, file: string, page: string): Promise<boolean> {
    const forms = formsOf(lastPartOf(file));
    const names = pattern(forms);
    // The page itself may be one of them, and one more shows that they are too many.
    const pages = await index.pagesNaming(commit, forms, MAX_PAGES_NAMING + 2);
    const others = pages.filter((path) => path !== pagePathOf(page));
    if (others.length > MAX_PAGES_NAMING) return true;
    for (const path of others) {
      const entry = await findPage(base, path);
      if (entry !== null && (await isOn(base, entry, names))) return true;
    }
    const fromRoot = folderOf(page) === '' ? `/${file}` : file;
    return pattern(formsOf(fromRoot)).test(await textOfOwn(page));
  }

  async function isWritten(file: string): Promise<boolean> {
    const names = pattern(formsOf(lastPartOf(file)));
    for (const { path, ...write } of draft.writes()) {
      if (!('content' in write) || pagePathOf(path) === null) continue;
      const entry = await draft.entry(path);
      if (entry !== null && (await isOn(draft, entry, names))) return true;
    }
    return false;
  }

  return async (file, page) => {
    if (base.commit === null) return false;
    if (await isOnPage(base.commit, file, page)) return true;
    if (await isWritten(file)) return true;
    otherTexts ??= textsOfFiles(base, await index.files(base.commit));
    const texts = await otherTexts;
    const names = pattern(formsOf(lastPartOf(file)));
    return texts === null || texts.some((text) => names.test(text));
  };
}

/** The number of other pages with the name of a file that are examined. */
const MAX_PAGES_NAMING = 20;
/** The number of pages that one change reads in total for this. */
const MAX_PAGES_READ = 300;
const MAX_FILES_READ = 100;
const MAX_BYTES_READ = 5_000_000;

/** The folded text of a page without its links that lead somewhere: these were examined already. */
async function textWithoutLinks(index: Index, snapshot: Snapshot, entry: TreeEntry): Promise<string> {
  const { text } = decodeText(await snapshot.blob(entry.oid));
  const links = await inTurns(linkSteps(text));
  const names = await index.namesLike(snapshot.commit ?? '', [...new Set(links.flatMap(nameKeysOf))]);
  const resolver = createLinkResolver(names.treePaths, names.aliases);
  let kept = '';
  let end = 0;
  for (const link of links) {
    if (link.start < end || resolver.resolve(link, entry.path) === null) continue;
    kept += `${text.slice(end, link.start)} `;
    end = link.end;
  }
  return folded(kept + text.slice(end));
}

/** The folded texts of all files that may be text; null if they are too many or too large. */
async function textsOfFiles(base: Snapshot, files: readonly string[]): Promise<string[] | null> {
  const readable = files.filter((path) => !isBinary.test(mediaTypeOf(path)) && !binaryName.test(path));
  if (readable.length > MAX_FILES_READ) return null;
  const texts: string[] = [];
  let bytes = 0;
  // One after another: each may be large.
  for (const path of readable) {
    const content = await contentOf(base, path);
    bytes += content?.length ?? MAX_BYTES_READ + 1;
    if (content === null || bytes > MAX_BYTES_READ) return null;
    texts.push(folded(decodeText(content).text));
  }
  return texts;
}

async function contentOf(base: Snapshot, path: string): Promise<Uint8Array | null> {
  const entry = await base.entry(path);
  if (entry === null) return new Uint8Array();
  try {
    return await base.blob(entry.oid);
  } catch (error) {
    if (error instanceof WikiError && error.code === 'too_large') return null;
    throw error;
  }
}

const isBinary = /^(?:image|audio|video)\/|\/(?:pdf|zip)$/;
const binaryName =
  /\.(?:ico|tiff?|heic|psd|mov|mkv|avi|flac|aac|woff2?|ttf|otf|eot|gz|bz2|xz|zst|7z|rar|tar|jar|docx?|xlsx?|pptx?|od[tsp]|epub|sqlite3?|db|wasm|exe|dll|so|bin)$/i;

/** The forms in which texts write a name: as it is, percent-encoded as in HTML, or with entities. */
function formsOf(name: string): string[] {
  return [...new Set([name, encodeURI(name.toWellFormed()), name.replaceAll('&', '&amp;')])];
}

/** Matches whole names in folded text: `screenshot.png` does not name `shot.png`. */
function pattern(forms: readonly string[]): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${forms.map((form) => literal(folded(form))).join('|')})(?![\\p{L}\\p{N}])`,
    'u',
  );
}

function folded(text: string): string {
  return foldCase(normalForm(text));
}
