import { limits } from '../../contract/limits.ts';
import { liesIn } from '../../contract/scope.ts';
import type { PlacedLink, UnreadPart } from '../../core/index-port.ts';
import type { LinkAddress } from '../../core/text/links/link-names.ts';
import { nameKey, nameKeysOf } from '../../core/text/links/link-names.ts';
import type { LinkedPage } from '../../core/text/links/link-report.ts';
import type { LinkNames } from '../../core/text/links/link-resolver.ts';
import type { PageAnchors } from '../../core/text/markdown/anchors.ts';
import { MAX_LINKS } from '../../core/text/markdown/markdown-links.ts';
import { MAX_TAGS } from '../../core/text/markdown/page-facts.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { liesInFolders } from '../sqlite/folders-condition.ts';
import type { IndexDatabase, Row } from '../sqlite/index-database.ts';
import { leavesLinksOut, leftOut } from './left-out.ts';

/**
 * The links on a page and to it, and the names to which these could lead, which the resolver takes for all
 * names. If there is no such page, `incoming` has the broken links that refer to it.
 */
export function* linkedSteps(
  database: IndexDatabase,
  path: string,
): Steps<{ page: LinkedPage; names: LinkNames }> {
  const page = database.get(
    'SELECT id, tree_path, link_count, size FROM pages JOIN paths USING (id) WHERE path = ?',
    path,
  );
  const own = page === undefined ? [] : queryLinksOn(database, Number(page.id));
  yield;
  const incoming = yield* shownLinksNamedSteps(database, namesOfPage(database, path, page));
  const treePath = page === undefined ? filePath(database, path) : String(page.tree_path);
  const leavesOutLinks = leavesLinksOut(leftOut(Number(page?.link_count ?? 0), 0, Number(page?.size ?? 0)));
  yield;
  const names = new Set<string>();
  let place = 0;
  for (const links of [own, incoming]) {
    for (const { link } of links) {
      for (const name of nameKeysOf(link)) names.add(name);
      place += 1;
      if (place % LINKS_AT_ONCE === 0) yield;
    }
  }
  yield;
  return {
    page: { path, treePath, own, incoming, leavesOutLinks },
    names: queryNamesLike(database, [...names]),
  };
}

/** The ids of the pages that have links, in their order. */
export function queryLinkingPages(database: IndexDatabase, folders: readonly string[] = ['']): number[] {
  const rows = database.all(
    `SELECT id FROM pages JOIN paths USING (id) WHERE link_count > 0 AND ${liesInFolders('paths.path')} ORDER BY path`,
    JSON.stringify(folders),
  );
  return rows.map(({ id }) => Number(id));
}

/** The links on a page, in order of position. */
export function queryLinksOn(database: IndexDatabase, page: number): PlacedLink[] {
  return linksOf(database.all(`${selectLinks} WHERE page = ? ORDER BY place`, page));
}

/** The pages of which a part counts as text alone. */
export function queryUnread(database: IndexDatabase, folders: readonly string[] = ['']): UnreadPart[] {
  const rows = database.all(
    `SELECT path, frontmatter_problem, link_count, tag_count, size FROM pages JOIN paths USING (id)
     WHERE (link_count > ${MAX_LINKS} OR tag_count > ${MAX_TAGS} OR size > ${limits.pageBytes} OR frontmatter_problem IS NOT NULL) AND ${liesInFolders('paths.path')} ORDER BY path`,
    JSON.stringify(folders),
  );
  return rows.map(({ path, frontmatter_problem, link_count, tag_count, size }) => ({
    path: String(path),
    frontmatterProblem: frontmatter_problem === null ? null : String(frontmatter_problem),
    ...leftOut(Number(link_count), Number(tag_count), Number(size)),
  }));
}

/**
 * The links that may lead to one of these names, including links in files that a page of the same path hides. Goes
 * page by page: any number of pages may have such links.
 */
