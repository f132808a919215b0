import type { PageLinks, PlacedLink } from '../core/index-port.ts';
import { createLinkResolver, type LinkAddress, type LinkResolver } from '../core/text/link-resolver.ts';
import { liesInFolders } from './folders-condition.ts';
import type { IndexDatabase, Row } from './index-database.ts';
import { nameKey, nameKeysOf } from './link-names.ts';
import { linkReport } from './link-report.ts';

/** The links of a page and to it; where there is no such page, the broken links that mean it. */
export function queryLinks(database: IndexDatabase, path: string): PageLinks {
  const page = database.get('SELECT id, tree_path FROM pages JOIN paths USING (id) WHERE path = ?', path);
  const own =
    page === undefined
      ? []
      : linksOf(database.all(`${selectLinks} WHERE page = ? ORDER BY place`, Number(page.id)));
  const incoming = linksOf(
    database.all(
      `${selectLinks} WHERE links.name IN (SELECT link_names.id FROM json_each(?) JOIN link_names ON link_names.name = value)`,
      JSON.stringify(namesOfPage(database, path, page)),
    ),
  );
  const treePath = page === undefined ? filePath(database, path) : String(page.tree_path);
  return linkReport({ path, treePath, own, incoming }, (also) =>
    resolverOf(database, [...own, ...incoming], also),
  );
}

/** What check_wiki follows. */
export function queryEveryLink(database: IndexDatabase, folders: readonly string[] = ['']): PlacedLink[] {
  return linksOf(
    database.all(
      `SELECT DISTINCT page, place, line, kind, target, anchor, tree_path FROM links
       JOIN pages ON pages.id = links.page JOIN paths USING (id)
       WHERE page IN (SELECT id FROM pages JOIN paths USING (id) WHERE ${liesInFolders('paths.path')}) ORDER BY path, place`,
      JSON.stringify(folders),
    ),
  );
}

function filePath(database: IndexDatabase, path: string): string | null {
  const file = database.get('SELECT tree_path FROM files WHERE tree_path = ?', path);
  return file === undefined ? null : String(file.tree_path);
}

const selectLinks = `SELECT DISTINCT page, place, line, kind, target, anchor, tree_path
  FROM links JOIN pages ON pages.id = links.page`;

function linksOf(rows: readonly Row[]): PlacedLink[] {
  return rows.map(({ tree_path, line, kind, target, anchor }) => ({
    from: String(tree_path),
    line: Number(line),
    link: {
      kind: kind as LinkAddress['kind'],
      target: String(target),
      anchor: anchor === null ? null : String(anchor),
    },
  }));
}

function namesOfPage(database: IndexDatabase, path: string, page: Row | undefined): string[] {
  const aliases =
    page === undefined ? [] : database.all('SELECT name FROM aliases WHERE page = ?', Number(page.id));
  return [nameKey(path), ...aliases.map(({ name }) => String(name))];
}

/** Knows the pages and files that these links could lead to, and no others, which answers as if it knew all. */
function resolverOf(
  database: IndexDatabase,
  links: readonly PlacedLink[],
  also: readonly string[],
): LinkResolver {
  const names = JSON.stringify([...new Set(links.flatMap(({ link }) => nameKeysOf(link)))]);
  const files = database.all(
    `SELECT tree_path FROM pages WHERE name IN (SELECT value FROM json_each(?1))
     UNION SELECT tree_path FROM files WHERE name IN (SELECT value FROM json_each(?1))
     UNION SELECT * FROM (SELECT tree_path FROM pages WHERE instr(tree_path, '#') LIMIT 1)`,
    names,
  );
  const aliases = database.all(
    `SELECT alias, tree_path FROM aliases JOIN pages ON pages.id = page
     WHERE aliases.name IN (SELECT value FROM json_each(?))`,
    names,
  );
  return createLinkResolver(
    [...files.map(({ tree_path }) => String(tree_path)), ...also],
    aliases.map(({ alias, tree_path }) => [String(alias), String(tree_path)]),
  );
}
