import { createScanner, type Node, type SyntaxKind } from 'jsonc-parser';
import { type Layout, layoutOf, lineIndent, ownIndent, renderOnLine, renderOnLines } from './json-layout.ts';

/*
 * jsonc-parser's own `modify` formats the whole lines that it touches, which in a file of one line is
 * everything. These edits use its positions and change only a property and the comma between it and the next.
 */

// The enumeration itself is gone once its package is compiled.
const COMMA: SyntaxKind.CommaToken = 5;
const LINE_COMMENT: SyntaxKind.LineCommentTrivia = 12;
const LINE_BREAK: SyntaxKind.LineBreakTrivia = 14;
const WHITE_SPACE: SyntaxKind.Trivia = 15;
const END: SyntaxKind.EOF = 17;

/** True if a text is empty or has only comments. */
export function hasNoValue(text: string): boolean {
  return createScanner(text, true).scan() === END;
}

/** The properties of an object, as they stand. */
export function propertiesOf(node: Node | null): { key: string; value: Node; node: Node }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key === undefined || value === undefined
      ? []
      : [{ key: String(key.value), value, node: property }];
  });
}

export function valueAt(root: Node, path: readonly string[]): Node | null {
  let node: Node | null = root;
  for (const key of path) node = propertiesOf(node).find((each) => each.key === key)?.value ?? null;
  return node;
}

export function replaceValue(text: string, root: Node, node: Node, value: unknown): string {
  const layout = layoutOf(text, root);
  const rendered = hasLines(text, node.parent ?? root)
    ? renderOnLines(value, lineIndent(text, node.offset), layout)
    : renderOnLine(value, spaceIn(text, root));
  return spliced(text, node.offset, end(node), rendered);
}

/** Adds a property after the last one of the object at a path. */
export function insertProperty(
  text: string,
  root: Node,
  path: readonly string[],
  key: string,
  value: unknown,
): string {
  const object = valueAt(root, path);
  if (object === null) return text;
  const layout = layoutOf(text, root);
  const last = propertiesOf(object).at(-1)?.node ?? null;
  const { at, hasComma } = endOfContent(text, object, last);
  const insertion = goesOnLines(text, root, object)
    ? onLines(text, object, layout, { at, isFirst: last === null }, key, value)
    : onLine(text, root, { at, isFirst: at === object.offset + 1 }, key, value);
  const comma = hasComma ? ',' : '';
  const added = spliced(text, at, insertion.until, `${insertion.before}${comma}${insertion.after}`);
  return last === null || hasComma ? added : spliced(added, end(last), end(last), ',');
}

