import type { LruCache } from './lru-cache.ts';
import type { OpenFiles } from './open-files.ts';

export const PAGE_BYTES = 16 * 1024;
const FIRST_PAGES_AT_ONCE = 8;
const MAX_PAGES_AT_ONCE = 16;

/** A part of the file. Read-ahead stays within it. */
export interface Region {
  from: number;
  to: number;
}

/** The pages of one read, by page number. */
type Run = Map<number, Uint8Array>;

/**
 * A file that never changes, read at random positions in pages that a shared cache keeps. A miss also reads
 * the pages around it: at first 128 KB, then 256 KB, which is one round trip on NFS all the same. A single
 * read costs little, and a reader that continues soon has the whole file. A page that the cache dropped is
 * read again alone, as the operating system mostly still has it.
 */
export class PagedFile {
  readonly size: number;
  readonly #files: OpenFiles;
  readonly #path: string;
  readonly #cache: LruCache<Uint8Array>;
  readonly #reading = new Map<number, Promise<Run>>();
  /** One byte a page: 1 if the page was read before. */
  readonly #seen: Uint8Array;
  #pagesAtOnce: number;

  constructor(
    files: OpenFiles,
    path: string,
    size: number,
    cache: LruCache<Uint8Array>,
    firstPagesAtOnce = FIRST_PAGES_AT_ONCE,
  ) {
    this.#files = files;
    this.#path = path;
    this.size = size;
    this.#cache = cache;
    this.#pagesAtOnce = firstPagesAtOnce;
    this.#seen = new Uint8Array(Math.ceil(size / PAGE_BYTES));
  }

  /** The bytes from `position` on, which lie in `region`; fewer than `length` only at the end of the file. */
  async read(position: number, length: number, region: Region): Promise<Uint8Array> {
    const end = Math.min(position + length, this.size);
    if (end <= position) return new Uint8Array(0);
    const first = Math.floor(position / PAGE_BYTES);
    const last = Math.floor((end - 1) / PAGE_BYTES);
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const pages = await Promise.all(numbers.map((number) => this.#page(number, region)));
    const joined = pages.length === 1 ? (pages[0] as Uint8Array) : Buffer.concat(pages);
    return joined.subarray(position - first * PAGE_BYTES, end - first * PAGE_BYTES);
  }

  async #page(number: number, region: Region): Promise<Uint8Array> {
    const cached = this.#cache.get(this.#key(number));
    if (cached) return cached;
    const run = await (this.#reading.get(number) ?? this.#startRun(number, region));
    return run.get(number) as Uint8Array;
  }

  #startRun(number: number, region: Region): Promise<Run> {
    const [first, last] = this.#seen[number] ? [number, number] : this.#runAround(number, region);
    const reading = this.#readRun(first, last).finally(() => {
      for (let page = first; page <= last; page += 1) this.#reading.delete(page);
    });
    for (let page = first; page <= last; page += 1) this.#reading.set(page, reading);
    return reading;
  }

  /**
   * The first and the last page to read if page `number` is missing: all of a small region, else a part of
   * it.
   */
  #runAround(number: number, { from, to }: Region): [number, number] {
    const count = this.#pagesAtOnce;
    this.#pagesAtOnce = Math.min(count * 2, MAX_PAGES_AT_ONCE);
    const firstOfRegion = Math.floor(from / PAGE_BYTES);
    const lastOfRegion = Math.floor((Math.min(to, this.size) - 1) / PAGE_BYTES);
    if (lastOfRegion - firstOfRegion < MAX_PAGES_AT_ONCE) return [firstOfRegion, lastOfRegion];
    const first = number - (number % count);
    return [Math.max(first, firstOfRegion), Math.min(first + count - 1, lastOfRegion)];
  }

  async #readRun(first: number, last: number): Promise<Run> {
    const start = first * PAGE_BYTES;
    const bytes = new Uint8Array(Math.min((last + 1) * PAGE_BYTES, this.size) - start);
    const count = await this.#files.use(this.#path, (file) => file.read(bytes, 0, bytes.length, start));
    const run: Run = new Map();
    for (let page = first; page <= last; page += 1) {
      // A copy: a view of `bytes` would keep all of it in memory for as long as that page is cached.
      const content = bytes.slice(
        page * PAGE_BYTES - start,
        Math.min((page + 1) * PAGE_BYTES - start, count),
      );
      run.set(page, content);
      this.#cache.set([this.#key(page)], content, content.length + 100);
      this.#seen[page] = 1;
    }
    return run;
  }

  #key(page: number): string {
    return `${page} ${this.#path}`;
  }
}
