import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, isScalar, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { type LineEnding, lineEndingOf, withLineEnding } from '../text-encoding.ts';
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
  const edited = yield* editYaml(yaml, document, set, unset, ending);
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
  document: Document.Parsed,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
  ending: LineEnding,
): Steps<string> {
  const map = document.contents;
  const rewritten = () => withLineEnding(editDocument(document, set, unset), ending);
  if (map !== null && !(isMap(map) && map.flow !== true)) return rewritten();
  const pairs = pairsByKey(map);
  const splices = removals(yaml, pairs, unset);
  if (splices === null) return rewritten();
  const indent = map === null ? '' : indentOf(yaml, map);
  const added: string[] = [];
  for (const [at, [key, value]] of set.entries()) {
    if (at % KEYS_AT_ONCE === 0) yield;
    const pair = pairs.get(key);
    if (pair === undefined) {
      added.push(indent + indented(new Document({ [key]: value }).toString(asWritten), indent));
      continue;
    }
    const place = placeOf(yaml, pair);
    if (place === null) return rewritten();
    const end = lineEnd(yaml, place.end);
    const written = indented(
      valueAfterColon(key, value, isCollection(pair.value) && pair.value.flow === true),
      indent,
    );
    const text = withLineEnding(beforeComment(written, yaml.slice(place.end, end)), ending);
    splices.push({ start: place.afterColon, end, text });
  }
  return spliced(yaml, splices) + withLineEnding(added.join(''), ending);
}

/** Null if one of the keys has no place of its own in the text. */
function removals(yaml: string, pairs: Pairs, keys: readonly string[]): Splice[] | null {
  const splices: Splice[] = [];
  for (const key of keys) {
    const pair = pairs.get(key);
    // The key comes from elsewhere, as by `<<`.
    if (pair === undefined) continue;
    const place = placeOf(yaml, pair);
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
  const { contents } = document;
  if (!isMap(contents)) {
    // `~` and the like have comments, but no keys.
    document.contents = document.createNode({});
    document.contents.commentBefore = contents?.commentBefore ?? null;
  }
  for (const key of unset) document.delete(key);
  for (const [key, value] of set) document.set(key, document.createNode(value));
  // An alias that lost its anchor is found when the result is read.
  return document.toString({ ...asWritten, verifyAliasOrder: false });
}

type Pairs = ReadonlyMap<string, Pair<ParsedNode, ParsedNode | null>>;

/** The last pair of each key, by the key's text: it is the one that counts. */
function pairsByKey(map: YAMLMap.Parsed | null): Pairs {
  const pairs = map?.items ?? [];
  return new Map(pairs.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : String(pair.key), pair]));
}

/** The blanks before the first key of a map. All others have the same. */
function indentOf(yaml: string, { range }: YAMLMap.Parsed): string {
  return /^ */.exec(yaml.slice(lineStart(yaml, range[0])))?.[0] ?? '';
}

/** The lines after the first one with as many blanks more. */
function indented(text: string, indent: string): string {
  return text.replaceAll(/\n(?=.)/g, `\n${indent}`);
}

interface Place {
  start: number;
  afterColon: number;
  /** The offset after the last character of the value. The rest of its line is a comment. */
  end: number;
}

/** The place of a pair that is written as `key: value`, on a line of its own; null for other forms. */
function placeOf(yaml: string, { key, value }: Pair<ParsedNode, ParsedNode | null>): Place | null {
  const [start, keyEnd] = key.range;
  if (yaml.slice(lineStart(yaml, start), start).trim() !== '') return null;
  // Only blanks lie between a key that begins its line and the colon.
  const afterColon = yaml.indexOf(':', keyEnd) + 1;
  const valueEnd = Math.max(afterColon, value?.range[1] ?? 0);
  const end = afterColon + yaml.slice(afterColon, valueEnd).trimEnd().length;
  return { start, afterColon, end };
}

function valueAfterColon(key: string, value: unknown, flow: boolean): string {
  const document = new Document({ [key]: value });
  const node = document.get(key);
  if (flow && isCollection(node)) node.flow = true;
  const keyLength = new Document({ [key]: null }).toString(asWritten).length - ' null\n'.length;
  return document.toString(asWritten).slice(keyLength).trimEnd();
}

/** Long lines are not folded, as note editors do not expect it. */
const asWritten = { lineWidth: 0, flowCollectionPadding: false } as const;

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line's end. Each line of frontmatter has one. */
function lineEnd(text: string, offset: number): number {
  return text.indexOf('\n', offset) + 1;
}
