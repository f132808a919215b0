import * as z from 'zod';
import { describeIssue } from './describe-issue.ts';
import { WikiError } from './errors.ts';
import type { batchOperations } from './operations/batches.ts';
import { type Input, isOperationName, type OperationName, operationNames, operations } from './operations.ts';

/** Throws `invalid_input` if the name is not an operation. */
export function parseOperationName(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw new WikiError('invalid_input', {
    happened: `There is no operation ${JSON.stringify(name.slice(0, 80))}.`,
    now: `The operations are ${operationNames.join(', ')}.`,
    next: 'Call one of these.',
  });
}

/**
 * Parses an input from outside, after mapping aliases. Throws `invalid_input` that names each wrong field.
 */
export function parseInput<Name extends OperationName>(name: Name, raw: unknown): Input<Name> {
  const takes = `${name} takes ${Object.keys(operations[name].input.shape).join(', ')}.`;
  return parse(name, raw, `${takes} Call it again with these corrected.`);
}

/** The same for a change of a batch, which takes the fields of `name` without those of the commit. */
export function parseChange<Name extends BatchedOperation>(name: Name, raw: unknown): Input<Name> {
  const { shape } = operations.commit_changes.input.shape.changes.element;
  const fields = Object.keys(operations[name].input.shape).filter((field) => Object.hasOwn(shape, field));
  return parse(name, raw, `A change of this kind takes ${fields.join(', ')}.`);
}

type BatchedOperation = (typeof batchOperations)[keyof typeof batchOperations];

function parse<Name extends OperationName>(name: Name, raw: unknown, next: string): Input<Name> {
  const schema: z.ZodObject = operations[name].input;
  const most = name === 'commit_changes' ? MAX_VALUES_OF_BATCH : MAX_VALUES;
  const excess = excessOf(raw, most);
  if (excess !== null) throw excessive(name, excess);
  const parsed = schema.safeParse(mapAliases(schema, raw ?? {}), { error: describeIssue });
  if (parsed.success) return parsed.data as Input<Name>;
  const issues = parsed.error.issues.slice(0, 8);
  const reasons = issues
    .map(({ path, message }) => `${path.map(named).join('.') || name} ${message}`)
    .join('; ');
  throw new WikiError(
    'invalid_input',
    {
      happened: `The arguments of ${name} do not fit: ${reasons}.`,
      now: 'Nothing was read or changed.',
      next,
      atTerminal: 'Correct that and run the command again; --help shows the options.',
    },
    { fields: issues.map((issue) => issue.path.join('.')) },
  );
}

/**
 * People write no values nested this deep. Deeper ones could exhaust the stack of any code that walks them.
 */
const MAX_DEPTH = 64;
/** More than any call needs: parsing and writing more would hold up every wiki of the process. */
const MAX_VALUES = 10_000;
/** Suffices for every change of a full batch with the maximum number of edits. */
const MAX_VALUES_OF_BATCH = 100_000;

/** The way in which the arguments exceed what may be parsed, or null. Examines at most `most` values. */
function excessOf(value: unknown, most: number): 'depth' | 'number' | null {
  let level = [value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return 'depth';
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const key in each) {
        values += 1;
        if (values > most) return 'number';
        const nested: unknown = (each as Record<string, unknown>)[key];
        if (typeof nested === 'object') next.push(nested);
      }
    }
    level = next;
  }
  return null;
}

function excessive(name: OperationName, excess: 'depth' | 'number'): WikiError {
  const [what, which] = {
    depth: [`are nested over ${MAX_DEPTH} deep`, 'values that nest less'],
    number: ['hold too many values', 'fewer values'],
  }[excess];
  return new WikiError('invalid_input', {
    happened: `The arguments of ${name} ${what}.`,
    now: 'Nothing was read or changed.',
    next: `Call it again with ${which}.`,
  });
}

