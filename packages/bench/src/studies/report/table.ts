export type Cell = string | number | null;

/** A table of Markdown; null is an empty cell, and a number has three digits that count. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map(() => '---')),
    ...rows.map((row) => line(row.map((cell) => (typeof cell === 'number' ? told(cell) : (cell ?? ''))))),
  ].join('\n');
}

/** Three digits that count, and never fewer than all before the point. */
export function told(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
