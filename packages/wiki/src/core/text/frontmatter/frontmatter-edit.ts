import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { lineEndingOf, withLineEnding } from '../text-encoding.ts';
import {
  type FrontmatterProblem,
  findFrontmatter,
  MAX_YAML_CHARACTERS,
  parseFrontmatter,
  readFrontmatter,
  tooLong,
} from './frontmatter.ts';

export interface FrontmatterEdit {
  set: Readonly<Record<string, unknown>>;
  unset: readonly string[];
}

export type FrontmatterOutcome =
  | { ok: true; text: string }
  /** The frontmatter cannot be read, before or after the edit. */
  | { ok: false; problem: FrontmatterProblem };

/**
 * The text with keys of its frontmatter set or removed. Only changed values are rewritten: all other YAML,
 * its comments and its order stay byte for byte, and so does the body.
 */
export function editFrontmatter(text: string, edit: FrontmatterEdit): FrontmatterOutcome {
  return atOnce(frontmatterEditSteps(text, edit));
}

/** The same in steps, for as many keys as fit, which take up to half a second. */
export function* frontmatterEditSteps(text: string, edit: FrontmatterEdit): Steps<FrontmatterOutcome> {
  const block = findFrontmatter(text);
  const yaml = block === null ? '' : text.slice(block.yamlStart, block.yamlEnd);
  const { data, problem, document } = parseFrontmatter(yaml);
  if (problem !== null) return { ok: false, problem };
  const set = Object.entries(edit.set).filter(([key, value]) => !isSame(data, key, value));
  // Writing keys takes far longer than counting their minimum size.
  const least = set.reduce(
    (sum, [key, value]) => sum + key.length + ': \n'.length + (typeof value === 'string' ? value.length : 1),
    0,
  );
  if (least > MAX_YAML_CHARACTERS) return { ok: false, problem: tooLong() };
  const unset = edit.unset.filter((key) => Object.hasOwn(data, key));
  if (set.length === 0 && unset.length === 0) return { ok: true, text };
  yield;

  const ending = lineEndingOf(text);
  const edited = withLineEnding(yield* editYaml(yaml, document, set, unset), ending);
  yield;
  const body = text.slice(block?.end ?? 0);
  const opening = block === null ? `---${ending}` : text.slice(0, block.yamlStart);
  const closing = block === null ? `---${ending}` : text.slice(block.yamlEnd, block.end);
  const withBlock = opening + edited + closing + body;
  // Without a block, a body that begins with a line of dashes could be taken for frontmatter.
  const isLeftOut = edited.trim() === '' && findFrontmatter(body) === null;
  return proved(isLeftOut ? body : withBlock, wantedData(data, set, unset));
}

function isSame(data: Record<string, unknown>, key: string, value: unknown): boolean {
  return Object.hasOwn(data, key) && isDeepStrictEqual(data[key], value);
}

function wantedData(
  data: Record<string, unknown>,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
) {
  const removed = new Set(unset);
  const kept = Object.entries(data).filter(([key]) => !removed.has(key));
  return Object.fromEntries([...kept, ...set]);
}

/**
 * Verifies the result: a removed anchor, or a key of another type, could change the meaning of other YAML.
 * The edit is then refused.
 */
function proved(text: string, wanted: Record<string, unknown>): FrontmatterOutcome {
  const { data, problem } = readFrontmatter(text, findFrontmatter(text));
  if (problem !== null) return { ok: false, problem };
  if (isDeepStrictEqual(data, wanted)) return { ok: true, text };
  return { ok: false, problem: { line: 2, reason: 'other keys would change with this one' } };
}

/**
 * Sets all keys at once, in one pass over one document: a page may have thousands, and a caller may name as
 * many.
 */
