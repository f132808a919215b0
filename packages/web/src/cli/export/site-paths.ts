import { createHash } from 'node:crypto';

/** The folder of a static site with all that is no page of the wiki. */
export const OWN_FOLDER = 'site-files';

/**
 * The files of a static site: that of each page, of the list of each folder, and of each attachment. A name is the one
 * in the wiki, except for what a file system, a host or an address takes for something else. Names can be read back:
 * `=` and two digits stand for a byte, and `=-2` at the end sets apart names that some file system takes for the same.
 */
export class SitePaths {
  readonly #pages = new Map<string, string>();
  readonly #folders = new Map<string, string>([['', '']]);
  readonly #files = new Map<string, string>();
  readonly #names = new Map<string, Names>();

  constructor(pages: readonly string[], files: readonly string[]) {
    this.#namesIn('').take('', OWN_FOLDER);
    for (const path of [...pages, ...files].toSorted(byCodeUnits)) this.#folderOf(path);
    for (const path of pages.toSorted(byCodeUnits)) {
      const folder = this.#folderOf(path);
      this.#pages.set(path, folder + this.#namesIn(folder).take(encodeName(nameOf(path)), '.html'));
    }
    for (const path of files.toSorted(byCodeUnits)) {
      const folder = `${OWN_FOLDER}/files/${this.#folderOf(path)}`;
      const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(encodeName(nameOf(path))) ?? [];
      this.#files.set(path, folder + this.#namesIn(folder).take(stem, extension + safeEnd(path)));
    }
  }

  page(path: string): string | undefined {
    return this.#pages.get(path);
  }

  /** The list of what lies in a folder; `folder` is empty for the root. */
  folder(folder: string): string | undefined {
    if (folder === '') return `${OWN_FOLDER}/folder.html`;
    const found = this.#folders.get(folder);
    return found === undefined ? undefined : `${found}index.html`;
  }

  file(path: string): string | undefined {
    return this.#files.get(path);
  }

  get folders(): string[] {
    return [...this.#folders.keys()];
  }

  /** The folder of the site in which the page of this path lies, with a slash unless it is the root. */
  #folderOf(path: string): string {
    const slash = path.lastIndexOf('/');
    if (slash === -1) return '';
    const folder = path.slice(0, slash);
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const parent = this.#folderOf(folder);
    const name = this.#namesIn(parent).take(encodeName(nameOf(folder)), '');
    // Folders come first, so that they have the same names among the files.
    this.#namesIn(`${OWN_FOLDER}/files/${parent}`).take(name, '');
    const found = `${parent}${name}/`;
    this.#folders.set(folder, found);
    return found;
  }

  #namesIn(folder: string): Names {
    const names = this.#names.get(folder) ?? new Names(['index.html']);
    this.#names.set(folder, names);
    return names;
  }
}

/** The names in one folder, no two of which are the same to a file system that ignores case. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken.map(fold));
  }

  take(stem: string, extension: string): string {
    const short = shortened(stem, MAX_BYTES - Buffer.byteLength(extension));
    let name = short + extension;
    for (let count = 2; this.#taken.has(fold(name)); count += 1) name = `${short}=-${count}${extension}`;
    this.#taken.add(fold(name));
    return name;
  }
}

/** A file name for one part of a path, or for a tag. */
export function encodeName(name: string): string {
  const plain = name.replaceAll(UNSAFE, escapeBytes);
  return DEVICE.test(plain) ? escapeBytes(plain.slice(0, 1)) + plain.slice(1) : plain;
}

/** What Windows cannot hold, what an address takes for its own, and beginnings that hosts hide or leave out. */
const UNSAFE = /[\p{Cc}<>:"/\\|?*%#=]|^[\s._]|[\s.]$/gu;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?=\.|$)/i;

function escapeBytes(text: string): string {
  return [...Buffer.from(text)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * A host names the type of a file by its end. Only these run nothing and show nothing that looks like a page of ours, so
 * that others, such as HTML, SVG and PDF, get an end for which every host sends bytes to save.
 */
function safeEnd(path: string): string {
  return /\.(?:avif|bmp|gif|ico|jpe?g|m4a|mp3|mp4|ogg|png|txt|wav|webm|webp)$/i.test(path) ? '' : '.bin';
}

/** Leaves room for a number. A longer name ends in a digest: it alone cannot be read back. */
const MAX_BYTES = 240;

function shortened(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  let kept = '';
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > maxBytes - digest.length - 2) break;
    kept += character;
  }
  return `${kept}=_${digest}`;
}

function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
