import { fromMarkdown } from 'mdast-util-from-markdown';
import { shownBy } from './link-places.ts';
import { slowLinksOf } from './slow-links.ts';

/** The heading or block that an anchor names, counted from 0 in its page. */
export interface Place {
  kind: 'heading' | 'block';
  index: number;
}

export interface SlowHeading {
  level: number;
  /** As it is shown: links by their text. */
  text: string;
}

/** A second finder of anchors, written from the rule in docs/links.md alone. Null if the anchor names nothing. */
export function findSlowly(text: string, anchor: string, kind: 'wiki' | 'markdown'): Place | null {
  const wanted = kind === 'markdown' ? decodeURIComponent(anchor) : anchor;
  const parts = wanted.split('#').filter((part) => part.trim() !== '');
  const last = parts.at(-1) ?? '';
  if (last.startsWith('^')) {
    const id = last.slice(1).toLowerCase();
    return placeOf(
      'block',
      blocksOf(text).findIndex((other) => other.toLowerCase() === id),
    );
  }
  const headings = headingsOf(text);
  const isBelowOthers = (index: number) =>
    parts.length > 1 &&
    plain(headings[index]?.text ?? '') === plain(last) &&
    isBelow(headings, index, parts.slice(0, -1));
  const named = headings.findIndex(
    ({ text: name }, index) => plain(name) === plain(wanted) || isBelowOthers(index),
  );
  if (named !== -1) return placeOf('heading', named);
  return kind === 'markdown' ? placeOf('heading', slugsOf(headings).indexOf(wanted)) : null;
}

export function headingsOf(text: string): SlowHeading[] {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
  return fromMarkdown(body).children.flatMap((node) =>
    node.type === 'heading'
      ? [
          {
            level: node.depth,
            text: shownText(
              body.slice(node.position?.start.offset, node.position?.end.offset).replace(/^#+ /, ''),
            ),
          },
        ]
      : [],
  );
}

/** The headings as they are written, each with what stands below it. */
export function sectionsOf(text: string): { level: number; text: string; body: string }[] {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
  const headings = fromMarkdown(body).children.filter((node) => node.type === 'heading');
  return headings.map((heading, index) => {
    const [start, end] = [heading.position?.start.offset ?? 0, heading.position?.end.offset ?? 0];
    const next = headings[index + 1]?.position?.start.offset;
    return { level: heading.depth, text: body.slice(start, end), body: body.slice(end, next).trim() };
  });
}

function shownText(written: string): string {
  if (!written.includes('](') && !written.includes('[[')) return written;
  return slowLinksOf(written).reduceRight((text, link) => {
    const shown = link.kind === 'wiki' ? shownBy(link) : link.written.replace(/^!?\[|\]\(.*$/g, '');
    return text.slice(0, link.start) + shown + text.slice(link.end);
  }, written);
}

/** The ids of blocks, which the vaults write at the end of lines alone. */
export function blocksOf(text: string): string[] {
  return [...text.matchAll(/ \^([A-Za-z0-9-]+)$/gm)].map(([, id = '']) => id);
}

/** The headings around one, the nearest first. */
export function above(headings: readonly SlowHeading[], index: number): SlowHeading[] {
  const found: SlowHeading[] = [];
  let level = headings[index]?.level ?? 0;
  for (const heading of headings.slice(0, index).toReversed()) {
    if (heading.level >= level) continue;
    found.push(heading);
    level = heading.level;
  }
  return found;
}

function isBelow(headings: readonly SlowHeading[], index: number, parts: readonly string[]): boolean {
  const left = [...parts];
  for (const { text } of above(headings, index)) if (plain(text) === plain(left.at(-1) ?? '')) left.pop();
  return left.length === 0;
}

function slugsOf(headings: readonly SlowHeading[]): string[] {
  const seen: string[] = [];
  return headings.map(({ text }) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\- ]/gu, '')
      .trim()
      .replace(/[ -]+/g, '-');
    const count = seen.filter((other) => other === slug).length;
    seen.push(slug);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function plain(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

function placeOf(kind: Place['kind'], index: number): Place | null {
  return index === -1 ? null : { kind, index };
}
