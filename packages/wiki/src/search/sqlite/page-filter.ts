import type { PageFilter } from '../../core/index-port.ts';
import { writerCondition } from '../history/history-in-sqlite.ts';
import { propertiesOf, wantedProperty } from '../properties.ts';
import { fold } from '../words/terms.ts';
import { liesInFolders } from './folders-condition.ts';
import type { IndexDatabase } from './index-database.ts';

/** A tag in any case also matches the tags below it: `guide` finds `Guide/Setup`. */
export function tagMatches(tag: string, wanted: string): boolean {
  const folded = fold(tag);
  const name = wantedTag(wanted);
  return folded === name || folded.startsWith(`${name}/`);
}

function wantedTag(wanted: string): string {
  return fold(wanted.replace(/^#/, ''));
}

/** True if the frontmatter has the property that `status: draft` or `status` asks for. */
export function propertyMatches(frontmatter: Record<string, unknown>, wanted: string): boolean {
  const { name, value } = wantedProperty(wanted);
  return propertiesOf(frontmatter).some((each) => each.name === name && (value ?? each.value) === each.value);
}

const NOT_HIDDEN = 'NOT pages.hidden';

/** The condition of a list that asks for nothing. */
export const EVERY_PAGE = '1';
/** The same without the pages that are shown only if asked for. */
export const EVERY_PAGE_IN_SIGHT = `${EVERY_PAGE} AND ${NOT_HIDDEN}`;

/** A condition on `pages` and `paths` in SQL, and its values. */
export function filterCondition(
  database: IndexDatabase,
  { prefix, folders, tag, updatedSince, updatedUntil, author, agent, property, withoutHidden }: PageFilter,
): {
  condition: string;
  values: (string | number | null)[];
} {
  const parts = [EVERY_PAGE];
  const values: (string | number | null)[] = [];
  if (prefix !== '') {
    // U+10FFFF is not a character, and sorts after every one.
    parts.push('paths.path >= ? AND paths.path < ? || char(0x10ffff)');
    values.push(prefix, prefix);
  }
  if (folders !== undefined) {
    parts.push(liesInFolders('paths.path'));
    values.push(JSON.stringify(folders));
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
  if (updatedUntil !== undefined) {
    parts.push('pages.updated <= ?');
    values.push(updatedUntil.getTime());
  }
  if (author !== undefined || agent !== undefined) {
    const writer = writerCondition(database, { author, agent });
    parts.push(`EXISTS (SELECT 1 FROM commits WHERE number = pages.changed_in${writer.condition})`);
    values.push(...writer.values);
  }
  if (property !== undefined) {
    const { name, value } = wantedProperty(property);
    parts.push('pages.id IN (SELECT page FROM properties WHERE name = ? AND value = coalesce(?, value))');
    values.push(name, value);
  }
  if (withoutHidden) parts.push(NOT_HIDDEN);
  return { condition: parts.join(' AND '), values };
}
