import { createHash } from 'node:crypto';
import type { BatchChange } from './random-changes.ts';
import { type Place, pathOf, textOf } from './random-vault.ts';
import { addressOf, type VaultState } from './vault-state.ts';

/** A change as a batch takes it; the operation of its own takes the same, but for its `op`. */
export type Planned = { op: string; path: string } & Record<string, unknown>;

/** A part of a page: a page before, or what the request brings. Of what is merged, the frontmatter goes. */
export type Chunk = ({ from: string } | { text: string }) & { isBody: boolean };

/** The places of pages while changes are planned one after another, and the effect of the changes on them. */
export class Plan {
  readonly #state: VaultState;
  /** Pages by their present tree path, with the one they began at: null for new ones. */
  readonly #pages: Map<string, string | null>;
  readonly #written = new Set<string>();
  readonly #extended = new Set<string>();
  readonly #folders: [from: string, to: string][] = [];
  /** The parts of each page, by its present path. */
  readonly chunks: Map<string, readonly Chunk[]>;
  /** Merged pages with those that they went into, both by their paths before. */
  readonly merged = new Map<string, string>();
  rewrites = false;

  constructor(state: VaultState) {
    this.#state = state;
    this.#pages = new Map(pagesOf(state).map((path) => [path, path]));
    this.chunks = new Map(pagesOf(state).map((path) => [path, [{ from: path, isBody: false }]]));
  }

  /** The change as a request, or null if there is nothing that it could be about. */
  add(change: BatchChange): Planned | null {
    if (change.op === 'write') return this.#write(change);
    const path = this.#choose(change.page);
    if (path === undefined) return null;
    if (change.op === 'append' || change.op === 'section') return this.#append(change, path);
    if (change.op === 'move') {
      return this.#move(path, this.#placeFor(path, change.place), change.updates);
    }
    if (change.op === 'move folder') return this.#moveFolder(path, change.depth, change.to);
    if (change.op === 'merge') return this.#merge(path, this.#choose(change.into));
    return this.#delete(path);
  }

