import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
} from 'yaml';
import { lineCounter } from '../lines.ts';
import { normalForm } from '../normal-form.ts';

/** The YAML between the two `---` lines at the start of a page, as offsets in its text. */
export interface FrontmatterBlock {
  yamlStart: number;
  yamlEnd: number;
  /** The start of the body, after the closing line. */
  end: number;
}

export interface Frontmatter {
  /** Empty if there is no frontmatter or it is invalid. JSON values only. */
  data: Record<string, unknown>;
  /** The reason why it could not be read. `line` counts from the start of the page, 1-based. */
  problem: FrontmatterProblem | null;
}

export interface FrontmatterProblem {
  line: number;
  reason: string;
}

/** Longer YAML is kept byte for byte but not interpreted: parsing 30,000 characters takes some 100 ms. */
export const MAX_YAML_CHARACTERS = 30_000;
/**
 * The parser does not yield between tokens, and each takes up to 10 µs if it is an error. People write some
 * hundreds.
 */
const MAX_TOKENS = 20_000;
/** Each alias is resolved by a search through all anchors and aliases before it. */
const MAX_ALIASES = 1_000;
/** The library writes a key that is a list or a map as YAML again, once for each level of nesting. */
const MAX_COLLECTION_KEYS = 100;
/** Limits the values after aliases are expanded, which may be exponentially more than the text has. */
const mostValues = 10_000;
const deepest = 50;

export function findFrontmatter(text: string): FrontmatterBlock | null {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (opening === null) return null;
  const yamlStart = opening[0].length;
  const fence = /---[ \t]*(?:\r?\n|$)/my;
  for (let before = yamlStart - 1; before !== -1; before = text.indexOf('\n---', before + 1)) {
    fence.lastIndex = before + 1;
    if (fence.test(text)) return { yamlStart, yamlEnd: before + 1, end: fence.lastIndex };
  }
  return null;
}

/** The frontmatter of a page. Invalid YAML counts as empty, with the problem reported. */
export function readFrontmatter(text: string, block: FrontmatterBlock | null): Frontmatter {
  const { data, problem } = parseFrontmatterOf(text, block);
  return { data, problem };
}

/** The same with the document itself; null if there is none. */
export function parseFrontmatterOf(
  text: string,
  block: FrontmatterBlock | null,
): Frontmatter & { document: Document.Parsed | null } {
  if (block === null) return { data: {}, problem: null, document: null };
  return parseFrontmatter(text.slice(block.yamlStart, block.yamlEnd));
}

type ParsedFrontmatter =
  | { data: Record<string, unknown>; problem: null; document: Document.Parsed }
  | { data: Record<string, never>; problem: FrontmatterProblem; document: null };

/** Parses the YAML of a frontmatter into a document that can be changed. */
export function parseFrontmatter(yaml: string): ParsedFrontmatter {
  if (yaml.length > MAX_YAML_CHARACTERS) return { data: {}, problem: tooLong(), document: null };
  try {
    requireFewTokens(yaml);
    const document = parseUpToError(yaml);
    const [error] = document.errors;
    if (error) return invalid(lineOf(yaml, error.pos[0]), firstLine(error.message));
    requireFewNodes(document);
    const doubled = findDoubledKey(document);
    if (doubled !== null) return invalid(lineOf(yaml, doubled), 'Map keys must be unique');
    const value = toJson(document.toJS(), { left: mostValues }, 0);
    if (value === null) return { data: {}, problem: null, document };
    if (typeof value !== 'object' || Array.isArray(value))
      return invalid(2, 'it is not a list of `key: value`');
    return { data: value as Record<string, unknown>, problem: null, document };
  } catch (error) {
    // The parser throws on too many aliases and on nesting that exhausts the stack. Both are faults of the
    // page.
    return invalid(2, error instanceof Error ? firstLine(error.message) : String(error));
  }
}

function requireFewTokens(yaml: string): void {
  if (yaml.length <= MAX_TOKENS / 2) return;
  let count = 0;
  for (const _ of new Lexer().lex(yaml)) {
    count += 1;
    if (count > MAX_TOKENS) throw new RangeError(`it has over ${MAX_TOKENS} keys, values and marks`);
  }
}

/**
 * Parses a document up to its first error. The library's `parseDocument` goes on after a token that fits
 * nowhere: 29,000 closing braces then take half a second. It also compares each key with all others, and
 * describes each error with a look at the whole text.
 */
