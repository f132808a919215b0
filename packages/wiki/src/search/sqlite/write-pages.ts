import type { Oid } from '../../contract/ids.ts';
import { isHidden } from '../../core/paths/page-path.ts';
import { supersededBy } from '../../core/text/frontmatter/frontmatter.ts';
import { nameKey, nameKeysOf } from '../../core/text/links/link-names.ts';
import { anchorsOf, described, type IndexedPage } from '../derive.ts';
import { propertiesOf } from '../properties.ts';
import { canBeMisspelt } from '../words/spelling.ts';
import { fold } from '../words/terms.ts';
import type { PageWords } from '../words/terms-of-page.ts';
import { COLUMNS } from '../words/word-matcher.ts';
import type { IndexDatabase } from './index-database.ts';
import { bytesOf, oidOf } from './oid-bytes.ts';

/** Adds a page that the index does not have. Its last change is set elsewhere. */
export async function addPage(
  database: IndexDatabase,
  page: IndexedPage,
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  const id = pathId(database, page.path);
  const { facts, words } = page;
  const allTerms = COLUMNS.reduce((total, column) => total + words[column].length, 0);
  database.run(
    `INSERT INTO pages (id, blob, size, updated, changed_in, title, title_terms, language, terms, all_terms, hidden, tree_path, name, link_count, tag_count, frontmatter_problem, superseded_by)
     VALUES (?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    bytesOf(page.blob),
    page.size,
    facts.title,
    words.title.join(' '),
    page.language ?? '',
    words.body.length,
    allTerms,
    isHidden(page.path) ? 1 : 0,
    page.treePath,
    nameKey(page.path),
    facts.linkCount,
    facts.tagCount,
    described(facts.frontmatterProblem),
    supersededBy(facts.frontmatter),
  );
  database.run(
    `INSERT INTO languages (language, pages, terms, all_terms) VALUES (?, 1, ?, ?)
     ON CONFLICT DO UPDATE
     SET pages = pages + 1, terms = terms + excluded.terms, all_terms = all_terms + excluded.all_terms`,
    page.language ?? '',
    words.body.length,
    allTerms,
  );
  for (const tag of new Set(facts.tags.map(fold))) {
    await yieldIfDue();
    database.run('INSERT INTO tags (tag, page) VALUES (?, ?)', tag, id);
  }
  for (const { name, value } of propertiesOf(facts.frontmatter)) {
    await yieldIfDue();
    database.run('INSERT INTO properties (name, value, page) VALUES (?, ?, ?)', name, value, id);
  }
  for (const alias of facts.aliases) {
    await yieldIfDue();
    database.run('INSERT INTO aliases (page, alias, name) VALUES (?, ?, ?)', id, alias, nameKey(alias));
  }
  await putLinks(database, id, page, yieldIfDue);
  putAnchors(database, id, page);
  putSketch(database, id, page);
  await yieldIfDue();
  database.run(
    'INSERT INTO words (rowid, title, headings, path, lead, body) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    ...columnsOf(words),
  );
  await yieldIfDue();
  // Otherwise FTS5 would do this with the next page, all at once.
  if (allTerms > MANY_TERMS) database.run("INSERT INTO words (words) VALUES ('flush')");
  await yieldIfDue();
  await putSpellings(database, page, yieldIfDue);
}

/** The blob of a page in the index; null if the index does not have the page. */
export function indexedBlob(database: IndexDatabase, path: string): Oid | null {
  const blob = database.value('SELECT blob FROM pages JOIN paths USING (id) WHERE path = ?', path);
  return blob === undefined ? null : oidOf(blob);
}

/** Removes a page, given the words that were added for it. Its path stays, since history refers to it. */
export function removePage(database: IndexDatabase, path: string, words: PageWords): void {
  const id = pathId(database, path);
  database.run(
    `UPDATE languages SET pages = languages.pages - 1, terms = languages.terms - gone.terms,
       all_terms = languages.all_terms - gone.all_terms
     FROM pages AS gone WHERE gone.id = ? AND languages.language = gone.language`,
    id,
  );
  database.knownPages.delete(id);
  database.run('DELETE FROM pages WHERE id = ?', id);
  database.run('DELETE FROM tags WHERE page = ?', id);
  database.run('DELETE FROM properties WHERE page = ?', id);
  database.run('DELETE FROM aliases WHERE page = ?', id);
  database.run('DELETE FROM links WHERE page = ?', id);
  database.run('DELETE FROM anchors WHERE page = ?', id);
  database.run('DELETE FROM sketches WHERE page = ?', id);
  database.run(
    `INSERT INTO words (words, rowid, title, headings, path, lead, body) VALUES ('delete', ?, ?, ?, ?, ?, ?)`,
    id,
    ...columnsOf(words),
  );
}

/** The id of a path; assigns one if it has none. */
export function pathId(database: IndexDatabase, path: string): number {
  database.run('INSERT OR IGNORE INTO paths (path) VALUES (?)', path);
  return Number(database.value('SELECT id FROM paths WHERE path = ?', path));
}

export function putFile(database: IndexDatabase, treePath: string): void {
  database.run('INSERT OR IGNORE INTO files (tree_path, name) VALUES (?, ?)', treePath, nameKey(treePath));
}

export function hasFile(database: IndexDatabase, treePath: string): boolean {
  return database.get('SELECT 1 FROM files WHERE tree_path = ?', treePath) !== undefined;
}

export function removeFile(database: IndexDatabase, treePath: string): void {
  database.run('DELETE FROM files WHERE tree_path = ?', treePath);
}

function columnsOf(words: PageWords): string[] {
  return COLUMNS.map((column) => words[column].join(' '));
}

/** Adds the links of a page, or of a file that a page hides, whose id is negative. */
export async function putLinks(
  database: IndexDatabase,
  id: number,
  { facts }: IndexedPage,
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  for (const [place, link] of facts.links.entries()) {
    if (place % ROWS_AT_ONCE === 0) await yieldIfDue();
    for (const name of nameKeysOf(link)) {
      database.run('INSERT OR IGNORE INTO link_names (name) VALUES (?)', name);
      database.run(
        `INSERT INTO links (page, place, line, kind, target, query, anchor, name)
         VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT id FROM link_names WHERE name = ?))`,
        id,
        place,
        link.line,
        link.kind,
        link.target,
        link.query,
        link.anchor,
        name,
      );
    }
  }
}

function putAnchors(database: IndexDatabase, id: number, { facts }: IndexedPage): void {
  const { headings, ...ids } = anchorsOf(facts);
  database.run(
    'INSERT INTO anchors (page, headings, ids) VALUES (?, ?, ?)',
    id,
    JSON.stringify(headings.map(({ level, text }) => [level, text])),
    JSON.stringify(ids),
  );
}

function putSketch(database: IndexDatabase, id: number, { sketch }: IndexedPage): void {
  if (sketch.length === 0) return;
  const hashes = new Uint8Array(sketch.buffer, sketch.byteOffset, sketch.byteLength);
  database.run('INSERT INTO sketches (page, hashes) VALUES (?, ?)', id, hashes);
}

async function putSpellings(
  database: IndexDatabase,
  { words }: IndexedPage,
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  for (const column of COLUMNS) {
    for (const [place, term] of words[column].entries()) {
      if (place % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await yieldIfDue();
      if (database.spelt.has(term) || !canBeMisspelt(term)) continue;
      database.run('INSERT OR IGNORE INTO spellings (term) VALUES (?)', term);
      if (database.spelt.size >= mostSpelt) database.spelt.clear();
      database.spelt.add(term);
    }
  }
}

/** Takes some milliseconds. */
const ROWS_AT_ONCE = 500;
const MANY_TERMS = 20_000;

/** The number of common words of a language or two. */
const mostSpelt = 50_000;