  /** The new path of each page, by its path before; null if it is gone. */
  get went(): Map<string, string | null> {
    const went = new Map<string, string | null>(pagesOf(this.#state).map((path) => [path, null]));
    for (const [path, origin] of this.#pages) if (origin !== null) went.set(origin, path);
    for (const from of this.merged.keys()) {
      let end = from;
      for (let into = this.merged.get(end); into !== undefined; into = this.merged.get(end)) end = into;
      went.set(from, went.get(end) ?? null);
    }
    return went;
  }

  /** Pages, by their path after, whose content the request gives. */
  get written(): ReadonlySet<string> {
    return this.#written;
  }

  /** Pages, by their path after, that get more text at their end. */
  get extended(): ReadonlySet<string> {
    return this.#extended;
  }

  /** The new path of a path that was empty: it moves with its folder. */
  placeOf(path: string): string {
    // A folder moves too, which a link may name without a slash at its end.
    return this.#folders
      .reduce(
        (place, [from, to]) => (place.startsWith(from) ? to + place.slice(from.length) : place),
        `${path}/`,
      )
      .slice(0, -1);
  }

  #write({ page, place, content }: Extract<BatchChange, { op: 'write' }>): Planned | null {
    const path = place === null ? this.#choose(page) : `${pathOf(place)}.md`;
    if (path === undefined) return null;
    const isThere = this.#pages.has(path);
    if (isThere && this.#pages.get(path) !== path) return null;
    if (!isThere) this.#pages.set(path, null);
    this.#written.add(path);
    const text = textOf(content, addressOf(path));
    this.chunks.set(path, [{ text, isBody: false }]);
    const version = isThere ? versionOf(this.#state, path) : undefined;
    return {
      op: 'write',
      path: addressOf(path),
      content: text,
      allow_shrink: true,
      ...(version && { version }),
    };
  }

  #append({ op, line }: Extract<BatchChange, { op: 'append' | 'section' }>, path: string): Planned {
    this.#extended.add(path);
    const content = `\n${line(addressOf(path))}\n`;
    this.chunks.set(path, [...(this.chunks.get(path) ?? []), { text: content, isBody: true }]);
    if (op === 'append') return { op, path: addressOf(path), content };
    return { op, path: addressOf(path), heading: 'Part', position: 'append', content };
  }

  /** The move of a page to the path that an earlier request moved it away from, or null if it is not free. */
  back({ from, to }: { from: string; to: string }): Planned | null {
    return this.#pages.has(to) && !this.#pages.has(from) ? this.#move(to, from, true) : null;
  }

  #move(path: string, to: string, updates: boolean): Planned | null {
    if (path === to) return null;
    this.rewrites ||= updates;
    if (!this.#pages.has(to)) this.#rename(path, to);
    return { op: 'move', path: addressOf(path), new_path: addressOf(to), update_links: updates };
  }

  #placeFor(path: string, place: Place | 'freed' | null): string {
    if (place !== null && place !== 'freed') return `${pathOf(place)}.md`;
    const freed = place === null ? [] : pagesOf(this.#state).filter((each) => !this.#pages.has(each));
    return freed[0] ?? `${inOtherCase(path.replace(/\.md$/, ''))}.md`;
  }

  #moveFolder(path: string, depth: number, place: string | null): Planned | null {
    const parts = path.split('/').slice(0, -1).slice(0, depth);
    const folder = `${parts.join('/')}/`;
    const to = place ?? inOtherCase(parts.join('/'));
    if (parts.length === 0 || to === '' || `${to}/`.startsWith(folder)) return null;
    this.rewrites = true;
    this.#folders.push([folder, `${to}/`]);
    const inside = [...this.#pages.keys()].filter((page) => page.startsWith(folder));
    for (const page of inside) this.#rename(page, `${to}/${page.slice(folder.length)}`);
    return { op: 'move', path: folder, new_path: `${to}/` };
  }

  #merge(path: string, into: string | undefined): Planned | null {
    if (into === undefined || into === path) return null;
    const [from, target] = [this.#pages.get(path), this.#pages.get(into)];
    // Followed by name alone, so a page that is new in the same batch stays out of it.
    if (typeof from !== 'string' || typeof target !== 'string') return null;
    this.rewrites = true;
    this.#pages.delete(path);
    const [first, ...rest] = this.chunks.get(path) ?? [];
    const body = first === undefined ? [] : [{ ...first, isBody: true }, ...rest];
    this.chunks.set(into, [...(this.chunks.get(into) ?? []), ...body]);
    this.chunks.delete(path);
    this.merged.set(from, target);
    if (this.#written.delete(path) || this.#extended.delete(path)) this.#extended.add(into);
    return { op: 'merge', path: addressOf(path), new_path: addressOf(into) };
  }

  #delete(path: string): Planned | null {
    const origin = this.#pages.get(path);
    if (typeof origin !== 'string') return null;
    this.#pages.delete(path);
    this.chunks.delete(path);
    this.#written.delete(path);
    this.#extended.delete(path);
    return { op: 'delete', path: addressOf(path), version: versionOf(this.#state, origin) };
  }

  #rename(path: string, to: string): void {
    this.#pages.set(to, this.#pages.get(path) ?? null);
    this.#pages.delete(path);
    this.chunks.set(to, this.chunks.get(path) ?? []);
    this.chunks.delete(path);
    if (this.#written.delete(path)) this.#written.add(to);
    if (this.#extended.delete(path)) this.#extended.add(to);
  }

  #choose(number: number): string | undefined {
    const pages = [...this.#pages.keys()].toSorted();
    return pages[number % Math.max(1, pages.length)];
  }
}

export function pagesOf(state: VaultState): string[] {
  return state.paths.filter((path) => path.endsWith('.md')).toSorted();
}

function inOtherCase(path: string): string {
  const name = path.split('/').at(-1) ?? '';
  const lower = name.toLowerCase();
  return path.slice(0, path.length - name.length) + (lower === name ? name.toUpperCase() : lower);
}

/** The oid that git gives to a file. */
export function versionOf(state: VaultState, path: string): string {
  const bytes = state.files.get(path) ?? Buffer.alloc(0);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
