import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import type { Entry } from './clients.ts';
import {
  type EditSettings,
  type EntryPlace,
  isAsMeant,
  isEqual,
  isRecord,
  mergeEntry,
  type Refusal,
} from './edit.ts';

/** Edits TOML: only the lines of our own table. */
export const editToml: EditSettings = (given, at, entry) => {
  const bom = given.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = given.slice(bom.length);
  const document = read(text);
  if ('refused' in document) return document;
  const servers = document.value[at.container];
  const present: unknown = isRecord(servers) ? servers[at.name] : undefined;
  if (entry === null && present === undefined) return { text: given };
  const merged = entry === null ? null : mergeEntry(present, entry);
  if (isEqual(present, merged)) return { text: given };
  const edited = edit(text, document, at, present, merged);
  const after = read(edited);
  if ('refused' in after || !isAsMeant(document.value, after.value, at, merged)) {
    return { refused: `Its "${at.container}" is written in a way that this command cannot edit.` };
  }
  return { text: bom + edited };
};

interface Document {
  value: Record<string, unknown>;
  parts: Part[];
}

/** A table, or a key with its value, with the path that it defines. */
type Part = { path: string[]; node: AST.TOMLTable } | { path: string[]; node: AST.TOMLKeyValue };

function read(text: string): Document | Refusal {
  try {
    const tree = parseTOML(text, { tomlVersion: '1.0' });
    const parts = tree.body[0].body.flatMap((node): Part[] => {
      if (node.type === 'TOMLKeyValue') return [{ path: keysOf(node), node }];
      const path = node.resolvedKey.map(String);
      return [{ path, node }, ...node.body.map((each) => ({ path: [...path, ...keysOf(each)], node: each }))];
    });
    return { value: getStaticTOMLValue(tree) as Record<string, unknown>, parts };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { lineNumber, column, message } = error;
    return {
      refused: `It is no valid TOML: ${message.toLowerCase()} at line ${lineNumber}, column ${column + 1}.`,
    };
  }
}

function keysOf({ key }: AST.TOMLKeyValue): string[] {
  return key.keys.map((each) => (each.type === 'TOMLBare' ? each.name : each.value));
}

function edit(
  text: string,
  document: Document,
  at: EntryPlace,
  present: unknown,
  merged: Entry | null,
): string {
  const place = [at.container, at.name];
  if (merged === null) return withoutParts(text, document, place);
  if (present === undefined) return withTable(text, place, merged);
  const own = document.parts.find(({ path }) => isEqual(path, place));
  if (own?.node.type === 'TOMLKeyValue') return withValue(text, own.node, merged);
  // Another kind of server, of which nothing stays.
  if (isRecord(present) && Object.keys(present).some((key) => !Object.hasOwn(merged, key))) {
    return withTable(withoutParts(text, document, place), place, merged);
  }
  return withKeys(text, place, merged, present);
}

/** Sets keys one after the other: what is there moves with every edit. */
function withKeys(given: string, place: string[], wanted: Record<string, unknown>, present: unknown): string {
  let text = given;
  for (const [key, value] of Object.entries(wanted)) {
    const old = isRecord(present) ? present[key] : undefined;
    if (isEqual(old, value)) continue;
    const document = read(text);
    if ('refused' in document) return text;
    const path = [...place, key];
    const found = document.parts.find((part) => isEqual(part.path, path));
    const table = document.parts.find((part) => isEqual(part.path, place) && part.node.type === 'TOMLTable');
    if (found?.node.type === 'TOMLKeyValue') text = withValue(text, found.node, value);
    else if (isRecord(value) && isRecord(old)) text = withKeys(text, path, value, old);
    else if (table?.node.type === 'TOMLTable')
      text = withLine(text, table.node, `${quoted(key)} = ${render(value)}`);
  }
  return text;
}

function withValue(text: string, { value }: AST.TOMLKeyValue, wanted: unknown): string {
  return text.slice(0, value.range[0]) + render(wanted) + text.slice(value.range[1]);
}

/** Adds a line to a table, after the last of its keys. */
function withLine(text: string, table: AST.TOMLTable, line: string): string {
  const end = lineEnd(text, table.body.at(-1)?.range[1] ?? table.key.range[1]);
  return `${text.slice(0, end)}${eolOf(text)}${line}${text.slice(end)}`;
}

/** Adds a table at the end, after an empty line. */
function withTable(text: string, place: string[], entry: Entry): string {
  const eol = eolOf(text);
  const lines = Object.entries(entry).map(([key, value]) => `${quoted(key)} = ${render(value)}`);
  const table = [`[${place.map(quoted).join('.')}]`, ...lines, ''].join(eol);
  const endsLine = text === '' || text.endsWith('\n');
  const hasEmptyLine = text === '' || /\n[ \t]*\r?\n$/.test(text);
  return `${text}${endsLine ? '' : eol}${hasEmptyLine ? '' : eol}${table}`;
}

/** Takes out whatever lies at a path, with the empty line before each table. */
function withoutParts(text: string, { parts }: Document, place: string[]): string {
  const own = parts.filter(({ path }) => place.every((key, index) => path[index] === key));
  let left = text;
  // From the end, so that positions before stay right; a table's keys lie within it.
  for (const { node } of own.toSorted((one, other) => other.node.range[0] - one.node.range[0])) {
    if (node.type === 'TOMLKeyValue' && own.some((part) => part.node === node.parent)) continue;
    const start = text.lastIndexOf('\n', node.range[0] - 1) + 1;
    const [emptyLine = ''] = /(?:^|(?<=\n))[ \t]*\r?\n$/.exec(text.slice(0, start)) ?? [];
    const from = node.type === 'TOMLTable' ? start - emptyLine.length : start;
    const [eol = ''] = /^\r?\n/.exec(left.slice(lineEnd(left, node.range[1]))) ?? [];
    left = left.slice(0, from) + left.slice(lineEnd(left, node.range[1]) + eol.length);
  }
  return left;
}

function lineEnd(text: string, from: number): number {
  const end = /\r?\n|$/.exec(text.slice(from));
  return from + (end?.index ?? 0);
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Strings, switches, whole numbers, and arrays and tables of them: an entry has nothing else that is written anew. */
function render(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(render).join(', ')}]`;
  if (isRecord(value)) {
    const pairs = Object.entries(value).map(([key, each]) => `${quoted(key)} = ${render(each)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  // TOML's escapes are those of JSON, and it has one character more to escape.
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F');
}

function quoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
