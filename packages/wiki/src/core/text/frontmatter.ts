import { parseDocument } from 'yaml';

/** Where the YAML between the two `---` lines at the start of a page lies, as offsets in its text. */
export interface FrontmatterBlock {
  yamlStart: number;
  yamlEnd: number;
  /** Where the body begins, after the closing line. */
  end: number;
}

export interface Frontmatter {
  /** Empty where there is none or it is invalid. JSON values only. */
  data: Record<string, unknown>;
  /** Why it could not be read; `line` is the page's, 1-based. */
  problem: FrontmatterProblem | null;
}

export interface FrontmatterProblem {
  line: number;
  reason: string;
}

/** YAML beyond this is taken for invalid: parsing it could hold up everyone else. */
const mostCharacters = 100_000;
/** Values once aliases are expanded, which may be exponentially more than the text has. */
const mostValues = 10_000;
const deepest = 50;

export function findFrontmatter(text: string): FrontmatterBlock | null {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (opening === null) return null;
  const yamlStart = opening[0].length;
  const fence = /^---[ \t]*(?:\r?\n|$)/my;
  for (let line = yamlStart; line < text.length; ) {
    fence.lastIndex = line;
    const closing = fence.exec(text);
    if (closing !== null) return { yamlStart, yamlEnd: line, end: fence.lastIndex };
    const lineFeed = text.indexOf('\n', line);
    if (lineFeed === -1) return null;
    line = lineFeed + 1;
  }
  return null;
}

/** The frontmatter of a page. Invalid YAML reads as none, with the problem told. */
export function readFrontmatter(text: string, block: FrontmatterBlock | null): Frontmatter {
  if (block === null) return { data: {}, problem: null };
  const yaml = text.slice(block.yamlStart, block.yamlEnd);
  if (yaml.length > mostCharacters) return invalid(2, `it has over ${mostCharacters} characters`);
  try {
    const document = parseDocument(yaml, { logLevel: 'error', prettyErrors: true });
    const [error] = document.errors;
    if (error) return invalid((error.linePos?.[0].line ?? 1) + 1, firstLine(error.message));
    const value = toJson(document.toJS(), { left: mostValues }, 0);
    if (value === null) return { data: {}, problem: null };
    if (typeof value !== 'object' || Array.isArray(value))
      return invalid(2, 'it is not a list of `key: value`');
    return { data: value as Record<string, unknown>, problem: null };
  } catch (error) {
    // The parser throws on too many aliases and on nesting that exhausts the stack; both are the page's fault.
    return invalid(2, error instanceof Error ? firstLine(error.message) : String(error));
  }
}

/** `tags:` or `tag:`, a list or a string, without `#`. */
export function tagsOf(data: Record<string, unknown>): string[] {
  const written = [data.tags, data.tag].flatMap((value) =>
    typeof value === 'string' ? value.split(/[\s,]+/) : stringsOf(value),
  );
  return unique(written.map((tag) => tag.replace(/^#/, '')));
}

/** `aliases:` or `alias:`, a list or one string. */
export function aliasesOf(data: Record<string, unknown>): string[] {
  return unique([data.aliases, data.alias].flatMap(stringsOf));
}

function stringsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
}

function unique(values: string[]): string[] {
  return [...new Set(values.map((value) => value.trim().normalize('NFC')).filter(Boolean))];
}

function invalid(line: number, reason: string): Frontmatter {
  return { data: {}, problem: { line, reason } };
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

/** A JSON value of the same meaning. Its bounds also end the cycles that YAML aliases can make. */
function toJson(value: unknown, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) throw new RangeError(`it has over ${mostValues} values`);
  if (depth > deepest) throw new RangeError(`it is nested over ${deepest} deep`);
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
