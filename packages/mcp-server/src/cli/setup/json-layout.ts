import type { Node } from 'jsonc-parser';

/** The layout of a JSON text, so that additions look like the rest. */
export interface Layout {
  eol: string;
  /** One step of indentation. */
  unit: string;
}

export function layoutOf(text: string, root: Node): Layout {
  const [first] = root.children ?? [];
  const indent = first === undefined ? null : ownIndent(text, first.offset);
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: indent || '  ' };
}

/** The white space before an offset, if there is nothing else on its line; null otherwise. */
export function ownIndent(text: string, offset: number): string | null {
  const line = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(line) ? line : null;
}

/** The white space at the beginning of the line that an offset is on. */
export function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** A value over several lines, with arrays on one; `indent` is that of the line on which it begins. */
export function renderOnLines(value: unknown, indent: string, layout: Layout): string {
  if (Array.isArray(value)) return renderOnLine(value, ' ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const properties = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${renderOnLines(each, inner, layout)}`,
  );
  if (properties.length === 0) return '{}';
  return `{${layout.eol}${properties.join(`,${layout.eol}`)}${layout.eol}${indent}}`;
}

/** A value on one line; `space` follows each colon and comma. */
export function renderOnLine(value: unknown, space: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => renderOnLine(each, space)).join(`,${space}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const properties = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${space}${renderOnLine(each, space)}`,
  );
  return `{${properties.join(`,${space}`)}}`;
}
