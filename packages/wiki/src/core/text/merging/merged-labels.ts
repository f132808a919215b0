import type { Steps } from '../../../scheduling/in-turns.ts';
import { foldCase } from '../fold-case.ts';
import { parseDestination } from '../links/link-target.ts';
import { type BlockId, blockIds } from '../markdown/anchors.ts';
import { InlineScanner } from '../markdown/inline-scanner.ts';
import type { Label } from '../markdown/markdown.ts';
import { blockSteps } from '../markdown/markdown-blocks.ts';
import { normalForm } from '../normal-form.ts';

/** A part of a text, and the text that replaces it. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

export interface DistinctLabels {
  /** Replacements in their order in the text. */
  replacements: Replacement[];
  /** New ids of blocks, by the old ones (see blockKey). */
  blocks: ReadonlyMap<string, string>;
}

/**
 * Edits of a body before it is added to a page. Every label of a reference-style link, a footnote or a block
 * keeps its meaning. As labels are valid in a whole page and the first definition counts, labels of the body
 * get another name, such as `[1-2]`. Brackets of the body that only the page's definitions would turn into a
 * link are escaped.
 */
export function* distinctLabels(page: string, body: string): Steps<DistinctLabels> {
  const there = yield* scanLabels(page);
  const here = yield* scanLabels(body);
  const usedThere = new Set(there.labels.map(({ text }) => labelKey(text)));
  const names = new Set([...usedThere, ...here.labels.map(({ text }) => labelKey(text))]);
  const renamed = new Map<string, string>();
  for (const [key, definition] of here.defined) {
    const other = there.defined.get(key);
    const isSame = other !== undefined && isSameOutside(other, definition);
    if (isSame || !usedThere.has(key)) continue;
    renamed.set(key, unusedName(definition.text.trim(), names, labelKey));
  }
  const caught = labelsToEscape(
    here.labels,
    (label) =>
      !(label.isLink || label.form === 'definition' || isTask(body, label)) &&
      there.defined.has(labelKey(label.text)),
  );
  const replacements = here.labels.flatMap((label) => {
    const name = renamed.get(labelKey(label.text));
    if (name !== undefined && (label.isLink || isDefinition(body, label))) return rename(label, name);
    return caught.has(label) ? escaped(label) : [];
  });
  const ids = new Set([...there.blocks, ...here.blocks].map(({ id }) => blockKey(id)));
  const taken = new Set(there.blocks.map(({ id }) => blockKey(id)));
  const blocks = new Map<string, string>();
  for (const { id, start } of here.blocks) {
    const key = blockKey(id);
    if (!taken.has(key)) continue;
    const name = blocks.get(key) ?? unusedName(id, ids, blockKey);
    blocks.set(key, name);
    replacements.push({ start, end: start + id.length, text: name });
  }
  return { replacements: replacements.sort((a, b) => a.start - b.start), blocks };
}

/** The key of a block's id: ids with different keys name different blocks. */
export function blockKey(id: string): string {
  return foldCase(normalForm(id));
}

interface Labels {
  labels: Label[];
  /** The definition that counts, by key. */
  defined: Map<string, Label>;
  blocks: BlockId[];
}

function* scanLabels(text: string): Steps<Labels> {
  const blocks = yield* blockSteps(text);
  const first = new InlineScanner(text, () => false);
  yield* first.scan(blocks.prose);
  const defined = new Map<string, Label>();
  for (const label of first.labels) {
    const key = labelKey(label.text);
    if (isDefinition(text, label) && !defined.has(key)) defined.set(key, label);
  }
  const second = new InlineScanner(text, (label) => defined.has(labelKey(label)));
  yield* second.scan(blocks.prose);
  return { labels: second.labels, defined, blocks: blockIds(text, blocks) };
}

function isDefinition(text: string, label: Label): boolean {
  return label.form === 'definition' || isFootnote(text, label);
}

/** `[^1]: text` at the start of a line. */
function isFootnote(text: string, { text: label, start, end }: Label): boolean {
  if (!label.startsWith('^') || !text.startsWith(']:', end)) return false;
  return /\n[ \t>]*$/.test(lineBefore(text, start - 1));
}

/** The box of a task, such as `- [x] done`. */
function isTask(text: string, { text: label, start, end }: Label): boolean {
  if (!/^x$/i.test(label) || !/^\]\s/.test(text.slice(end, end + 2))) return false;
  return /\n(?:[ \t>]*(?:[-+*]|\d{1,9}[.)]))+[ \t]+$/.test(lineBefore(text, start - 1));
}

/** The characters before a bracket, up to a bound. A line feed stands before the first line too. */
function lineBefore(text: string, end: number): string {
  return `${end <= MAX_MARKS ? '\n' : ''}${text.slice(Math.max(0, end - MAX_MARKS), end)}`;
}

/**
 * The marks of quotes and lists that may come before a label on its line. Bounds the work on a page of one
 * long line.
 */
const MAX_MARKS = 100;

/**
 * True if both link to the same web address: such links lead to the same place on any page; paths may not.
 */
function isSameOutside(one: Label, other: Label): boolean {
  const [destination] = one.destination?.split(/\s/, 1) ?? [];
  return (
    one.destination === other.destination &&
    destination !== undefined &&
    parseDestination(destination) === null
  );
}

/**
 * The labels that are caught, and those whose brackets end where such a one begins: once it is escaped, they would become
 * links by themselves.
 */
function labelsToEscape(labels: readonly Label[], isCaught: (label: Label) => boolean): Set<Label> {
  const byEnd = new Map(
    labels.flatMap((label) => (isFootnoteUse(label) ? [] : [[label.shown.end, label] as const])),
  );
  const found = new Set<Label>();
  for (const label of labels.filter(isCaught)) {
    let each: Label | undefined = label;
    while (each && !each.isLink && !found.has(each)) {
      found.add(each);
      each = isFootnoteUse(each) ? undefined : byEnd.get(each.shown.start - 2);
    }
  }
  return found;
}

function isFootnoteUse({ text, form }: Label): boolean {
  return text.startsWith('^') && form === 'shortcut';
}

/**
 * Returns the backslashes that make text of a label. A footnote gets its backslash before `^`: its brackets may also be
 * those of a link. A label within other brackets gets a second one before its `]`, which would end the outer brackets.
 */
function escaped(label: Label): Replacement[] {
  const { start, end, isWithinBrackets } = label.shown;
  const places = isFootnoteUse(label) ? [start] : isWithinBrackets ? [start - 1, end] : [start - 1];
  return places.map((at) => ({ start: at, end: at, text: '\\' }));
}

/** Renames a label and keeps the text that a reader sees. */
function rename({ text, form, start, end }: Label, name: string): Replacement[] {
  if (form === 'full' || form === 'definition' || text.startsWith('^')) return [{ start, end, text: name }];
  if (form === 'collapsed') return [{ start: end + 2, end: end + 2, text: name }];
  return [{ start: end + 1, end: end + 1, text: `[${name}]` }];
}

function unusedName(name: string, taken: Set<string>, keyOfName: (name: string) => string): string {
  for (let number = 2; ; number += 1) {
    const other = `${name}-${number}`;
    if (taken.has(keyOfName(other))) continue;
    taken.add(keyOfName(other));
    return other;
  }
}

/** Labels of one key are one label. */
export function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
