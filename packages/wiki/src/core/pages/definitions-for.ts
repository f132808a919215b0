import type { MarkdownBlocks } from '../text/markdown/markdown-blocks.ts';

/**
 * The definitions of links and footnotes that a part of a page names and that stand elsewhere on the page, as
 * Markdown. A note may name others.
 */
export function definitionsFor(
  text: string,
  blocks: MarkdownBlocks,
  part: { start: number; end: number },
): string {
  const elsewhere = definitionsIn(text, blocks, part);
  const named = new Map<string, string>();
  const parts = [text.slice(part.start, part.end)];
  for (const each of parts) {
    for (const [, written = ''] of each.matchAll(LABEL)) {
      const label = normalized(written);
      const definition = elsewhere.get(label) ?? '';
      if (definition === '' || named.has(label)) continue;
      named.set(label, definition);
      if (label.startsWith('^')) parts.push(definition.slice(definition.indexOf(']:')));
    }
  }
  return Array.from(named.values(), (definition) => `\n\n${definition}\n`).join('');
}

/** By label; empty if it stands in the part. */
function definitionsIn(
  text: string,
  { raws }: MarkdownBlocks,
  part: { start: number; end: number },
): Map<string, string> {
  const found = new Map<string, string>();
  let next = 0;
  for (const { 0: written, 1: note, 2: link = '', index } of text.matchAll(DEFINITION)) {
    while ((raws[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    const isCode = (raws[next]?.start ?? Number.POSITIVE_INFINITY) <= index;
    const isInside = part.start <= index && index < part.end;
    const label = normalized(note ?? link);
    // The first definition of a label counts.
    if (!isCode && !found.has(label)) found.set(label, isInside ? '' : written.trimEnd());
  }
  return found;
}

/** A note goes on to a blank line, and beyond it while lines are indented; a link to the end of its title. */
const DEFINITION =
  /^ {0,3}\[(\^[^[\]\\\s]{1,200})\]:[^\n]*(?:\n(?![ \t]*\r?$| {0,3}(?:\[[^[\]\n]{1,200}\]:|#|```|~~~))[^\n]+|(?:\n[ \t]*\r?)+\n(?: {4}|\t)[^\n]*)*|^ {0,3}\[([^[\]\\^]{1,200})\]:(?:[ \t]*\r?\n)?[^\n]*(?:\n[ \t]+["'(][^\n]*)?/gm;
const LABEL = /\[([^[\]\\]{1,200})\]/g;

function normalized(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}
