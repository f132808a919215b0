import { pathIn, STATIC_SCRIPTS, STATIC_STYLESHEET } from '../../site/addresses.ts';
import type { Target } from './rewrite-page.ts';
import { encodeName, Names, nameOf, OWN_FOLDER, type SitePaths } from './site-paths.ts';

/** A view of the site that becomes a file. */
export interface ViewFile {
  address: string;
  file: string;
}

/** Finds the files of a static site to which addresses of the site lead, and notes the views that these files show. */
export class SiteTargets {
  /** The lists of tags and of pages, in the order in which links to them were found. It grows while they are read. */
  readonly views: ViewFile[] = [];
  /** The file of the frame that draws diagrams, once a page has one. */
  diagrams: string | null = null;
  readonly #wiki: string;
  readonly #paths: SitePaths;
  readonly #svgs: ReadonlyMap<string, string>;
  readonly #files = new Map<string, string>();
  readonly #names = new Map<string, Names>();

  /** `svgs` are the addresses of SVG images that contain them, by their paths. */
  constructor(wiki: string, paths: SitePaths, svgs: ReadonlyMap<string, string>) {
    this.#wiki = wiki;
    this.#paths = paths;
    this.#svgs = svgs;
  }

  of(address: string, asImage: boolean): Target | null {
    const { pathname, searchParams } = new URL(address, BASE);
    const own = OWN_FILES[pathname];
    if (own !== undefined) return { file: own };
    if (pathname.startsWith('/_/diagrams.')) {
      this.diagrams = `${OWN_FOLDER}/diagrams.html`;
      return { file: this.diagrams };
    }
    const files = `/_/${this.#wiki}/files/`;
    if (pathname.startsWith(files)) return this.#fileOf(pathIn(BASE + address, files), asImage);
    const views = `/_/${this.#wiki}/`;
    if (pathname.startsWith(views)) return this.#viewOf(address, pathname.slice(views.length), searchParams);
    return targetOf(this.#pageOf(address, searchParams));
  }

  #pageOf(address: string, query: URLSearchParams): string | undefined {
    // A view of a page that only a server has.
    if (query.size > 0) return undefined;
    if (address === `/${this.#wiki}`) return 'index.html';
    const path = pathIn(BASE + address, `/${this.#wiki}/`);
    if (path === null || !address.startsWith(`/${this.#wiki}/`)) return undefined;
    return path === '' || path.endsWith('/') ? this.#paths.folder(path.slice(0, -1)) : this.#paths.page(path);
  }

  #fileOf(path: string | null, asImage: boolean): Target | null {
    const file = path === null ? undefined : this.#paths.file(path);
    if (path === null || file === undefined) return null;
    if (!file.endsWith('.bin')) return { file };
    if (!asImage) return { file, download: nameOf(path) };
    const data = this.#svgs.get(path);
    return data === undefined ? null : { data };
  }

  #viewOf(address: string, view: string, query: URLSearchParams): Target | null {
    if (view === 'search') return { file: `${OWN_FOLDER}/search.html` };
    if (view !== 'tags' && view !== 'pages') return null;
    const known = this.#files.get(address);
    if (known !== undefined) return { file: known };
    const tag = query.get('tag');
    const folder = tag === null ? OWN_FOLDER : `${OWN_FOLDER}/tags`;
    const names = this.#names.get(folder) ?? new Names();
    this.#names.set(folder, names);
    const name = names.take(
      tag === null ? (view === 'pages' ? 'all-pages' : 'tags') : encodeName(tag),
      '.html',
    );
    const file = `${folder}/${name}`;
    this.#files.set(address, file);
    this.views.push({ address, file });
    return { file };
  }
}

function targetOf(file: string | undefined): Target | null {
  return file === undefined ? null : { file };
}

const BASE = 'http://site';

const OWN_FILES: Readonly<Record<string, string>> = {
  [STATIC_STYLESHEET]: `${OWN_FOLDER}/style.css`,
  [STATIC_SCRIPTS.diagrams]: `${OWN_FOLDER}/diagrams.js`,
  [STATIC_SCRIPTS.search]: `${OWN_FOLDER}/search.js`,
};
