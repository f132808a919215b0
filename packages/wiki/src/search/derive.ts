import type { Oid } from '../contract/ids.ts';
import { limits } from '../contract/limits.ts';
import type { Snapshot, TreeEntry } from '../core/ports.ts';
import type { PageAnchors } from '../core/text/markdown/anchors.ts';
import { MAX_HEADINGS_FOUND } from '../core/text/markdown/outline.ts';
import { factSteps, factsOf, type PageFacts } from '../core/text/markdown/page-facts.ts';
import { pageSketchSteps, type Sketch } from '../core/text/resemblance.ts';
import { decodeText } from '../core/text/text-encoding.ts';
import { atOnce, inTurns } from '../scheduling/in-turns.ts';
import { readUnlessTooLarge } from './read-unless-too-large.ts';
import { languageOfPage } from './words/languages/language-of.ts';
import { type PageWords, wordSteps } from './words/terms-of-page.ts';

/** Everything that the index keeps about a page at one commit. */
export interface IndexedPage {
  path: string;
  treePath: string;
  blob: Oid;
  size: number;
  facts: PageFacts;
  words: PageWords;
  language: string | null;
  /** For finding near-copies. */
  sketch: Sketch;
}

/**
 * Derives a page in up to a few hundred milliseconds, and yields to the event loop between the parts of the
 * work.
 */
export async function derivePage(snapshot: Snapshot, path: string, entry: TreeEntry): Promise<IndexedPage> {
  const content = await readUnlessTooLarge(snapshot, entry.oid);
  if (content === null) return deriveUnread(path, entry);
  const text = indexedText(content);
  const facts = await inTurns(factSteps(path, text));
  const words = await inTurns(wordSteps(path, text, facts));
  return {
    path,
    treePath: entry.path,
    blob: entry.oid,
    size: content.length,
    facts,
    words,
    language: languageOfPage(text, words.body, facts.frontmatter),
    sketch: await inTurns(pageSketchSteps(words.body)),
  };
}

export function described(problem: PageFacts['frontmatterProblem']): string | null {
  return problem === null ? null : `line ${problem.line}: ${problem.reason}`;
}

/** The words of a page at an earlier blob, exactly as they went into the index. */
export async function deriveWords(snapshot: Snapshot, path: string, blob: Oid): Promise<PageWords> {
  const text = await readIndexedText(snapshot, blob);
  const facts = await inTurns(factSteps(path, text));
  return inTurns(wordSteps(path, text, facts));
}

/** A page from native git that is too large to be read: it has its name, and no text. */
function deriveUnread(path: string, entry: TreeEntry): IndexedPage {
  const facts = { ...factsOf(path, ''), frontmatterProblem: TOO_LARGE };
  const words = atOnce(wordSteps(path, '', facts));
  return {
    path,
    treePath: entry.path,
    blob: entry.oid,
    size: limits.pageBytes,
    facts,
    words,
    language: null,
    sketch: new Uint32Array(),
  };
}

const TOO_LARGE = { line: 1, reason: 'the page is too large to be read' };

/** The text of a blob as it is indexed, empty if the blob is too large to be read. */
export async function readIndexedText(snapshot: Snapshot, blob: Oid): Promise<string> {
  return indexedText((await readUnlessTooLarge(snapshot, blob)) ?? new Uint8Array());
}

/** A page from elsewhere may be larger than any that is written here: only this much of it is indexed. */
function indexedText(content: Uint8Array): string {
  return decodeText(content.subarray(0, limits.pageBytes)).text;
}

/** Only the beginning of a heading is kept: one of a megabyte does not belong into the index. */
const MAX_HEADING = 1_000;

export function anchorsOf({ headings, ids }: PageFacts): PageAnchors {
  return {
    headings: headings
      .slice(0, MAX_HEADINGS_FOUND)
      .map(({ level, text }) => ({ level, text: text.slice(0, MAX_HEADING).toWellFormed() })),
    ...ids,
  };
}