/** Names that models use because of other servers' tools, by the name that they have here. */
const aliases: Record<string, readonly string[]> = {
  path: ['page', 'page_path', 'file_path', 'filepath', 'old_path', 'source', 'from_path', 'title'],
  paths: ['pages', 'page_paths', 'file_paths'],
  new_path: ['to_path', 'destination', 'target', 'new_title', 'new_name'],
  content: ['text', 'body', 'markdown', 'contents'],
  old_string: ['old_text', 'oldText', 'old_str', 'oldString', 'search'],
  new_string: ['new_text', 'newText', 'new_str', 'newString', 'replace'],
  limit: ['page_size', 'pageSize', 'max_results', 'count'],
  query: ['q', 'search', 'pattern', 'text'],
  message: ['commit_message', 'summary', 'reason'],
  version: ['expected_version', 'if_match', 'sha'],
  start_line: ['offset', 'from_line'],
  max_lines: ['lines', 'num_lines'],
  at: ['revision', 'ref'],
  wiki: ['wiki_name', 'repository'],
  from: ['from_commit', 'base'],
  to: ['to_commit'],
  replace_all: ['replaceAll'],
  dry_run: ['dryRun', 'preview'],
  commit: ['commit_id', 'revision', 'sha'],
  heading: ['section', 'section_heading'],
  operation: ['action', 'mode', 'position'],
  op: ['operation', 'action', 'type'],
  position: ['operation', 'mode'],
  changes: ['operations', 'actions', 'files'],
};

/**
 * Maps aliases. An alias counts only if its name has no other meaning here and the real field was not given.
 * Null counts as not given: some clients must name every argument.
 */
function mapAliases(schema: z.ZodObject, raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const mapped = withoutNulls(raw);
  for (const [field, names] of Object.entries(aliases)) {
    if (!Object.hasOwn(schema.shape, field) || Object.hasOwn(mapped, field)) continue;
    const alias = names.find((name) => Object.hasOwn(mapped, name) && !Object.hasOwn(schema.shape, name));
    if (alias === undefined) continue;
    mapped[field] = mapped[alias];
    delete mapped[alias];
  }
  return mapChanges(schema, mapEdits(schema, mapped));
}

/** Each change of a batch has fields of its own, with the same aliases. */
function mapChanges(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const { changes } = schema.shape;
  if (!(changes instanceof z.ZodArray) || !(changes.element instanceof z.ZodObject)) return input;
  const change = changes.element;
  if (!Array.isArray(input.changes)) return input;
  return { ...input, changes: input.changes.map((each) => mapAliases(change, each)) };
}

/**
 * Turns a single flat edit (`old_string` beside `path`) into a list. Aliases inside the list are mapped too.
 */
function mapEdits(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(schema.shape, 'edits')) return input;
  const { edits, ...rest } = input;
  if (edits === undefined) {
    const flat: Record<string, unknown> = {};
    for (const name of editFields.flatMap((field) => [field, ...(aliases[field] ?? [])])) {
      if (Object.hasOwn(rest, name)) {
        flat[name] = rest[name];
        delete rest[name];
      }
    }
    return Object.keys(flat).length === 0 ? input : { ...rest, edits: [mapEditFields(flat)] };
  }
  const list = isRecord(edits) ? [edits] : edits;
  return { ...rest, edits: Array.isArray(list) ? list.map(mapEditFields) : list };
}

const editFields = ['old_string', 'new_string', 'replace_all'];

function mapEditFields(edit: unknown): unknown {
  if (!isRecord(edit)) return edit;
  const mapped = withoutNulls(edit);
  for (const field of editFields) {
    if (Object.hasOwn(mapped, field)) continue;
    const alias = aliases[field]?.find((name) => Object.hasOwn(mapped, name));
    if (alias === undefined) continue;
    mapped[field] = mapped[alias];
    delete mapped[alias];
  }
  return mapped;
}

function withoutNulls(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** A visible name even for an empty key. */
function named(part: PropertyKey): string {
  return part === '' ? '""' : String(part);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
