import { fold } from './words.ts';

/** Which pages a list or a search may name. */
export interface PageFilter {
  prefix: string;
  tag?: string | undefined;
  updatedSince?: Date | undefined;
}

/** A tag in any case also means the tags below it: `guide` finds `Guide/Setup`. */
export function tagMatches(tag: string, wanted: string): boolean {
  const folded = fold(tag);
  const name = wantedTag(wanted);
  return folded === name || folded.startsWith(`${name}/`);
}

function wantedTag(wanted: string): string {
  return fold(wanted.replace(/^#/, ''));
}

/** A condition on `pages` and `paths` in SQL, and its values. */
export function filterCondition({ prefix, tag, updatedSince }: PageFilter): {
  condition: string;
  values: (string | number)[];
} {
  const parts = ['1'];
  const values: (string | number)[] = [];
  if (prefix !== '') {
    // U+10FFFF is no character, and after every one.
    parts.push('paths.path >= ? AND paths.path < ? || char(0x10ffff)');
    values.push(prefix, prefix);
  }
  if (tag !== undefined) {
    const name = wantedTag(tag);
    parts.push("pages.id IN (SELECT page FROM tags WHERE tag = ? OR (tag >= ? || '/' AND tag < ? || '0'))");
    values.push(name, name, name);
  }
  if (updatedSince !== undefined) {
    parts.push('pages.updated >= ?');
    values.push(updatedSince.getTime());
  }
  return { condition: parts.join(' AND '), values };
}