function parseUpToError(yaml: string): Document.Parsed {
  const composer = new Composer({ logLevel: 'error', prettyErrors: false, uniqueKeys: false });
  const [document, second] = composer.compose(upToError(new Parser().parse(yaml)), true, yaml.length);
  if (document === undefined) throw new Error('The library composes a document of any text.');
  if (second !== undefined && document.errors.length === 0) throw new Error('it holds several documents');
  return document as Document.Parsed;
}

function* upToError(tokens: Iterable<CST.Token>): Iterable<CST.Token> {
  for (const token of tokens) {
    yield token;
    if (token.type === 'error') return;
  }
}

/** Throws for what the library would take too long to turn into values. */
function requireFewNodes(document: Document.Parsed): void {
  let aliases = 0;
  let collectionKeys = 0;
  for (const node of nodesOf(document)) {
    if (isAlias(node)) aliases += 1;
    if (isPair(node) && !isScalar(node.key)) collectionKeys += 1;
  }
  if (aliases > MAX_ALIASES) throw new RangeError(`it has over ${MAX_ALIASES} aliases`);
  if (collectionKeys > MAX_COLLECTION_KEYS)
    throw new RangeError(`it has over ${MAX_COLLECTION_KEYS} keys that are lists, maps or aliases`);
}

/** The offset of the first duplicate key of a mapping, or null. */
function findDoubledKey(document: Document.Parsed): number | null {
  let first: number | null = null;
  for (const node of nodesOf(document)) {
    if (!isMap<ParsedNode>(node)) continue;
    const keys = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const at = key.range[0];
      if (keys.has(key.value) && at < (first ?? Number.POSITIVE_INFINITY)) first = at;
      keys.add(key.value);
    }
  }
  return first;
}

/** All nodes of a document, keys included. Throws if they lie too deep in one another. */
function* nodesOf(document: Document.Parsed): Generator<unknown> {
  const nodes: { node: unknown; depth: number }[] = [{ node: document.contents, depth: 0 }];
  for (let next = nodes.pop(); next !== undefined; next = nodes.pop()) {
    const { node, depth } = next;
    if (depth > deepest) throw tooDeep();
    yield node;
    if (isPair(node)) nodes.push({ node: node.key, depth }, { node: node.value, depth });
    if (isCollection(node)) for (const item of node.items) nodes.push({ node: item, depth: depth + 1 });
  }
}

/** The tags in `tags:` or `tag:`, a list or a string, without `#`. */
export function tagsOf(data: Record<string, unknown>): string[] {
  const written = [data.tags, data.tag].flatMap((value) =>
    typeof value === 'string' ? value.split(/[\s,]/) : stringsOf(value),
  );
  return unique(written.map((tag) => tag.replace(/^#/, '')));
}

/** The aliases in `aliases:` or `alias:`, a list or one string. */
export function aliasesOf(data: Record<string, unknown>): string[] {
  return unique([data.aliases, data.alias].flatMap(stringsOf));
}

/**
 * The name of the page that takes this one's place, as written in `superseded_by:`; null if there is none. The
 * first one of a list counts. YAML reads `[[Page]]` without quotes as a list in a list.
 */
export function supersededBy(data: Record<string, unknown>): string | null {
  const [name = ''] = stringsOf([data.superseded_by].flat(2));
  const written = name.trim();
  return written === '' || written.length > MAX_LINK ? null : written;
}

/** No path is longer, and a link says little more. */
const MAX_LINK = 1_000;

function stringsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
}

function unique(values: string[]): string[] {
  return [...new Set(values.map((value) => normalForm(value.trim())).filter(Boolean))];
}

export function tooLong(): FrontmatterProblem {
  return { line: 2, reason: `it has over ${MAX_YAML_CHARACTERS} characters` };
}

function invalid(line: number, reason: string): ParsedFrontmatter {
  return { data: {}, problem: { line, reason }, document: null };
}

/** The line in the page, whose first line is the `---` above the YAML. */
function lineOf(yaml: string, offset: number): number {
  return lineCounter(yaml)(offset) + 1;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

function tooDeep(): RangeError {
  return new RangeError(`it is nested over ${deepest} deep`);
}

/** A JSON value of the same meaning. The limits also end cycles, which YAML aliases can make. */
function toJson(value: unknown, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) throw new RangeError(`it has over ${mostValues} values`);
  if (depth > deepest) throw tooDeep();
  if (Array.isArray(value)) return value.map((item) => toJson(item, budget, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, toJson(item, budget, depth + 1)] as const,
    );
    return Object.fromEntries(entries);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value ?? null;
}
