import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { type FrontmatterProblem, findFrontmatter, readFrontmatter } from './frontmatter.ts';
import { lineEndingOf, withLineEnding } from './text-encoding.ts';

export interface FrontmatterEdit {
  set: Readonly<Record<string, unknown>>;
  unset: readonly string[];
}

export type FrontmatterOutcome =
  | { ok: true; text: string }
  /** The frontmatter as it is, or as it would be, cannot be read. */
  | { ok: false; problem: FrontmatterProblem };

/**
 * The text with keys of its frontmatter set or removed. Only the values that change are written anew: all other
 * YAML, its comments and its order stay byte for byte, and so does the body.
 */
export function editFrontmatter(text: string, edit: FrontmatterEdit): FrontmatterOutcome {
  const block = findFrontmatter(text);
  const { data, problem } = readFrontmatter(text, block);
  if (problem !== null) return { ok: false, problem };
  const set = Object.entries(edit.set).filter(([key, value]) => !isSame(data, key, value));
  const unset = edit.unset.filter((key) => Object.hasOwn(data, key));
  if (set.length === 0 && unset.length === 0) return { ok: true, text };

  const ending = lineEndingOf(text);
  const yaml = block === null ? '' : text.slice(block.yamlStart, block.yamlEnd);
  const edited = withLineEnding(editYaml(yaml, set, unset), ending);
  const body = text.slice(block?.end ?? 0);
  const opening = block === null ? `---${ending}` : text.slice(0, block.yamlStart);
  const closing = block === null ? `---${ending}` : text.slice(block.yamlEnd, block.end);
  const withBlock = opening + edited + closing + body;
  // Without a block, a body that begins with a line of dashes could be taken for one.
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
  const kept = Object.entries(data).filter(([key]) => !unset.includes(key));
  return Object.fromEntries([...kept, ...set]);
}

/** An anchor that is gone, or a key of another type, could make other YAML of it: then the edit is refused. */
function proved(text: string, wanted: Record<string, unknown>): FrontmatterOutcome {
  const { data, problem } = readFrontmatter(text, findFrontmatter(text));
  if (problem !== null) return { ok: false, problem };
  if (isDeepStrictEqual(data, wanted)) return { ok: true, text };
  return { ok: false, problem: { line: 2, reason: 'other keys would change with this one' } };
}

function editYaml(
  yaml: string,
  set: readonly (readonly [string, unknown])[],
  unset: readonly string[],
): string {
  return [...unset.map((key) => [key] as const), ...set].reduce(
    (text, [key, ...value]) => editKey(text, key, value),
    yaml,
  );
}

/** `value` holds the value to set; none removes the key. */
function editKey(yaml: string, key: string, value: readonly unknown[]): string {
  const document = parseDocument(yaml, { logLevel: 'error' });
  const map = document.contents;
  if (map !== null && !(isMap(map) && map.flow !== true)) return editDocument(document, key, value);
  const pair = map === null ? undefined : pairOf(map, key);
  if (pair === undefined) return value.length === 0 ? yaml : addPair(yaml, key, value[0]);
  const place = placeOf(yaml, pair);
  if (place === null) return editDocument(document, key, value);
  if (value.length === 0)
    return yaml.slice(0, lineStart(yaml, place.start)) + yaml.slice(lineEnd(yaml, place.end));
  const rest = lineEnd(yaml, place.end);
  const comment = yaml.slice(place.end, rest);
  const written = valueAfterColon(key, value[0], isCollection(pair.value) && pair.value.flow === true);
  return yaml.slice(0, place.afterColon) + beforeComment(written, comment) + yaml.slice(rest);
}

/** A comment behind a value of several lines would be part of it, so it stays on the first one. */
function beforeComment(value: string, comment: string): string {
  const lineFeed = value.indexOf('\n');
  if (lineFeed === -1) return value + comment;
  return `${value.slice(0, lineFeed)}${comment.trimEnd()}${value.slice(lineFeed)}\n`;
}

/** Written anew as a whole, where keys do not stand on lines of their own. */
function editDocument(document: Document, key: string, value: readonly unknown[]): string {
  if (value.length === 0) document.delete(key);
  else document.set(key, document.createNode(value[0]));
  return document.toString(asWritten);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((item) => (isScalar(item.key) ? String(item.key.value) : String(item.key)) === key);
}

interface Place {
  start: number;
  afterColon: number;
  /** After the last character of the value; what follows on its line is a comment. */
  end: number;
}

/** Where a pair stands that is written as `key: value`; null for other forms. */
function placeOf(yaml: string, { key, value }: Pair): Place | null {
  const keyRange = rangeOf(key);
  if (keyRange === null) return null;
  const colon = /^[ \t]*:/.exec(yaml.slice(keyRange[1]))?.[0];
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

function addPair(yaml: string, key: string, value: unknown): string {
  const before = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}\n`;
  return before + new Document({ [key]: value }).toString(asWritten);
}

/** Long lines are not folded, as editors of notes do not expect it. */
const asWritten = { lineWidth: 0, flowCollectionPadding: false } as const;

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}