/** Takes a property out, with the comma that is then one too many. Comments beside it stay. */
export function removeProperty(text: string, root: Node, path: readonly string[]): string {
  const object = valueAt(root, path.slice(0, -1));
  const properties = propertiesOf(object);
  const index = properties.findIndex(({ key }) => key === path.at(-1));
  const property = properties[index]?.node;
  if (object === null || property === undefined) return text;
  const previous = properties[index - 1]?.node;
  const comma = commaAfter(text, end(property), end(object));
  const spaceBefore = /[ \t\r\n]*$/.exec(text.slice(object.offset + 1, property.offset))?.[0].length ?? 0;
  const from = property.offset - spaceBefore;
  let until = end(property);
  let removed = text;
  if (comma !== null && text.slice(until, comma).trim() === '') until = comma + 1;
  else if (comma !== null) removed = spliced(removed, comma, comma + 1, '');
  // A comment up to the end of the line would swallow the following text, and a following comment keeps its
  // line.
  const contentBefore = previous === undefined ? object.offset + 1 : end(previous);
  const isAfterComment = tokens(text, contentBefore, property.offset).at(-1)?.kind === LINE_COMMENT;
  const rest = text.slice(until);
  const needsSpace = (isAfterComment && !/^[ \t]*[\r\n]/.test(rest)) || /^[ \t]*\/[/*]/.test(rest);
  removed = spliced(removed, needsSpace ? property.offset : from, until, '');
  const before = previous === undefined ? null : commaAfter(text, end(previous), property.offset);
  if (comma === null && before !== null) return spliced(removed, before, before + 1, '');
  const isOnly = properties.length === 1 && text.slice(object.offset + 1, from).trim() === '';
  const left = end(object) - (text.length - removed.length);
  const isEmpty = isOnly && removed.slice(object.offset + 1, left - 1).trim() === '';
  return isEmpty ? spliced(removed, object.offset, left, '{}') : removed;
}

interface Position {
  at: number;
  isFirst: boolean;
}

/**
 * The text before and after the comma that may follow the property. It replaces the white space up to
 * `until`.
 */
interface Insertion {
  before: string;
  after: string;
  until: number;
}

function onLines(
  text: string,
  object: Node,
  layout: Layout,
  { at, isFirst }: Position,
  key: string,
  value: unknown,
): Insertion {
  const closing = lineIndent(text, object.offset);
  const [sibling] = propertiesOf(object);
  const siblingIndent = sibling === undefined ? null : ownIndent(text, sibling.node.offset);
  const indent = siblingIndent ?? closing + layout.unit;
  const before = `${layout.eol}${indent}${JSON.stringify(key)}: ${renderOnLines(value, indent, layout)}`;
  const brace = end(object) - 1;
  const needsLine = isFirst && !/[\r\n]/.test(text.slice(at, brace));
  return needsLine
    ? { before, after: `${layout.eol}${closing}`, until: brace }
    : { before, after: '', until: at };
}

function onLine(text: string, root: Node, { at, isFirst }: Position, key: string, value: unknown): Insertion {
  const space = spaceIn(text, root);
  const before = `${isFirst ? '' : space}${renderOnLine({ [key]: value }, space).slice(1, -1)}`;
  return { before, after: '', until: at };
}

/** An empty object has no lines yet: the one around it shows the style of the file. */
function goesOnLines(text: string, root: Node, object: Node): boolean {
  if (hasLines(text, object)) return true;
  if (propertiesOf(object).length > 0) return false;
  const around = object.parent?.parent;
  return around === undefined ? object === root : hasLines(text, around);
}

function hasLines(text: string, node: Node): boolean {
  const object = node.type === 'property' ? (node.parent ?? node) : node;
  return /[\r\n]/.test(text.slice(object.offset, end(object)));
}

/** The space after the first colon, for a file of one line. */
function spaceIn(text: string, root: Node): string {
  const [first] = propertiesOf(root);
  if (first === undefined) return ' ';
  const [key] = first.node.children ?? [];
  return key !== undefined && /\s/.test(text.slice(end(key), first.value.offset)) ? ' ' : '';
}

/** The end of an object's last property, or of the comma or comment after it. */
function endOfContent(text: string, object: Node, last: Node | null): { at: number; hasComma: boolean } {
  const content = { at: last === null ? object.offset + 1 : end(last), hasComma: false };
  for (const token of tokens(text, content.at, end(object) - 1)) {
    if (token.kind === COMMA) content.hasComma = true;
    content.at = token.end;
  }
  return content;
}

function commaAfter(text: string, from: number, until: number): number | null {
  const comma = tokens(text, from, until).find(({ kind }) => kind === COMMA);
  return comma?.offset ?? null;
}

/** Tokens and comments of a part of the text, without white space. */
function tokens(text: string, from: number, until: number) {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const found: { kind: SyntaxKind; offset: number; end: number }[] = [];
  for (;;) {
    const kind = scanner.scan();
    const offset = scanner.getTokenOffset();
    if (kind === END || offset >= until) return found;
    if (kind !== WHITE_SPACE && kind !== LINE_BREAK)
      found.push({ kind, offset, end: offset + scanner.getTokenLength() });
  }
}

function end(node: Node): number {
  return node.offset + node.length;
}

function spliced(text: string, from: number, until: number, content: string): string {
  return text.slice(0, from) + content + text.slice(until);
}
