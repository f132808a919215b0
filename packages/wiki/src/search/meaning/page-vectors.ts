import { setTimeout } from 'node:timers/promises';
import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { Repository, Snapshot, TreeEntry } from '../../core/ports.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { openSerialQueue } from '../../scheduling/serial-queue.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Embedder } from './embedder.ts';
import { readTexts } from './page-texts.ts';
import type { VectorsByVersion } from './vector-file.ts';
import type { VectorStore } from './vector-store.ts';
import { likeness, type Vector, vectorOf } from './vectors.ts';

/** The vectors of all pages of a wiki, made in the background. */
export interface PageVectors {
  /** Starts to make the vectors that pages of this commit lack, if need be, and does not wait for them. */
  cover(commit: Oid): Promise<Coverage>;
  /** The versions of pages with a text like the question, the most alike first. */
  alike(question: Vector): Steps<Oid[]>;
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
  let missing: TreeEntry[] = [];
  let coveredCommit: Oid | null = null;
  let failed: string | null = null;
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

  /** While work goes on, a newer commit waits for its end: it lacks a few pages more. */
  async function look(commit: Oid): Promise<void> {
    if (working !== null || closing.signal.aborted) return;
    if (coveredCommit === commit && (missing.length === 0 || isFull())) return;
    remember(await store.load());
    const snapshot = await repository.at(commit);
    const pages = await pagesOf(snapshot);
    missing = pages.filter(({ oid }) => !vectors.has(oid));
    coveredCommit = commit;
    if (missing.length === 0 || isFull()) return;
    working = makeMissing(snapshot, pages)
      .catch((error: unknown) => {
        defect = { error };
      })
      .finally(() => {
        working = null;
      });
  }

  async function makeMissing(snapshot: Snapshot, pages: readonly TreeEntry[]): Promise<void> {
    let unsaved: VectorsByVersion = new Map();
    while (missing.length > 0 && !isFull() && !closing.signal.aborted) {
      const batch = missing.slice(0, PAGES_AT_ONCE);
      const made = await tryToMake(snapshot, batch);
      if (made === null) break;
      missing = missing.slice(batch.length);
      remember(made);
      for (const [version, each] of made) unsaved.set(version, each);
      if (unsaved.size < SAVED_AT_ONCE) continue;
      await store.save(unsaved);
      unsaved = new Map();
    }
    await store.save(unsaved);
    forgetAllBut(new Set(pages.map(({ oid }) => oid)));
    if (store.isScattered) await store.replace(vectors);
  }

  /** Null if all attempts failed, or the wiki is being closed. */
  async function tryToMake(
    snapshot: Snapshot,
    pages: readonly TreeEntry[],
  ): Promise<VectorsByVersion | null> {
    for (const wait of [...retryMs, null]) {
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

  /** Past versions are no answers. */
  function forgetAllBut(current: ReadonlySet<Oid>): void {
    if (vectors.size <= 2 * current.size) return;
    for (const [version, each] of vectors) {
      if (current.has(version)) continue;
      vectorBytes -= bytesOf(each);
      vectors.delete(version);
    }
  }

  async function makeVectors(snapshot: Snapshot, pages: readonly TreeEntry[]): Promise<VectorsByVersion> {
    const textsOf = new Map<Oid, string[]>();
    for (const { path, oid } of pages) textsOf.set(oid, await readTexts(snapshot, path, oid));
    const texts = [...textsOf.values()].flat();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(BATCH_MS)]);
    const made = texts.length === 0 ? [] : await embedder.embed(texts, 'document', signal);
    let at = 0;
    const vectorsOf = (count: number) => {
      at += count;
      return made.slice(at - count, at).flatMap((values) => vectorOf(values) ?? []);
    };
    return new Map([...textsOf].map(([version, each]) => [version, vectorsOf(each.length)]));
  }

  return {
    async cover(commit) {
      await inOrder(() => look(commit));
      if (defect !== null) {
        const { error } = defect;
        defect = null;
        throw error;
      }
      return { missing: missing.length, failed };
    },

    *alike(question) {
      const found: [version: Oid, likeness: number][] = [];
      for (const [version, each] of vectors) {
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
/** 50,000 pages with four vectors of 1,000 numbers each. */
const MAX_BYTES = 200_000_000;
/** Takes about a millisecond. */
const COMPARED_AT_ONCE = 500;
/** Filters leave some of them. */
const MAX_ALIKE = 1_000;
