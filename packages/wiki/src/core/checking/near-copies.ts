import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { PageRow, SketchedPage } from '../index-port.ts';
import type { Snapshot } from '../ports.ts';
import { findFrontmatter } from '../text/frontmatter/frontmatter.ts';
import {
  PAGE_WORDS_TOGETHER,
  resemblance,
  resemblanceOfPages,
  type Sketch,
  sketchSteps,
} from '../text/resemblance.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Finding } from './finding.ts';

type ComparedPage = SketchedPage & Pick<PageRow, 'version' | 'size'>;

interface Copy {
  path: string;
  /** The share of word sequences that both pages have. */
  share: number;
}

/**
 * Pages whose text is nearly that of another page. The small sketches of the index find the pairs to compare,
 * and their texts decide.
 */
export async function nearCopies(
  snapshot: Pick<Snapshot, 'blob'>,
  pages: readonly ComparedPage[],
  signal: AbortSignal | undefined,
  maxBytesRead = MAX_BYTES_READ,
): Promise<Finding[]> {
  const shareOf = textComparison(snapshot, maxBytesRead);
  const copies = new Map<string, Copy[]>();
  const byHash = new Map<number, ComparedPage[]>();
  const yieldIfDue = yielding();
  for (const page of pages) {
    throwIfCancelled(signal);
    await yieldIfDue();
    for (const other of likelyCopies(page, byHash)) {
      const share = await shareOf(page, other);
      throwIfCancelled(signal);
      if (share < LEAST_SHARE) continue;
      note(copies, page.path, { path: other.path, share });
      note(copies, other.path, { path: page.path, share });
    }
    addTo(byHash, page);
  }
  return pages.flatMap(({ path }) => {
    const found = copies.get(path);
    if (found === undefined) return [];
    const named = found.toSorted((a, b) => b.share - a.share).slice(0, MAX_NAMED);
    const detail = describe(named, found.length > named.length);
    return [{ kind: 'near_copy' as const, path, line: null, detail, copies: named.map((copy) => copy.path) }];
  });
}

/** One changed word in twenty leaves 0.75 of the sequences of three words. */
const LEAST_SHARE = 0.7;

/** The earlier pages that one of the first hashes finds and whose sketches look alike. */
function likelyCopies(page: ComparedPage, byHash: ReadonlyMap<number, ComparedPage[]>): ComparedPage[] {
  const near = new Set<ComparedPage>();
  for (const hash of page.sketch.subarray(0, KEYS)) {
    for (const other of byHash.get(hash) ?? []) near.add(other);
  }
  return [...near].filter((other) => resemblanceOfPages(page.sketch, other.sketch) >= LIKELY_SHARE);
}

/** Two pages that share 0.7 of their sequences have none of their first eight hashes in common once in 15,000 times. */
const KEYS = 8;
/** The estimate from so few hashes is right to within 0.12. */
const LIKELY_SHARE = 0.5;

/** Bounds the work for thousands of pages from one template: each is compared with the first ones alone. */
function addTo(byHash: Map<number, ComparedPage[]>, page: ComparedPage): void {
  for (const hash of page.sketch.subarray(0, KEYS)) {
    const pages = byHash.get(hash);
    if (pages === undefined) byHash.set(hash, [page]);
    else if (pages.length < MAX_WITH_HASH) pages.push(page);
  }
}

const MAX_WITH_HASH = 10;

/**
 * Compares the texts of two pages, without their frontmatter. When so much text has been read that more would
 * take seconds, only sketches that are nearly the same count.
 */
function textComparison(
  snapshot: Pick<Snapshot, 'blob'>,
  maxBytesRead: number,
): (one: ComparedPage, other: ComparedPage) => Promise<number> {
  const sketches = new Map<Oid, Sketch>();
  let bytesLeft = maxBytesRead;

  async function sketchOf({ version, size }: ComparedPage): Promise<Sketch | null> {
    const known = sketches.get(version);
    if (known !== undefined) return known;
    const bytes = Math.min(size, limits.pageBytes);
    if (bytes > bytesLeft) return null;
    bytesLeft -= bytes;
    const { text } = decodeText((await snapshot.blob(version)).subarray(0, limits.pageBytes));
    const body = text.slice(findFrontmatter(text)?.end ?? 0);
    const sketch = await inTurns(sketchSteps(body, PAGE_WORDS_TOGETHER));
    sketches.set(version, sketch);
    return sketch;
  }

  return async (one, other) => {
    if (one.version === other.version) return 1;
    const sketch = await sketchOf(one);
    const another = await sketchOf(other);
    if (sketch !== null && another !== null) return resemblance(sketch, another);
    const estimate = resemblanceOfPages(one.sketch, other.sketch);
    return estimate >= SURE_SHARE ? estimate : 0;
  };
}

const MAX_BYTES_READ = 20_000_000;
const SURE_SHARE = 0.9;

function note(copies: Map<string, Copy[]>, path: string, copy: Copy): void {
  const noted = copies.get(path);
  if (noted === undefined) copies.set(path, [copy]);
  else if (noted.length < MAX_NOTED) noted.push(copy);
}

const MAX_NOTED = 50;
const MAX_NAMED = 3;

function describe(named: readonly Copy[], hasMore: boolean): string {
  const alike = named.map(({ path, share }) => `${path} (${Math.floor(100 * share)} % alike)`);
  return `Nearly the same text as ${alike.join(', ')}${hasMore ? ' and more' : ''}`;
}
