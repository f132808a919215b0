import { setImmediate } from 'node:timers/promises';
import { pagePathOf } from '../paths/page-path.ts';
import type { FileWrite, Snapshot } from '../ports.ts';
import { blockKey } from '../text/merging/merged-labels.ts';
import type { MergedText } from '../text/merging/merged-text.ts';
import { type Run, replaceRuns, type Splice, wholeText } from '../text/text-runs.ts';
import { Draft } from './draft.ts';

/**
 * The net result of several changes, without the states in between: the final path of each page of the base,
 * and the pages of the base from which each text is made. All paths are tree paths; paths of the base
 * identify pages.
 */
export class NetChange {
  readonly draft: Draft;
  /** New paths of pages and files of the base, by the old ones. */
  readonly moved = new Map<string, string>();
  /** Pages of the base whose links stay unchanged, though they moved. */
  readonly unfollowed = new Set<string>();
  /** True if links are rewritten: something moved, and its links must still lead to it. */
  isFollowed = false;
  /**
   * Pages of the base that became part of another one, each with a map from the old ids of its blocks to the
   * new ones.
   */
  readonly joined = new Map<string, ReadonlyMap<string, string>>();
  /** Pages of the base that were removed, and for which other pages stand. */
  readonly #stoodFor = new Set<string>();
  /** Paths of the base whose pages were removed, by the page paths at which they lay then. */
  readonly #removed = new Map<string, string[]>();
  readonly #folders: { from: string; to: string }[] = [];
  readonly #origins = new Map<string, Origin>();

  constructor(base: Snapshot) {
    this.draft = new Draft(base);
  }

