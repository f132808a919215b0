import type { Name } from '@pagetree/wiki/names';
import type { Oid } from '@pagetree/wiki/oid';
import { yielding } from '@pagetree/wiki/yielding';
import { Halted } from '../halted.ts';
import type { FetchRequest, Remote } from '../transport/remote.ts';
import { RemoteFailure, unlessTooLarge } from '../transport/remote-failure.ts';
import { closureOf } from './closure.ts';
import { fitsReport } from './kept-pairs.ts';
import { type FoundOutside, type Outside, type ReadObject, readOutside } from './outside.ts';
import { PackObjects } from './pack-objects.ts';
import { parseRawCommit, type RawCommit } from './raw-commit.ts';

export interface FolderFetchParts {
  remote: Remote;
  path: readonly Name[];
  /** The full name of the branch, and the address of the remote, for messages. */
  branch: string;
  shown: string;
  /** Objects of the remote that are known without asking it. */
  stored: ReadObject;
  signal: AbortSignal | undefined;
}

/**
 * The objects of a remote that one folder of it needs. From a remote of version 2 with filters only these come; from
 * another one all that is new, or the whole newest commit, and the rest is dropped here.
 */
export class FolderFetch {
  receivedBytes = 0;
  #objects: PackObjects;
  /** Trees may be large: each is read once. */
  readonly #ways = new Map<Oid, Outside>();
  readonly #commits = new Map<Oid, RawCommit>();
  /** The filters that the remote has not refused, the one that leaves out most first. */
  #filters: FetchRequest['filter'][] = ['tree:0', 'blob:none'];
  readonly #parts: FolderFetchParts;

  constructor(parts: FolderFetchParts) {
    this.#parts = parts;
    this.#objects = new PackObjects(parts.shown);
  }

  get objects(): PackObjects {
    return this.#objects;
  }

  /** Null if it has not come. */
  commit(oid: Oid): RawCommit | null {
    const known = this.#commits.get(oid);
    if (known !== undefined) return known;
    const bytes = this.#objects.read(oid, 'commit');
    const commit = bytes === null ? null : parseRawCommit(oid, bytes);
    if (commit !== null) this.#commits.set(oid, commit);
    return commit;
  }

  /**
   * Fetches the commits that lead to `tip` and not to `haves`, the nearest `depth` of each line. False if the remote would send
   * more than can be taken.
   */
  async commits(tip: Oid, haves: readonly Oid[], depth = MAX_COMMITS): Promise<boolean> {
    const asked = this.#ask({ wants: [tip], haves, isWhole: true, depth, filter: 'tree:0' });
    const hasCome = await unlessTooLarge(
      asked.then(() => true),
      false,
    );
    if (!hasCome) this.forget();
    return hasCome;
  }

