import type { Steps } from '../../scheduling/in-turns.ts';
import { foldCase } from './fold-case.ts';
import { normalForm } from './normal-form.ts';

/**
 * A sample of the word sequences of a text: the smallest hashes of all of them (MinHash with one hash
 * function). Two samples of the same size estimate the share of sequences that their texts have in common,
 * whatever the length of the texts. Sorted, each hash once.
 */
export type Sketch = Uint32Array;

/** `wordsTogether` is the length of a sequence: the longer, the more one changed word separates two texts. */
export function sketchSteps(text: string, wordsTogether: number): Steps<Sketch> {
  return sketchOfWordsSteps(wordsIn(text), wordsTogether, SKETCH_HASHES);
}

/**
 * A small sketch of a page, from its words: it finds the pages that may be near-copies. Empty for a page of a
 * few words: stubs are all alike.
 */
export function* pageSketchSteps(words: readonly string[]): Steps<Sketch> {
  if (words.length < LEAST_PAGE_WORDS) return new Uint32Array();
  return yield* sketchOfWordsSteps(words, PAGE_WORDS_TOGETHER, PAGE_SKETCH_HASHES);
}

/** The share of word sequences that two pages have in common, estimated from their small sketches. */
export function resemblanceOfPages(one: Sketch, other: Sketch): number {
  return resemblance(one, other, PAGE_SKETCH_HASHES);
}

/** The length of a sequence where pages are compared. */
export const PAGE_WORDS_TOGETHER = 3;
const LEAST_PAGE_WORDS = 30;
/** The index keeps them for each page: 64 bytes, which no compression makes fewer. */
const PAGE_SKETCH_HASHES = 16;

function* sketchOfWordsSteps(
  words: Iterable<string>,
  wordsTogether: number,
  mostHashes: number,
): Steps<Sketch> {
  const hashes = new SmallestHashes(mostHashes);
  const last: number[] = [];
  let count = 0;
  let characters = 0;
  for (const word of words) {
    last.push(hashOf(word));
    if (last.length > wordsTogether) last.shift();
    count += 1;
    if (count >= wordsTogether) hashes.add(hashOfAll(last));
    characters += word.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    yield;
    characters = 0;
  }
  // A text of fewer words is one sequence.
  if (count > 0 && count < wordsTogether) hashes.add(hashOfAll(last));
  yield;
  return hashes.sketch();
}

/** The estimated share of word sequences that two texts have in common, from 0 to 1. */
export function resemblance(one: Sketch, other: Sketch, mostHashes = SKETCH_HASHES): number {
  // Beyond the last hash of a full sample nothing is known about its text.
  const limit = Math.min(lastKnown(one, mostHashes), lastKnown(other, mostHashes));
  let [at, place, common, all] = [0, 0, 0, 0];
  while (at < one.length || place < other.length) {
    const a = one[at] ?? Number.POSITIVE_INFINITY;
    const b = other[place] ?? Number.POSITIVE_INFINITY;
    if (Math.min(a, b) > limit) break;
    all += 1;
    if (a === b) common += 1;
    if (a <= b) at += 1;
    if (b <= a) place += 1;
  }
  return all === 0 ? 0 : common / all;
}

/** The estimate is right to within some 5 percent. */
const SKETCH_HASHES = 128;
/** Takes about a millisecond. */
const CHARACTERS_AT_ONCE = 20_000;

/** A word; in scripts without spaces each character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;

/** Piece by piece: a page of 2 MB would be folded for too long at once. */
function* wordsIn(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    for (const [word] of foldCase(normalForm(text.slice(start, end))).matchAll(WORD)) yield word;
    start = end;
  }
}

/** The first white space after so many characters; what goes on for longer without any is no prose. */
function endOfPiece(text: string, start: number): number {
  const from = start + PIECE;
  const space = text.slice(from, from + PIECE).search(/\s/);
  return space === -1 ? from + PIECE : from + space;
}

const PIECE = 20_000;

function lastKnown(sketch: Sketch, mostHashes: number): number {
  return sketch.length < mostHashes ? Number.POSITIVE_INFINITY : (sketch.at(-1) as number);
}

/** The smallest of many hashes, each once. */
class SmallestHashes {
  readonly #most: number;
  #hashes: number[] = [];
  /** A hash from here on is not among the smallest. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  add(hash: number): void {
    if (hash >= this.#limit) return;
    this.#hashes.push(hash);
    if (this.#hashes.length < SORTED_AT_ONCE * this.#most) return;
    const sketch = this.sketch();
    this.#hashes = [...sketch];
    if (sketch.length === this.#most) this.#limit = sketch.at(-1) as number;
  }

  sketch(): Sketch {
    const sorted = Uint32Array.from(this.#hashes).sort();
    const distinct = sorted.filter((hash, at) => at === 0 || hash !== sorted[at - 1]);
    return distinct.slice(0, this.#most);
  }
}

/** So many times the wanted number of hashes are collected before they are sorted. */
const SORTED_AT_ONCE = 8;

/** FNV-1a over UTF-16 code units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Ends with the finalizer of MurmurHash3: the smallest hashes must be a fair sample. */
function hashOfAll(hashes: readonly number[]): number {
  let mixed = 0;
  for (const hash of hashes) mixed = Math.imul(mixed ^ hash, 0x9e3779b1) + 0x7f4a7c15;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
