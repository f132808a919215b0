import { WikiError } from '@pagetree/wiki/contract';
import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import { yielding } from '@pagetree/wiki/yielding';
import { RemoteFailure } from '../transport/remote-failure.ts';
import type { WikiSide } from '../wiki-side.ts';
import { idsIn } from './closure.ts';
import { PackObjects } from './pack-objects.ts';
import { parseRawCommit, type RawCommit } from './raw-commit.ts';

export interface WikiObjectsParts {
  side: WikiSide;
  /** The head of the wiki. */
  head: Oid | null;
  /** The address of the remote, for messages. */
  shown: string;
  signal: AbortSignal | undefined;
}

/** Commits and trees of the wiki, as the sync of a folder needs them. */
export class WikiObjects {
  readonly #parts: WikiObjectsParts;

  constructor(parts: WikiObjectsParts) {
    this.#parts = parts;
  }

  /** True if the head is the commit, or comes after it. */
  async isInHistory(commit: Oid, head = this.#parts.head): Promise<boolean> {
    const place = head === null ? 'unknown' : await this.#parts.side.placeOf(commit, head);
    if (head === null || place !== 'stored') return place === 'in history';
    // The wiki looks at dates, and takes a commit for new that is as old as the head or has a clock ahead of it.
    const since = await this.commits({ wants: [head], haves: [commit] });
    return [...since.values()].some(({ parents }) => parents.includes(commit));
  }

  /**
   * Those that are not in the history of `tip`: wrong dates bring others in between. None if they are too many to ask for
   * each.
   */
  async notIn(tip: Oid | null, commits: readonly RawCommit[]): Promise<RawCommit[]> {
    if (commits.length > MAX_ASKED) return [];
    const others: RawCommit[] = [];
    for (const commit of commits)
      if (tip === null || !(await this.isInHistory(commit.oid, tip))) others.push(commit);
    return others;
  }

  /** Those of the commits that no other one comes after, in the same order. */
  async newestOf(commits: readonly Oid[]): Promise<Oid[]> {
    const newest: Oid[] = [];
    for (const commit of new Set(commits)) {
      const after = async (others: readonly Oid[]) => {
        for (const other of others) if (await this.isInHistory(commit, other)) return true;
        return false;
      };
      if (await after(newest)) continue;
      const kept: Oid[] = [];
      for (const other of newest) if (!(await this.isInHistory(other, commit))) kept.push(other);
      newest.splice(0, newest.length, ...kept, commit);
    }
    return newest.slice(0, MAX_BASES);
  }

  /** Null if the wiki has no such commit. */
  async commit(oid: Oid): Promise<RawCommit | null> {
    try {
      return (await this.commits({ wants: [oid], depth: 1 })).get(oid) ?? null;
    } catch (error) {
      if (error instanceof WikiError && error.code === 'not_found') return null;
      throw error;
    }
  }

  async treeOf(commit: Oid): Promise<Oid | null> {
    return (await this.commit(commit))?.tree ?? null;
  }

  /** Commits of the wiki, newest first: those that lead to the head, or to `wants`. */
  async commits(more: { wants?: Oid[]; haves?: Oid[]; depth?: number }): Promise<Map<Oid, RawCommit>> {
    const { head } = this.#parts;
    const wants = more.wants ?? (head === null ? [] : [head]);
    if (wants.length === 0) return new Map();
    return commitsIn(await this.#objects({ ...more, wants, filter: 'tree:0' }));
  }

  /** The ids of a folder and of all that it holds. */
  async idsOf(folder: Oid): Promise<Set<Oid>> {
    if (folder === EMPTY_TREE) return new Set();
    return idsIn(await this.#objects({ wants: [folder], filter: 'blob:none' }));
  }

  async #objects(input: Parameters<WikiSide['objects']>[0]): Promise<PackObjects> {
    const pack = await this.#parts.side.objects(input);
    // What is not read must not count as not there.
    if (pack === null) throw new RemoteFailure('too_large', { remote: this.#parts.shown, reason: 'push' });
    return this.read(pack);
  }

  async read(pack: Uint8Array): Promise<PackObjects> {
    const objects = new PackObjects(this.#parts.shown);
    await objects.add(pack, this.#parts.signal);
    return objects;
  }
}

export async function commitsIn(objects: PackObjects): Promise<Map<Oid, RawCommit>> {
  const commits = new Map<Oid, RawCommit>();
  const yieldIfDue = yielding();
  for (const oid of objects.oids()) {
    await yieldIfDue();
    const bytes = objects.read(oid, 'commit');
    const commit = bytes === null ? null : parseRawCommit(oid, bytes);
    if (commit !== null) commits.set(oid, commit);
  }
  return commits;
}

const MAX_ASKED = 200;
/** The parents that a commit gets: a merge takes so many bases. */
const MAX_BASES = 10;
