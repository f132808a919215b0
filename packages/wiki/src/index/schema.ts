/** Goes up with every change of what the tables hold or mean. */
const tables = 2;

/** How many of these letters, each of a later version of Unicode (15.1, 16, 17), are known here as such. */
const letters = ['\u{2ebf0}', '\u{10d4e}', '\u{10940}'].filter((letter) => /\p{L}/u.test(letter)).length;

/**
 * An index of another format is never opened. Terms are taken out of it as they went in, so whoever goes on with
 * it must take texts apart in the same way.
 */
export const indexFormat = tables * 10 + letters;

/** Times are milliseconds since 1970; oids are 20 bytes; paths are those of pages, without `.md`. */
export const schema = `
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- number: the place in the order of git log, 1 the oldest. cut: every lower number is an ancestor, and no other commit
-- is. pages: how many it touched; where they are many, the first of them stand in first_pages as JSON. other_files:
-- whether it changed any other file.
CREATE TABLE commits (
  number INTEGER PRIMARY KEY, oid BLOB NOT NULL UNIQUE, parents BLOB NOT NULL, cut INTEGER NOT NULL,
  author INTEGER NOT NULL, authored INTEGER NOT NULL, committed INTEGER NOT NULL, message TEXT NOT NULL, agent TEXT,
  pages INTEGER, other_files INTEGER, first_pages TEXT);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, UNIQUE (name, email));

-- Every path that ever was a page.
CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE touches (
  path INTEGER NOT NULL, number INTEGER NOT NULL, action TEXT NOT NULL, blob BLOB, origin INTEGER,
  PRIMARY KEY (path, number)) WITHOUT ROWID;
CREATE INDEX touches_by_commit ON touches (number);

-- The pages of the commit that the index stands at. id: that of the path. name: what links call it, see nameKey.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, blob BLOB NOT NULL, size INTEGER NOT NULL, updated INTEGER NOT NULL,
  title TEXT NOT NULL, title_terms TEXT NOT NULL,
  tree_path TEXT NOT NULL, name TEXT NOT NULL);
CREATE INDEX pages_by_update ON pages (updated);
CREATE INDEX pages_by_title ON pages (title_terms);
CREATE INDEX pages_by_name ON pages (name);
-- Whether any page has a name with a number sign decides how links with one are read.
CREATE INDEX pages_with_hashes ON pages (id) WHERE instr(tree_path, '#');
CREATE TABLE tags (tag TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (tag, page)) WITHOUT ROWID;
CREATE INDEX tags_by_page ON tags (page);
CREATE TABLE aliases (
  page INTEGER NOT NULL, alias TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (page, alias)) WITHOUT ROWID;
CREATE INDEX aliases_by_name ON aliases (name);
-- place: which of its page's links it is. One that may go by several names has a row for each.
CREATE TABLE links (
  page INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL,
  target TEXT NOT NULL, anchor TEXT, PRIMARY KEY (page, place, name)) WITHOUT ROWID;
CREATE INDEX links_by_name ON links (name);
CREATE TABLE link_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Files that are no pages.
CREATE TABLE files (tree_path TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX files_by_name ON files (name);

-- Terms come already taken apart, so all that is left to the tokenizer is to split at spaces. Without
-- contentless_delete, which would leave the deleted in the statistics (fts5_storage.c, sqlite3Fts5StorageDelete).
CREATE VIRTUAL TABLE words USING fts5 (title, headings, path, body, content = '', tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
-- Words that are or were on a page, to find those one letter away: the unharmed half of a word is at one of its ends.
CREATE TABLE spellings (term TEXT PRIMARY KEY, reversed TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX spellings_by_end ON spellings (reversed);
`;
