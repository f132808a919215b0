import { table as tableOfTexts } from '../../markdown-table.ts';

export type Cell = string | number | null;

/** A table of Markdown; null is an empty cell, and a number has three digits that count. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const text = (cell: Cell) => (typeof cell === 'number' ? formatNumber(cell) : (cell ?? ''));
  return tableOfTexts(
    header,
    rows.map((row) => row.map(text)),
  );
}

/** Three digits that count, and never fewer than all before the point. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
