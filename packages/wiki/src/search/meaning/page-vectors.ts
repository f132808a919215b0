import { setTimeout } from 'node:timers/promises';
import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { Repository, Snapshot, TreeEntry } from '../../core/ports.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { openSerialQueue } from '../../scheduling/serial-queue.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Embedder } from './embedder.ts';
import { textsUnlessLost } from './page-texts.ts';
import type { VectorsByVersion } from './vector-file.ts';
import type { VectorStore } from './vector-store.ts';
import { likeness, type Vector, vectorOf } from './vectors.ts';

/** The vectors of all pages of a wiki, made in the background. */
export interface PageVectors {
  /**
   * Starts to make the vectors that pages of this commit lack, if need be, and does not wait for them. With `folders`
   * only those of pages in these folders: no other page is sent to the provider or counted.
   */
  cover(commit: Oid, folders?: readonly string[]): Promise<Coverage>;
  /** The versions of pages with a text like the question, the most alike first; with `folders` only pages in these. */
  alike(question: Vector, folders?: readonly string[]): Steps<Oid[]>;
  /** Ends running work. */
  close(): Promise<void>;
}

export interface Coverage {
  /** The number of pages without vectors. */
  missing: number;
  /** The reason if the last attempt to make some failed. */
  failed: string | null;
}

export interface PageVectorsOptions {
  repository: Repository;
  embedder: Embedder;
  store: VectorStore;
  /** The waits before further attempts, after one failed. */
  retryMs?: readonly number[];
  /** The size in memory beyond which no more are made. */
  maxBytes?: number;
}

export function openPageVectors({
  repository,
  embedder,
  store,
  retryMs = RETRY_MS,
  maxBytes = MAX_BYTES,
}: PageVectorsOptions): PageVectors {
  const vectors: VectorsByVersion = new Map();
  const closing = new AbortController();
  const inOrder = openSerialQueue();
  let working: Promise<void> | null = null;
  /** The pages of the covered commit, and their versions. */
  let pages: readonly TreeEntry[] = [];
  let current: ReadonlySet<Oid> = new Set();
  /** The part of them that the last call could see. */
  let part: Part | null = null;
  /** Versions that could not be read, or whose texts the provider refuses: not tried again by this process. */
  const refused = new Set<Oid>();
  let coveredCommit: Oid | null = null;
  let failed: string | null = null;
  /** True if files have vectors of another model. */
  let isOutdated = false;
  let vectorBytes = 0;
  const isFull = () => vectorBytes > maxBytes;
  /** Set if work ended in a way that nobody foresaw: the next call reports it. */
  let defect: { error: unknown } | null = null;

  function remember(made: VectorsByVersion): void {
    for (const [version, each] of made) {
      if (!vectors.has(version)) vectorBytes += bytesOf(each);
      vectors.set(version, each);
    }
  }

  function partIn(folders: readonly string[] | undefined): Part {
    const key = JSON.stringify(folders);
    if (part !== null && part.key === key) return part;
    const seen = folders === undefined ? pages : pages.filter(({ path }) => liesIn(folders, path));
    part = { key, versions: new Set(seen.map(({ oid }) => oid)), missing: seen };
    return part;
  }

  /** The pages in the folders that have no vectors. */
  function missingIn(folders: readonly string[] | undefined): readonly TreeEntry[] {
    const seen = partIn(folders);
    seen.missing = seen.missing.filter(({ oid }) => !vectors.has(oid));
    return seen.missing;
  }

  /** While work goes on, a newer commit and other folders wait for its end. */
  async function look(commit: Oid, folders: readonly string[] | undefined): Promise<void> {
    if (working !== null || closing.signal.aborted) return;
    const waiting = () => missingIn(folders).filter(({ oid }) => !refused.has(oid));
    if (coveredCommit === commit && (isFull() || waiting().length === 0)) return;
    remember(await store.load());
    const snapshot = await repository.at(commit);
    pages = await pagesOf(snapshot);
    current = new Set(pages.map(({ oid }) => oid));
    part = null;
    if (isFull()) forgetPast();
    coveredCommit = commit;
    const without = waiting();
    if (isFull() || without.length === 0) return;
    working = makeMissing(snapshot, without)
      .catch((error: unknown) => {
        defect = { error };
      })
      .finally(() => {
        working = null;
      });
  }

  async function makeMissing(snapshot: Snapshot, waiting: readonly TreeEntry[]): Promise<void> {
    let unsaved: VectorsByVersion = new Map();
    for (let at = 0; at < waiting.length && !isFull() && !closing.signal.aborted; at += PAGES_AT_ONCE) {
      const made = await makeOf(snapshot, waiting.slice(at, at + PAGES_AT_ONCE));
      if (made === null) break;
      remember(made);
      for (const [version, each] of made) unsaved.set(version, each);
      if (unsaved.size < SAVED_AT_ONCE) continue;
      await store.save(unsaved);
      unsaved = new Map();
    }
    await store.save(unsaved);
    if (vectors.size > 2 * current.size) forgetPast();
    if (!store.isScattered && !isOutdated) return;
    await store.replace(vectors);
    isOutdated = false;
  }

  /** Null if the provider gives nothing. If it refuses some of several pages only, these go without. */
  async function makeOf(snapshot: Snapshot, pages: readonly TreeEntry[]): Promise<VectorsByVersion | null> {
    const together = await tryToMake(snapshot, pages, retryMs);
    if (together !== null || pages.length === 1 || closing.signal.aborted) return together;
    const reason = failed;
    const made: VectorsByVersion = new Map();
    const without: Oid[] = [];
    for (const page of pages) {
      const alone = await tryToMake(snapshot, [page], []);
      if (alone === null) without.push(page.oid);
      else for (const [version, each] of alone) made.set(version, each);
      // It is not the texts.
      if (made.size === 0 && without.length === TRIED_ALONE) break;
    }
    failed = reason;
    if (made.size === 0) return null;
    for (const version of without) refused.add(version);
    return made;
  }

  /** Null if all attempts failed, or the wiki is being closed. */
  async function tryToMake(
    snapshot: Snapshot,
    pages: readonly TreeEntry[],
    waits: readonly number[],
  ): Promise<VectorsByVersion | null> {
    for (const wait of [...waits, null]) {
      try {
        const made = await makeVectors(snapshot, pages);
        failed = null;
        return made;
      } catch (error) {
        if (closing.signal.aborted) return null;
        if (!(error instanceof WikiError) || error.code !== 'backend_unavailable') throw error;
        failed = error.text.happened;
      }
      if (wait !== null)
        await setTimeout(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    return null;
  }

  function forgetPast(): void {
    for (const [version, each] of vectors) {
      if (current.has(version)) continue;
      vectorBytes -= bytesOf(each);
      vectors.delete(version);
    }
  }

  async function makeVectors(snapshot: Snapshot, pages: readonly TreeEntry[]): Promise<VectorsByVersion> {
    const textsOf = new Map<Oid, string[]>();
    for (const { path, oid } of pages) {
      const texts = await textsUnlessLost(snapshot, path, oid);
      if (texts === null) refused.add(oid);
      else textsOf.set(oid, texts);
    }
    const texts = [...textsOf.values()].flat();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(BATCH_MS)]);
    const made = texts.length === 0 ? [] : await embedder.embed(texts, 'document', signal);
    let at = 0;
    const vectorsOf = (count: number) => {
      at += count;
      return made.slice(at - count, at).map((values) => vectorOf(values) ?? refuseToKeep());
    };
    return new Map([...textsOf].map(([version, each]) => [version, vectorsOf(each.length)]));
  }

  return {
    async cover(commit, folders) {
      await inOrder(() => look(commit, folders));
      if (defect !== null) {
        const { error } = defect;
        defect = null;
        throw error;
      }
      return { missing: missingIn(folders).length, failed };
    },

    *alike(question, folders) {
      const { versions } = partIn(folders);
      const found: [version: Oid, likeness: number][] = [];
      const dimension = question.numbers.length;
      for (const [version, each] of vectors) {
        if (!versions.has(version)) continue;
        // Another model has the name of the earlier one: its vectors are made again.
        if (each.some(({ numbers }) => numbers.length !== dimension)) {
          vectorBytes -= bytesOf(each);
          vectors.delete(version);
          coveredCommit = null;
          part = null;
          isOutdated = true;
          continue;
        }
        const best = Math.max(-1, ...each.map((vector) => likeness(vector, question)));
        if (each.length > 0) found.push([version, best]);
        if (found.length % COMPARED_AT_ONCE === 0) yield;
      }
      found.sort(([, a], [, b]) => b - a);
      return found.slice(0, MAX_ALIKE).map(([version]) => version);
    },

    async close() {
      closing.abort();
      await inOrder(async () => {});
      await working;
    },
  };
}

