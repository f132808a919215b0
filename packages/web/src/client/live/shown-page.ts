import type { ChangeData } from './change-data.ts';
import { keepPlace } from './keep-place.ts';
import { patch } from './patch.ts';
import type { ShownChange, Status } from './status.ts';

/** The parts of a page that are brought up to date, and those in which changed blocks are marked. */
const PARTS = ['.crumbs', 'article', '.page-end', '.beside', '.tree', '.now'];
const MARKED = ['article', '.now'];

/** The page in the browser, with what the server sent of it last. */
export class ShownPage {
  readonly #status: Status;
  readonly #drawn: () => void;
  /** The parts as the server sent them. Scripts change those that are shown. */
  readonly #known = new Map<string, Element>();
  #tag: string | null = null;
  #isReading = false;
  #isStale = false;
  #retry = 0;

  /** Made before any other script changes the page. `drawn` is called after a change. */
  constructor(status: Status, drawn: () => void) {
    this.#status = status;
    this.#drawn = drawn;
    for (const part of PARTS) {
      const shown = document.querySelector(part);
      if (shown !== null) this.#known.set(part, shown.cloneNode(true) as Element);
    }
  }

  /** True if the change may be seen here: on this page, or on one that is embedded in it. */
  concerns({ pages, more }: ChangeData): boolean {
    const { page } = document.body.dataset;
    if (more || page === undefined) return true;
    const embedded = [...document.querySelectorAll<HTMLAnchorElement>('.embed a')];
    const shown = new Set([page, ...embedded.map(({ pathname }) => pathname)]);
    return pages.some((address) => shown.has(address));
  }

  /** Shows the page as it is now. Of many changes at once the last one counts. */
  async catchUp(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#retry);
    while (this.#isStale) {
      this.#isStale = false;
      const isRead = await this.#read().catch(() => false);
      // The stream goes on, and may have nothing more to say.
      if (!isRead) this.#retry = window.setTimeout(() => this.catchUp(), RETRY_MS);
    }
    this.#isReading = false;
  }

  /** Returns false if the server could not answer. */
  async #read(): Promise<boolean> {
    const headers = { accept: 'text/html', ...(this.#tag !== null && { 'if-none-match': this.#tag }) };
    const answer = await fetch(location.pathname + location.search, { headers, cache: 'no-cache' });
    if (answer.status === 304) return true;
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
    if (!isPage || !(answer.ok || answer.status === 404)) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (answer.ok) this.#show(fresh);
    else this.#status.gone(fresh.querySelector('.gone'));
    this.#tag = answer.ok ? answer.headers.get('etag') : null;
    return true;
  }

  #show(fresh: Document): void {
    const before = newestChange(this.#known);
    const changed: Element[] = [];
    keepPlace(() => {
      for (const part of PARTS) {
        const [shown, known] = [document.querySelector(part), this.#known.get(part)];
        const next = fresh.querySelector(part);
        if (shown === null || known === undefined || next === null) continue;
        const isMarked = MARKED.includes(part);
        patch(shown, known, next, (block) => isMarked && changed.push(block));
        this.#known.set(part, next);
      }
    });
    document.title = fresh.title;
    this.#status.here();
    const change = newestChange(this.#known);
    const isOfPage = change?.link?.href !== before?.link?.href;
    if (changed.length === 0 && !isOfPage) return;
    mark(changed);
    this.#status.updated(isOfPage ? change : null);
    this.#drawn();
  }
}

/** The newest change that the page names. */
function newestChange(parts: ReadonlyMap<string, Element>): ShownChange | null {
  const change =
    parts.get('.page-end')?.querySelector('.last-change') ??
    parts.get('.now')?.querySelector('.changes > li');
  if (change == null) return null;
  const by = [...change.querySelectorAll('.author, .agent')].map(({ textContent }) => textContent).join(' ');
  return { by, link: change.querySelector('a') };
}

function mark(blocks: readonly Element[]): void {
  for (const block of blocks) block.setAttribute('data-changed', '');
  setTimeout(() => {
    for (const block of blocks) block.removeAttribute('data-changed');
  }, MARKED_MS);
}

const RETRY_MS = 2_000;
const MARKED_MS = 60_000;