  /** Those of the commits that the remote does not have in the history of `haves`; all if it would send too much. */
  async notBehind(commits: readonly Oid[], haves: readonly Oid[]): Promise<Oid[]> {
    if (haves.length === 0) return [...commits];
    const came = new PackObjects(this.#parts.shown);
    const request = { wants: commits, haves, isWhole: true, depth: MAX_COMMITS, filter: 'tree:0' } as const;
    const asked = this.#ask(request, came).then(() => commits.filter((oid) => came.has(oid)));
    return unlessTooLarge(asked, [...commits]);
  }

  /** Drops all commits and folders that have come: afterwards, what is missing is what the remote left out. */
  forget(): void {
    this.#objects = new PackObjects(this.#parts.shown);
    this.#commits.clear();
  }

  /** Fetches the ways of commits to their folders, as far as the remote gives them. */
  async ways(commits: readonly Oid[]): Promise<Map<Oid, Outside>> {
    await this.#complete(commits, null);
    const ways = new Map<Oid, Outside>();
    for (const oid of commits) {
      const way = this.#ways.get(oid);
      if (way !== undefined) ways.set(oid, way);
    }
    return ways;
  }

  /** The same; nothing if the remote would send more than can be taken. */
  async waysIfFew(commits: readonly Oid[]): Promise<Map<Oid, Outside>> {
    return unlessTooLarge(this.ways(commits), new Map<Oid, Outside>());
  }

  /**
   * The commit with the way to its folder, and all of the folder that is not in `known`, or nothing of it if that is null.
   * Throws Halted if there is no folder.
   */
  async tip(tip: Oid, known: ReadonlySet<Oid> | null): Promise<Outside> {
    const { branch, shown: remote } = this.#parts;
    const outside = await this.folderOf(tip, known);
    if (outside === null) throw new Halted('no_folder', { branch });
    // Without its report each sync would look at the whole history.
    if (!fitsReport(outside)) throw new RemoteFailure('unsupported', { remote, reason: 'wide' });
    return outside;
  }

  /** The same for any commit of the remote. Null if there is no folder. */
  async folderOf(tip: Oid, known: ReadonlySet<Oid> | null): Promise<Outside | null> {
    const whole = { wants: [tip], haves: [], isWhole: true, depth: 1 };
    if (!this.#objects.has(tip)) await this.#ask({ ...whole, filter: 'tree:0' });
    await this.#complete([tip], known);
    if ((await this.#lacks([tip], known)).length > 0) await this.#ask(whole);
    const found = this.#read(tip);
    if (found.kind === 'no folder') return null;
    if (found.kind === 'missing' || (await this.#lacks([tip], known)).length > 0)
      throw new RemoteFailure('broken', { remote: this.#parts.shown, reason: 'no_pack' });
    return found.outside;
  }

  /** Asks for objects by their ids until nothing is missing, or until the remote refuses. `known`: see `#lacks`. */
  async #complete(commits: readonly Oid[], known: ReadonlySet<Oid> | null): Promise<void> {
    // Without `depth` a commit would come with all those before it.
    const wants = { haves: [], isWhole: true, isOfObjects: true };
    for (let before = ''; ; ) {
      const outer = await this.#lacks(commits, null);
      const lacked = (outer.length > 0 ? outer : await this.#lacks(commits, known)).slice(0, MAX_WANTS);
      if (lacked.length === 0 || `${lacked}` === before) return;
      before = `${lacked}`;
      try {
        // A folder of which nothing is known comes at once; otherwise only what is new comes, one level after another.
        if (outer.length === 0 && known?.size === 0) await this.#ask({ ...wants, wants: lacked });
        else await this.#ask({ ...wants, wants: lacked, depth: 1, filter: 'tree:0' });
      } catch (error) {
        if (isRefusal(error)) return;
        throw error;
      }
    }
  }

  /** Finds the missing trees on the way to the folders; then those in them that are not in `known`. Null if only the way counts. */
  async #lacks(commits: readonly Oid[], known: ReadonlySet<Oid> | null): Promise<Oid[]> {
    const outer = new Set<Oid>();
    const folders: Oid[] = [];
    const yieldIfDue = yielding();
    for (const oid of commits) {
      await yieldIfDue();
      const found = this.#read(oid);
      if (found.kind === 'missing') outer.add(found.oid);
      else if (found.kind === 'found') folders.push(found.outside.folder);
    }
    this.#parts.signal?.throwIfAborted();
    if (known === null || outer.size > 0) return [...outer];
    return [...(await closureOf(folders, this.#objects, known)).missing];
  }

  #read(commit: Oid): FoundOutside {
    const known = this.#ways.get(commit);
    if (known !== undefined) return { kind: 'found', outside: known };
    const found = readOutside(
      commit,
      this.#parts.path,
      (oid, type) => this.#objects.read(oid, type) ?? this.#parts.stored(oid, type),
    );
    if (found.kind === 'found') this.#ways.set(commit, found.outside);
    return found;
  }

  /** Some servers give one filter and not another. */
  async #ask(request: FetchRequest, into = this.#objects): Promise<void> {
    const [filter, ...weaker] = this.#filters;
    try {
      await this.#take(request.filter === undefined ? request : { ...request, filter }, into);
    } catch (error) {
      if (request.filter === undefined || filter === undefined || !refusesFilter(error)) throw error;
      // Objects that are named come without a filter too, but with all that they hold.
      if (weaker.length === 0 && request.isOfObjects) throw error;
      this.#filters = weaker;
      await this.#ask(request, into);
    }
  }

  async #take(request: FetchRequest, into: PackObjects): Promise<void> {
    const { remote, signal, shown } = this.#parts;
    const pack = await remote.fetch(request, signal);
    this.receivedBytes += pack?.length ?? 0;
    if (this.receivedBytes > MAX_BYTES)
      throw new RemoteFailure('too_large', { remote: shown, reason: 'pack', maxBytes: MAX_BYTES });
    if (pack !== null) await into.add(pack, signal);
  }
}

/** The remote gives no objects by their ids. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof RemoteFailure)) return false;
  return error.code === 'unsupported' || (error.code === 'broken' && error.data.reason === 'error');
}

/** Git has no code for it. Any other error may pass. */
function refusesFilter(error: unknown): boolean {
  if (!(error instanceof RemoteFailure) || error.data.reason !== 'error') return false;
  return /\bfilter\b/i.test(error.data.words ?? '');
}

/** One request names no more. */
const MAX_WANTS = 5_000;
/** The older part of a longer history counts as unknown. */
export const MAX_COMMITS = 100_000;
/** All that comes in one round. */
const MAX_BYTES = 300_000_000;