/** The pages that a call can see. */
interface Part {
  /** Identifies their folders. */
  key: string | undefined;
  versions: ReadonlySet<Oid>;
  /** Those of them that had no vectors at the last look. */
  missing: readonly TreeEntry[];
}

/** A vector of zeros has no direction. Kept, it would mean a page without text. */
function refuseToKeep(): never {
  throw new WikiError('backend_unavailable', {
    happened: 'The provider of embeddings failed: a vector of its answer has no direction.',
    now: 'Nothing was read or changed.',
    next: 'Search again.',
  });
}

function bytesOf(vectors: readonly Vector[]): number {
  return vectors.reduce((sum, { numbers }) => sum + numbers.length, 0);
}

async function pagesOf(snapshot: Snapshot): Promise<TreeEntry[]> {
  const yieldIfDue = yielding();
  const pages: TreeEntry[] = [];
  for await (const entry of snapshot.files()) {
    if (pagePathOf(entry.path) !== null) pages.push(entry);
    await yieldIfDue();
  }
  return pages;
}

/** Answers of a model on a processor take seconds for so many. */
const PAGES_AT_ONCE = 16;
const BATCH_MS = 120_000;
/** Some minutes of a model on a processor. */
const SAVED_AT_ONCE = 512;
const RETRY_MS = [1_000, 5_000, 20_000, 60_000];
/** So many pages that fail one by one show that the provider fails. */
const TRIED_ALONE = 3;
/** 50,000 pages with four vectors of 1,000 numbers each. */
const MAX_BYTES = 200_000_000;
/** Takes about a millisecond. */
const COMPARED_AT_ONCE = 500;
/** Filters leave some of them. */
const MAX_ALIKE = 1_000;
