import type { Oid } from '../contract/ids.ts';
import type { IndexedPage } from './derive.ts';
import type { IndexDatabase } from './index-database.ts';
import { nameKey, nameKeysOf } from './link-names.ts';
import { bytesOf, oidOf } from './oid-bytes.ts';
import type { PageWords } from './page-words.ts';
import { canBeMisspelt } from './spelling.ts';
import { fold } from './words.ts';

/** Adds a page that the index does not have. When it was updated is for others to say. */
export function addPage(database: IndexDatabase, page: IndexedPage): void {
  const id = pathId(database, page.path);
  const { facts, words } = page;
  database.run(
    `INSERT INTO pages (id, blob, size, updated, title, title_terms, tree_path, name)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?)`,
    id,
    bytesOf(page.blob),
    page.size,
    facts.title,
    words.title.join(' '),
    page.treePath,
    nameKey(page.path),
  );
  for (const tag of new Set(facts.tags.map(fold))) {
    database.run('INSERT INTO tags (tag, page) VALUES (?, ?)', tag, id);
  }
  for (const alias of facts.aliases) {
    database.run('INSERT INTO aliases (page, alias, name) VALUES (?, ?, ?)', id, alias, nameKey(alias));
  }
  putLinks(database, id, page);
  database.run(
    'INSERT INTO words (rowid, title, headings, path, body) VALUES (?, ?, ?, ?, ?)',
    id,
    ...columnsOf(words),
  );
  putSpellings(database, page);
}

/** The blob of a page as the index has it; null where it has none. */
export function indexedBlob(database: IndexDatabase, path: string): Oid | null {
  const blob = database.value('SELECT blob FROM pages JOIN paths USING (id) WHERE path = ?', path);
  return blob === undefined ? null : oidOf(blob);
}

/** Takes out a page, given the words that went in. Its path stays, since history knows it. */
export function removePage(database: IndexDatabase, path: string, words: PageWords): void {
  const id = pathId(database, path);
  database.run('DELETE FROM pages WHERE id = ?', id);
  database.run('DELETE FROM tags WHERE page = ?', id);
  database.run('DELETE FROM aliases WHERE page = ?', id);
  database.run('DELETE FROM links WHERE page = ?', id);
  database.run(
    `INSERT INTO words (words, rowid, title, headings, path, body) VALUES ('delete', ?, ?, ?, ?, ?)`,
    id,
    ...columnsOf(words),
  );
}

/** The id of a path, from now on if it has none. */
export function pathId(database: IndexDatabase, path: string): number {
  database.run('INSERT OR IGNORE INTO paths (path) VALUES (?)', path);
  return Number(database.value('SELECT id FROM paths WHERE path = ?', path));
}

export function putFile(database: IndexDatabase, treePath: string): void {
  database.run('INSERT OR IGNORE INTO files (tree_path, name) VALUES (?, ?)', treePath, nameKey(treePath));
}

export function removeFile(database: IndexDatabase, treePath: string): void {
  database.run('DELETE FROM files WHERE tree_path = ?', treePath);
}

function columnsOf({ title, headings, path, body }: PageWords): string[] {
  return [title, headings, path, body].map((terms) => terms.join(' '));
}

function putLinks(database: IndexDatabase, id: number, { facts }: IndexedPage): void {
  for (const [place, link] of facts.links.entries()) {
    for (const name of nameKeysOf(link)) {
      database.run('INSERT OR IGNORE INTO link_names (name) VALUES (?)', name);
      database.run(
        `INSERT INTO links (page, place, line, kind, target, anchor, name)
         VALUES (?, ?, ?, ?, ?, ?, (SELECT id FROM link_names WHERE name = ?))`,
        id,
        place,
        link.line,
        link.kind,
        link.target,
        link.anchor,
        name,
      );
    }
  }
}

function putSpellings(database: IndexDatabase, { words }: IndexedPage): void {
  for (const terms of [words.title, words.headings, words.path, words.body]) {
    for (const term of terms) {
      if (database.spelt.has(term) || !canBeMisspelt(term)) continue;
      const reversed = reverse(term);
      database.run('INSERT OR IGNORE INTO spellings (term, reversed) VALUES (?, ?)', term, reversed);
      if (database.spelt.size >= mostSpelt) database.spelt.clear();
      database.spelt.add(term);
    }
  }
}

/** The usual words of a language or two. */
const mostSpelt = 50_000;

export function reverse(term: string): string {
  return [...term].reverse().join('');
}
