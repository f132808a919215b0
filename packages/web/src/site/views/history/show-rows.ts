import { limits } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import type { Html } from '../../layout.ts';
import { type DiffRow, diffRows, type Piece } from './diff-rows.ts';

export interface ShownRows {
  rows: readonly DiffRow[];
  added: number;
  removed: number;
  truncated: boolean;
}

/** The changed lines, side by side where there is room. */
export function showRows({ rows, added, removed, truncated }: ShownRows): Html {
  return html`<p>${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed.</p>
${rows.length === 0 ? html`<p>The text is the same.</p>` : html`<div class="diff">${rows.map(showRow)}</div>`}
${truncated ? html`<p class="notice">The change is longer than what is shown here.</p>` : ''}`;
}

/** A unified diff of which the wiki answers at most so many characters. */
export function showDiff(diff: string): Html {
  const rows = diffRows(diff);
  const count = (side: 'old' | 'new') =>
    rows.filter(
      (row) =>
        row !== 'gap' &&
        row[side] !== null &&
        (row.changed === true || row[side === 'old' ? 'new' : 'old'] === null),
    ).length;
  const truncated = diff.length > limits.diffCharacters - LONGEST_HEADER;
  return showRows({ rows, added: count('new'), removed: count('old'), truncated });
}

const LONGEST_HEADER = 100;

function showRow(row: DiffRow): Html {
  if (row === 'gap') return html`<hr class="gap">`;
  const same = row.old !== null && row.new !== null && !row.changed;
  if (same) {
    return html`<div class="row same">${side('old', row.old, 'span')}${side('new', row.new, 'span')}</div>
`;
  }
  return html`<div class="row">${side('old', row.old, 'del')}${side('new', row.new, 'ins')}</div>
`;
}

function side(
  name: string,
  line: { number: number; pieces: readonly Piece[] } | null,
  as: 'span' | 'del' | 'ins',
): Html {
  if (line === null) return html`<div class="side ${name} none"></div>`;
  const text = line.pieces.map(({ text, changed }) => (changed ? html`<b>${text}</b>` : text));
  const said =
    as === 'del'
      ? html`<del>${text}</del>`
      : as === 'ins'
        ? html`<ins>${text}</ins>`
        : html`<span>${text}</span>`;
  return html`<div class="side ${name} ${as}"><span class="number">${line.number}</span>${said}</div>`;
}
