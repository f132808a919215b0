import { liesIn } from '../../contract/scope.ts';
import type {
  ListQuery,
  PageFilter,
  PageRow,
  SketchedPage,
  TagCount,
  TagsQuery,
  Window,
} from '../../core/index-port.ts';
import type { LinkNames } from '../../core/text/links/link-resolver.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import type { SearchedPage } from '../words/show-lines.ts';
import { liesInFolders } from './folders-condition.ts';
import type { IndexDatabase } from './index-database.ts';
import { oidOf } from './oid-bytes.ts';
import { EVERY_PAGE, EVERY_PAGE_IN_SIGHT, filterCondition } from './page-filter.ts';

export function countPages(database: IndexDatabase): number {
  return Number(database.value('SELECT count(*) FROM pages'));
}

export function queryPaths(database: IndexDatabase): string[] {
  return database
    .all('SELECT path FROM pages JOIN paths USING (id) ORDER BY path')
    .map(({ path }) => String(path));
}

export function queryList(database: IndexDatabase, query: ListQuery): Window<PageRow> {
  const { condition, values } = filterCondition(database, query);
  const from = `FROM pages JOIN paths USING (id) WHERE ${condition}`;
  const rows = database.all(
    `SELECT path, title, blob, size, updated, superseded_by ${from} ORDER BY ${orders[query.sort]} LIMIT ? OFFSET ?`,
    ...values,
    query.limit,
    query.offset,
  );
  return {
    rows: rows.map(({ path, title, blob, size, updated, superseded_by }) => ({
      path: String(path),
      title: String(title),
      version: oidOf(blob),
      size: Number(size),
      updated: new Date(Number(updated)),
      supersededBy: superseded_by === null ? null : String(superseded_by),
    })),
    total: totalOf(database, condition) ?? Number(database.value(`SELECT count(*) ${from}`, ...values)),
  };
}

/** The total of the two lists that are asked for most, out of indexes: to go through all pages takes as long as the list. */
function totalOf(database: IndexDatabase, condition: string): number | null {
  if (condition === EVERY_PAGE) return countPages(database);
  if (condition !== EVERY_PAGE_IN_SIGHT) return null;
  return countPages(database) - Number(database.value('SELECT count(*) FROM pages WHERE hidden'));
}

const orders = {
  path: 'path',
  updated: 'updated DESC, path',
  title: 'title_terms, path',
} as const;

/** Counts the tags of all pages in sight, some thousands at a time, and returns those of the window. */
export function* tagSteps(
  database: IndexDatabase,
  { folders = [''], offset, limit }: TagsQuery,
): Steps<Window<TagCount>> {
  const rows: TagCount[] = [];
  let total = 0;
  for (let after = ''; ; ) {
    const found = database.arrays(
      `SELECT tag, count(*) FROM tags JOIN paths ON paths.id = tags.page
       WHERE tag > ? AND ${liesInFolders('paths.path')} AND tags.page NOT IN (SELECT id FROM pages WHERE hidden)
       GROUP BY tag ORDER BY tag LIMIT ?`,
      after,
      JSON.stringify(folders),
      TAGS_AT_ONCE,
    );
    for (const [tag, pages] of found) {
      if (total >= offset && rows.length < limit) rows.push({ tag: String(tag), pages: Number(pages) });
      total += 1;
    }
    if (found.length < TAGS_AT_ONCE) return { rows, total };
    after = String(found.at(-1)?.[0]);
    yield;
  }
}

/** Takes some milliseconds. */
const TAGS_AT_ONCE = 2_000;

/** The sketches of the pages that have one, some thousands at a time. */
export function* sketchesSteps(
  database: IndexDatabase,
  folders: readonly string[] = [''],
): Steps<SketchedPage[]> {
  const pages: SketchedPage[] = [];
  for (let after = ''; ; ) {
    const found = database.arrays(
      `SELECT path, hashes FROM paths JOIN sketches ON sketches.page = paths.id
       WHERE path > ? AND ${liesInFolders('paths.path')} ORDER BY path LIMIT ?`,
      after,
      JSON.stringify(folders),
      SKETCHES_AT_ONCE,
    );
    for (const [path, hashes] of found) pages.push({ path: String(path), sketch: sketchOf(hashes) });
    if (found.length < SKETCHES_AT_ONCE) return pages;
    after = String(found.at(-1)?.[0]);
    yield;
  }
}

/** Takes some milliseconds. */
const SKETCHES_AT_ONCE = 2_000;

/** A copy of the bytes begins where an array of 32-bit numbers may begin. */
function sketchOf(bytes: unknown): Uint32Array {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('A sketch was expected.');
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

/** The tree paths of all files that are not pages. */
export function queryFiles(database: IndexDatabase): string[] {
  return database
    .all('SELECT tree_path FROM files ORDER BY tree_path')
    .map(({ tree_path }) => String(tree_path));
}

/** Sorted by path: the first of several names that do equally well is suggested, however the index came to them. */
export function queryNames(database: IndexDatabase, folders: readonly string[] = ['']): LinkNames {
  const within = JSON.stringify(folders);
  const pages = database.all(
    `SELECT tree_path FROM pages JOIN paths USING (id) WHERE ${liesInFolders('paths.path')} ORDER BY path`,
    within,
  );
  // The table has file paths as git spells them, in any form of Unicode.
  const files = queryFiles(database).filter((path) => liesIn(folders, path));
  const aliases = database.all(
    `SELECT alias, tree_path FROM aliases JOIN pages ON pages.id = page JOIN paths USING (id)
     WHERE ${liesInFolders('paths.path')} ORDER BY path, alias`,
    within,
  );
  return {
    treePaths: [...pages.map(({ tree_path }) => String(tree_path)), ...files],
    aliases: aliases.map(({ alias, tree_path }) => [String(alias), String(tree_path)] as const),
  };
}

/** The pages that a search may return, sorted by path; only the one at `path` if it is given. */
export function querySearched(database: IndexDatabase, filter: PageFilter, path?: string): SearchedPage[] {
  const { condition, values } = filterCondition(database, filter);
  const rows = database.all(
    `SELECT path, title, blob, size, superseded_by FROM pages JOIN paths USING (id)
     WHERE ${condition} ${path === undefined ? '' : 'AND path = ?'} ORDER BY path`,
    ...values,
    ...(path === undefined ? [] : [path]),
  );
  return rows.map(({ path: found, title, blob, size, superseded_by }) => ({
    path: String(found),
    title: String(title),
    blob: oidOf(blob),
    size: Number(size),
    supersededBy: superseded_by === null ? null : String(superseded_by),
  }));
}
