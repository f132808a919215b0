import type { Output } from '@pagetree/wiki/contract';
import { lines, listHead, names, quoted, titleBeside } from './lines.ts';

type Hit = Output<'search_pages'>['hits'][number];

/** The best page first: neither its score nor its version helps to choose. */
export function searchText({ hits, note, total, next_cursor }: Output<'search_pages'>): string {
  return lines(
    listHead('pages', hits.length, { total, next_cursor }),
    note ?? null,
    hits.map((hit) => lines(hitHead(hit), hit.lines.filter(({ text }) => text.trim() !== '').map(foundLine))),
  );
}

function hitHead({ path, title, superseded_by }: Hit): string {
  const successor = superseded_by === undefined ? '' : ` superseded by ${quoted(superseded_by)}`;
  return `- ${quoted(path)}${titleBeside(path, title)}${successor}`;
}

function foundLine({ line, text, heading, also = [] }: Hit['lines'][number]): string {
  const section = heading === undefined ? '' : ` in ${quoted(heading)}`;
  const copies = also.length === 0 ? '' : ` (also in ${names(also)})`;
  return `${line}${section}: ${quoted(text)}${copies}`;
}