  /** `splices`: the replaced parts of the existing text; null if the caller gave the whole content. */
  async write(files: readonly FileWrite[], splices: readonly (readonly Splice[])[] | null): Promise<void> {
    for (const file of files) {
      const { pages, runs, hasNewText } = await this.#originOf(file.path);
      if ('remove' in file) this.#remove(file.path, pages);
      else {
        const adds = splices === null || splices.some((edit) => edit.some(({ length }) => length > 0));
        this.#origins.set(file.path, {
          pages: pages.length === 0 ? await this.#deletedAt(file.path) : pages,
          runs: splices === null ? newText : await edited(runs, splices),
          hasNewText: hasNewText || adds,
        });
      }
    }
    this.draft.write(files);
  }

  async move(from: string, to: string, follow: boolean): Promise<void> {
    const entry = await this.draft.entry(from);
    if (entry === null || from === to) return;
    const origin = await this.#originOf(from);
    this.#follow(origin, to, follow);
    this.#origins.set(from, nothing);
    this.#origins.set(to, origin);
    this.draft.write([
      { path: from, remove: true },
      { path: to, oid: entry.oid, mode: entry.mode },
    ]);
  }

  /** Records the move of a folder. Its pages and files are moved one by one. */
  moveFolder(from: string, to: string): void {
    this.#folders.push({ from: `${from}/`, to: `${to}/` });
  }

  /** The moves that these ones reverse, on the tree before those. Leaves out pages that are not there. */
  async reversed(base: Snapshot): Promise<NetChange> {
    const net = new NetChange(base);
    for (const [from, to] of this.moved) await net.move(to, from, true);
    for (const { from, to } of this.#folders) net.moveFolder(to.slice(0, -1), from.slice(0, -1));
    return net;
  }

  /** The new path of an empty path of the base: it moves with its folder, which may be this path itself. */
  placeOf(path: string): string {
    return this.#folders.reduce((place, { from, to }) => {
      if (`${place}/` === from) return to.slice(0, -1);
      return place.startsWith(from) ? to + place.slice(from.length) : place;
    }, path);
  }

  /** Records that the page becomes part of another one, whose new content is `file`. */
  async merge(from: string, file: FileWrite, { runs, blocks }: Omit<MergedText, 'text'>, follow: boolean) {
    const [origin, target] = [await this.#originOf(from), await this.#originOf(file.path)];
    this.#follow(origin, file.path, follow);
    for (const page of origin.pages) this.joined.set(page, renamedTwice(this.joined.get(page), blocks));
    this.#origins.set(from, nothing);
    this.#origins.set(file.path, {
      pages: [...target.pages, ...origin.pages],
      runs,
      hasNewText: target.hasNewText || origin.hasNewText,
    });
    this.draft.write([{ path: from, remove: true }, file]);
  }

  /** Records that a page is removed and that another one stands for it: links to it lead there. */
  async standIn(from: string, at: string): Promise<void> {
    const origin = await this.#originOf(from);
    this.#follow(origin, at, true);
    for (const page of origin.pages) this.#stoodFor.add(page);
    this.#origins.set(from, nothing);
    this.draft.write([{ path: from, remove: true }]);
  }

  /** The page of the base that is now at a path, or null if the page is new. */
  pageAt(path: string): string | null {
    const origin = this.#origins.get(path);
    return origin === undefined ? path : (origin.pages[0] ?? null);
  }

  /** The parts of the text and the pages of the base from which they come. */
  runsAt(path: string): readonly Run[] {
    return this.#origins.get(path)?.runs ?? wholeText(path);
  }

  /**
   * Pages of the base that became part of another one or for which another one stands, and pages with new text at
   * the path of a deleted one, which may be the text of that one: links to them keep their shown text.
   */
  async merged(): Promise<Set<string>> {
    const merged = new Set([...this.joined.keys(), ...this.#stoodFor]);
    const replaced = await this.replaced();
    for (const [page, place] of this.moved) {
      const isMerged = replaced.has(place) ? this.#origins.get(place)?.hasNewText : this.joined.has(place);
      if (isMerged) merged.add(page);
    }
    return merged;
  }

  /** Pages of the base that were deleted, and at whose paths other pages of the base are now. */
  async replaced(): Promise<Set<string>> {
    const replaced = new Set<string>();
    for (const place of this.moved.values()) {
      const isThere = this.moved.has(place) || this.#pagesAt(place).includes(place);
      if (!isThere && (await this.draft.base.entry(place)) !== null) replaced.add(place);
    }
    return replaced;
  }

  /** The writes that turn the base into the draft, without files that are equal already. */
  async writes(): Promise<FileWrite[]> {
    const needed: FileWrite[] = [];
    for (const file of this.draft.writes()) {
      const [old, present] = [await this.draft.base.entry(file.path), await this.draft.entry(file.path)];
      if (old?.oid !== present?.oid || old?.mode !== present?.mode) needed.push(file);
    }
    return needed;
  }

  async #originOf(path: string): Promise<Origin> {
    const known = this.#origins.get(path);
    if (known !== undefined) return known;
    if ((await this.draft.entry(path)) === null) return nothing;
    return { pages: [path], runs: wholeText(path), hasNewText: false };
  }

  /** The page paths in the base of the pages that a change removed at this page path. */
  removedAt(path: string): readonly string[] {
    return this.#removed.get(path) ?? [];
  }

  #pagesAt(path: string): readonly string[] {
    return this.#origins.get(path)?.pages ?? [path];
  }

  /** The page that was deleted at its own path: what is written there now is that page, as without the deletion. */
  async #deletedAt(path: string): Promise<string[]> {
    const isElsewhere = this.moved.has(path) || this.joined.has(path);
    return isElsewhere || (await this.draft.base.entry(path)) === null ? [] : [path];
  }

  #remove(path: string, pages: readonly string[]): void {
    for (const page of pages) this.moved.delete(page);
    const place = pagePathOf(path) ?? path;
    const gone = [...this.removedAt(place), ...pages.map((page) => pagePathOf(page) ?? page)];
    this.#removed.set(place, gone);
    this.#origins.set(path, nothing);
  }

  #follow({ pages }: Origin, to: string, follow: boolean): void {
    this.isFollowed ||= follow;
    for (const page of pages) {
      if (page === to) this.moved.delete(page);
      else this.moved.set(page, to);
      if (!follow) this.unfollowed.add(page);
    }
  }
}

interface Origin {
  /** The pages of the base that lie here; several after a merge. */
  pages: readonly string[];
  runs: readonly Run[];
  /** True if the caller gave text of it. */
  hasNewText: boolean;
}

/**
 * Applies one edit after the other and yields between them: a batch of edits can have some hundred thousand
 * places.
 */
async function edited(runs: readonly Run[], edits: readonly (readonly Splice[])[]): Promise<readonly Run[]> {
  let kept = runs;
  for (const splices of edits) {
    kept = replaceRuns(kept, splices, 'new text');
    await setImmediate();
  }
  return kept;
}

const newText: readonly Run[] = [{ length: Number.POSITIVE_INFINITY, from: null }];
const nothing: Origin = { pages: [], runs: [], hasNewText: false };

/** Combines two renames into one map from old names to new names. */
function renamedTwice(first: ReadonlyMap<string, string> = new Map(), second: ReadonlyMap<string, string>) {
  const renamed = [...first].map(([old, name]) => [old, second.get(blockKey(name)) ?? name] as const);
  return new Map([...second, ...renamed]);
}