function* editYaml(
  yaml: string,
  document: Document,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
): Steps<string> {
  const map = document.contents;
  if (map !== null && !(isMap(map) && map.flow !== true)) return editDocument(document, set, unset);
  const pairs = map === null ? new Map<string, Pair>() : pairsByKey(map);
  const splices = removals(yaml, pairs, unset);
  if (splices === null) return editDocument(document, set, unset);
  const added: string[] = [];
  for (const [at, [key, value]] of set.entries()) {
    if (at % KEYS_AT_ONCE === 0) yield;
    const pair = pairs.get(key);
    const place = pair && placeOf(yaml, pair);
    if (place === null) return editDocument(document, set, unset);
    if (pair === undefined || place === undefined) {
      added.push(new Document({ [key]: value }).toString(asWritten));
      continue;
    }
    const end = lineEnd(yaml, place.end);
    const written = valueAfterColon(key, value, isCollection(pair.value) && pair.value.flow === true);
    const text = beforeComment(written, yaml.slice(place.end, end));
    splices.push({ start: place.afterColon, end, text });
  }
  const kept = spliced(yaml, splices);
  if (added.length === 0) return kept;
  return (kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`) + added.join('');
}

/** Null if one of the keys has no place of its own in the text. */
function removals(yaml: string, pairs: ReadonlyMap<string, Pair>, keys: readonly string[]): Splice[] | null {
  const splices: Splice[] = [];
  for (const key of keys) {
    const pair = pairs.get(key);
    const place = pair && placeOf(yaml, pair);
    if (place === undefined) continue;
    if (place === null) return null;
    splices.push({ start: lineStart(yaml, place.start), end: lineEnd(yaml, place.end), text: '' });
  }
  return splices;
}

/** Takes some milliseconds. */
const KEYS_AT_ONCE = 20;

interface Splice {
  start: number;
  end: number;
  text: string;
}

function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let kept = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(kept, splice.start), splice.text);
    kept = Math.max(kept, splice.end);
  }
  return pieces.join('') + text.slice(kept);
}

/** A comment after a value of several lines would become part of it, so it stays on the first line. */
function beforeComment(value: string, comment: string): string {
  const lineFeed = value.indexOf('\n');
  if (lineFeed === -1) return value + comment;
  return `${value.slice(0, lineFeed)}${comment.trimEnd()}${value.slice(lineFeed)}\n`;
}

/** Rewrites the whole document, used if keys are not on lines of their own. */
function editDocument(
  document: Document,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
): string {
  for (const key of unset) document.delete(key);
  for (const [key, value] of set) document.set(key, document.createNode(value));
  return document.toString(asWritten);
}

/** The first pair of each key, by the key's text. */
function pairsByKey(map: YAMLMap): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
    if (!pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}

interface Place {
  start: number;
  afterColon: number;
  /** The offset after the last character of the value. The rest of its line is a comment. */
  end: number;
}

/** The place of a pair that is written as `key: value`; null for other forms. */
function placeOf(yaml: string, { key, value }: Pair): Place | null {
  const keyRange = rangeOf(key);
  if (keyRange === null) return null;
  const colon = /^[ \t]*:/.exec(yaml.slice(keyRange[1], lineEnd(yaml, keyRange[1])))?.[0];
  if (colon === undefined || yaml.slice(lineStart(yaml, keyRange[0]), keyRange[0]).trim() !== '') return null;
  const afterColon = keyRange[1] + colon.length;
  const valueEnd = Math.max(afterColon, rangeOf(value)?.[1] ?? 0);
  const end = afterColon + yaml.slice(afterColon, valueEnd).trimEnd().length;
  return { start: keyRange[0], afterColon, end };
}

function rangeOf(node: unknown): readonly [number, number, number] | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null;
  return (node.range as [number, number, number] | null | undefined) ?? null;
}

function valueAfterColon(key: string, value: unknown, flow: boolean): string {
  const document = new Document({ [key]: value });
  const node = document.get(key, true);
  if (flow && isCollection(node)) node.flow = true;
  const keyLength = new Document({ [key]: null }).toString(asWritten).length - ' null\n'.length;
  return document.toString(asWritten).slice(keyLength).trimEnd();
}

/** Long lines are not folded, as note editors do not expect it. */
const asWritten = { lineWidth: 0, flowCollectionPadding: false } as const;

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}