export function* linksNamedSteps(
  database: IndexDatabase,
  names: readonly string[],
  folders: readonly string[] = [''],
): Steps<PlacedLink[]> {
  const shown = yield* shownLinksNamedSteps(database, names);
  const hidden = linksOf(database.all(`${selectHiddenLinks} WHERE ${isNamed}`, JSON.stringify(names)));
  return [...shown, ...hidden].filter(({ from }) => liesIn(folders, from));
}

function* shownLinksNamedSteps(database: IndexDatabase, names: readonly string[]): Steps<PlacedLink[]> {
  const wanted = JSON.stringify(names);
  const pages = database.all(`SELECT DISTINCT page FROM links WHERE ${isNamed}`, wanted);
  const found: PlacedLink[] = [];
  for (const { page } of pages) {
    yield;
    const rows = database.all(`${selectLinks} WHERE page = ? AND ${isNamed}`, Number(page), wanted);
    for (const link of linksOf(rows)) found.push(link);
  }
  return found;
}

/** The pages, files and aliases that links with these names could lead to. */
export function queryNamesLike(
  database: IndexDatabase,
  names: readonly string[],
  folders: readonly string[] = [''],
): LinkNames {
  const wanted = JSON.stringify(names);
  const files = database.all(
    `SELECT tree_path FROM pages WHERE name IN (SELECT value FROM json_each(?1))
     UNION SELECT tree_path FROM files WHERE name IN (SELECT value FROM json_each(?1))`,
    wanted,
  );
  const aliases = database.all(
    `SELECT alias, tree_path FROM aliases JOIN pages ON pages.id = page
     WHERE aliases.name IN (SELECT value FROM json_each(?))`,
    wanted,
  );
  return {
    treePaths: files.map(({ tree_path }) => String(tree_path)).filter((path) => liesIn(folders, path)),
    aliases: aliases
      .map(({ alias, tree_path }) => [String(alias), String(tree_path)] as const)
      .filter(([, path]) => liesIn(folders, path)),
  };
}

/** The targets of anchors in the pages at these tree paths. */
export function queryAnchors(
  database: IndexDatabase,
  treePaths: readonly string[],
): Map<string, PageAnchors> {
  const rows = database.all(
    `SELECT tree_path, headings, ids FROM pages JOIN anchors ON anchors.page = pages.id
     WHERE tree_path IN (SELECT value FROM json_each(?))`,
    JSON.stringify(treePaths),
  );
  return new Map(
    rows.map(({ tree_path, headings, ids }) => {
      const levels = JSON.parse(String(headings)) as [level: number, text: string][];
      const others = JSON.parse(String(ids)) as Omit<PageAnchors, 'headings'>;
      return [String(tree_path), { headings: levels.map(([level, text]) => ({ level, text })), ...others }];
    }),
  );
}

function filePath(database: IndexDatabase, path: string): string | null {
  const file = database.get('SELECT tree_path FROM files WHERE tree_path = ?', path);
  return file === undefined ? null : String(file.tree_path);
}

/** Some milliseconds of work. */
const LINKS_AT_ONCE = 500;

const selectLinks = `SELECT DISTINCT page, place, line, kind, target, query, anchor, tree_path
  FROM links JOIN pages ON pages.id = links.page`;
const selectHiddenLinks = `SELECT DISTINCT links.page, place, line, kind, target, query, anchor, tree_path
  FROM links JOIN shadows ON shadows.id = -links.page`;
const isNamed = `links.name IN
  (SELECT link_names.id FROM json_each(?) JOIN link_names ON link_names.name = value)`;

function linksOf(rows: readonly Row[]): PlacedLink[] {
  return rows.map(({ tree_path, line, kind, target, query, anchor }) => ({
    from: String(tree_path),
    line: Number(line),
    link: {
      kind: kind as LinkAddress['kind'],
      target: String(target),
      query: query === null ? null : String(query),
      anchor: anchor === null ? null : String(anchor),
    },
  }));
}

function namesOfPage(database: IndexDatabase, path: string, page: Row | undefined): string[] {
  const aliases =
    page === undefined ? [] : database.all('SELECT name FROM aliases WHERE page = ?', Number(page.id));
  return [nameKey(path), ...aliases.map(({ name }) => String(name))];
}
