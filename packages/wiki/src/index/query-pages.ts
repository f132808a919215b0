import { liesIn } from '../contract/scope.ts';
import type { ListQuery, PageRow, Window } from '../core/index-port.ts';
import type { LinkNames } from '../core/text/link-resolver.ts';
import { liesInFolders } from './folders-condition.ts';
import type { IndexDatabase } from './index-database.ts';
import { oidOf } from './oid-bytes.ts';
import { filterCondition, type PageFilter } from './page-filter.ts';
import type { SearchedPage } from './search-lines.ts';

export function countPages(database: IndexDatabase): number {
  return Number(database.value('SELECT count(*) FROM pages'));
}

export function queryPaths(database: IndexDatabase): string[] {
  return database
    .all('SELECT path FROM pages JOIN paths USING (id) ORDER BY path')
    .map(({ path }) => String(path));
}

export function queryList(database: IndexDatabase, query: ListQuery): Window<PageRow> {
  const { condition, values } = filterCondition(query);
  const from = `FROM pages JOIN paths USING (id) WHERE ${condition}`;
  const rows = database.all(
    `SELECT path, title, blob, size, updated ${from} ORDER BY ${orders[query.sort]} LIMIT ? OFFSET ?`,
    ...values,
    query.limit,
    query.offset,
  );
  return {
    rows: rows.map(({ path, title, blob, size, updated }) => ({
      path: String(path),
      title: String(title),
      version: oidOf(blob),
      size: Number(size),
      updated: new Date(Number(updated)),
    })),
    total:
      condition === '1' ? countPages(database) : Number(database.value(`SELECT count(*) ${from}`, ...values)),
  };
}

const orders = {
  path: 'path',
  updated: 'updated DESC, path',
  title: 'title_terms, path',
} as const;

export function queryNames(database: IndexDatabase, folders: readonly string[] = ['']): LinkNames {
  const within = JSON.stringify(folders);
  const pages = database.all(
    `SELECT tree_path FROM pages JOIN paths USING (id) WHERE ${liesInFolders('paths.path')}`,
    within,
  );
  // Paths of files stand there as git has them, in any form of Unicode.
  const files = database
    .all('SELECT tree_path FROM files')
    .filter(({ tree_path }) => liesIn(folders, String(tree_path)));
  const aliases = database.all(
    `SELECT alias, tree_path FROM aliases JOIN pages ON pages.id = page JOIN paths USING (id)
     WHERE ${liesInFolders('paths.path')}`,
    within,
  );
  return {
    treePaths: [...pages, ...files].map(({ tree_path }) => String(tree_path)),
    aliases: aliases.map(({ alias, tree_path }) => [String(alias), String(tree_path)] as const),
  };
}

/** The pages that a search may name, in the order of their paths; only the one at `path` if there is one. */
export function querySearched(database: IndexDatabase, filter: PageFilter, path?: string): SearchedPage[] {
  const { condition, values } = filterCondition(filter);
  const rows = database.all(
    `SELECT path, title, blob, size FROM pages JOIN paths USING (id)
     WHERE ${condition} ${path === undefined ? '' : 'AND path = ?'} ORDER BY path`,
    ...values,
    ...(path === undefined ? [] : [path]),
  );
  return rows.map(({ path: found, title, blob, size }) => ({
    path: String(found),
    title: String(title),
    blob: oidOf(blob),
    size: Number(size),
  }));
}
