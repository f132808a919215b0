import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type EditSettings, isAsMeant, isEqual, isRecord, mergeEntry, type Refusal } from './edit.ts';
import {
  hasNoValue,
  insertProperty,
  propertiesOf,
  removeProperty,
  replaceValue,
  valueAt,
} from './json-properties.ts';

/** Edits JSON with or without comments and trailing commas. */
export const editJson: EditSettings = (given, at, entry) => {
  const bom = given.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = given.slice(bom.length);
  const whole = hasNoValue(text) ? withEmptyObject(text) : text;
  const root = readObject(whole);
  if ('refused' in root) return root;
  const before = getNodeValue(root);
  const present: unknown = isRecord(before[at.container]) ? before[at.container][at.name] : undefined;
  if (entry === null && present === undefined) return { text: given };
  const merged = entry === null ? null : mergeEntry(present, entry);
  const twice = [root, valueAt(root, [at.container])].flatMap((node) => repeatedKey(node) ?? []);
  if (twice.length > 0) return { refused: `It has the key "${twice[0]}" twice.` };
  if (before[at.container] !== undefined && !isRecord(before[at.container])) {
    return { refused: `Its "${at.container}" is no object.` };
  }
  const edited =
    merged === null
      ? removeProperty(whole, root, [at.container, at.name])
      : setValue(whole, [], { [at.container]: { [at.name]: merged } });
  const after = readObject(edited);
  if ('refused' in after || !isAsMeant(before, getNodeValue(after), at, merged)) {
    return { refused: 'It is written in a way that this command cannot edit.' };
  }
  return isEqual(present, merged) ? { text: given } : { text: bom + edited };
};

/**
 * Gives an object the properties of a value, including those that it has already and those of nested objects.
 */
function setValue(given: string, path: readonly string[], value: Record<string, unknown>): string {
  let text = given;
  for (const [key, wanted] of Object.entries(value)) {
    // Existing properties move with every edit.
    const root = readObject(text);
    if ('refused' in root) return text;
    const place = [...path, key];
    const node = valueAt(root, place);
    if (node === null) text = insertProperty(text, root, path, key, wanted);
    else if (isEqual(getNodeValue(node), wanted)) continue;
    // `wanted` names only our own server: its siblings in the file stay.
    else if (isRecord(wanted) && (path.length === 0 || isPart(node, wanted))) {
      text = setValue(text, place, wanted);
    } else text = replaceValue(text, root, node, wanted);
  }
  return text;
}

/**
 * True if a node is an object whose properties all occur in the value, so that additions turn it into that
 * value.
 */
function isPart(node: Node, value: Record<string, unknown>): boolean {
  return node.type === 'object' && propertiesOf(node).every(({ key }) => Object.hasOwn(value, key));
}

function repeatedKey(node: Node | null): string | null {
  const keys = node === null ? [] : propertiesOf(node).map(({ key }) => key);
  return keys.find((key, index) => keys.indexOf(key) < index) ?? null;
}

function readObject(text: string): Node | Refusal {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) return { refused: describeError(text, error) };
  return root.type === 'object' ? root : { refused: 'It holds no JSON object.' };
}

function describeError(text: string, error: ParseError | undefined): string {
  if (error === undefined) return 'It holds no JSON.';
  const lines = text.slice(0, error.offset).split(/\r\n|\n|\r/);
  const what = printParseErrorCode(error.error)
    .replaceAll(/(?<=.)([A-Z])/g, ' $1')
    .toLowerCase();
  return `It is no valid JSON: ${what} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}.`;
}

function withEmptyObject(text: string): string {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  if (text.trim() === '') return `{}${eol}`;
  return `${text}${/[\r\n]$/.test(text) ? '' : eol}{}${eol}`;
}
