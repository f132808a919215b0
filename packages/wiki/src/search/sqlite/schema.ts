/**
 * The version of the tables. Increment it with every change of what the tables contain or mean. This includes
 * changes of how texts become terms (`terms.ts`, `lead.ts`, `terms-of-page.ts`), of sketches
 * (`resemblance.ts`), and of how the language of a page is detected (`language-of.ts`, its stop words), but
 * not of weights.
 */
const tables = 35;

/**
 * The number of these letters that this runtime knows as letters. Each belongs to a later version of Unicode
 * (15.1, 16, 17).
 */
const letters = ['\u{2ebf0}', '\u{10d4e}', '\u{10940}'].filter((letter) => /\p{L}/u.test(letter)).length;

/**
 * An index of another format is never opened. Terms are removed from it exactly as they were added, so a
 * process that continues an index must split texts in the same way.
 */
export const indexFormat = tables * 10 + letters;

/** Times are milliseconds since 1970; oids are 20 bytes; paths are page paths, without `.md`. */
export const schema = `
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- number: the place in the order of git log, 1 the oldest. cut: every lower number is an ancestor, and no other commit
-- is. pages: how many it touched; where they are many, the first of them stand in first_pages as JSON. other_files:
-- how many other files differ from those of its first parent.
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

-- What messages of commits say about conflicts, by commits that the index has. opens: 1 for a merge that names the path
-- as a conflict, 0 for a commit that settles it by leaving the page as it is.
CREATE TABLE conflict_marks (
  path INTEGER NOT NULL, oid BLOB NOT NULL, opens INTEGER NOT NULL, PRIMARY KEY (path, oid)) WITHOUT ROWID;

-- The pages of the commit that the index stands at. id: that of the path. changed_in: the number of the last commit that
-- touched it, and updated its date. name: what links call it, see nameKey.
-- link_count, tag_count: of all, also those that do not count. frontmatter_problem: why it cannot be read, if it cannot.
-- hidden: in a folder that begins with a dot, or such a name itself. language: empty if unknown. terms: how many its text has. all_terms: how many all its columns in words have.
-- superseded_by: the link to the page that takes its place, as written.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, blob BLOB NOT NULL, size INTEGER NOT NULL, updated INTEGER NOT NULL, changed_in INTEGER NOT NULL,
  title TEXT NOT NULL, title_terms TEXT NOT NULL, language TEXT NOT NULL, terms INTEGER NOT NULL,
  all_terms INTEGER NOT NULL, hidden INTEGER NOT NULL,
  tree_path TEXT NOT NULL, name TEXT NOT NULL, link_count INTEGER NOT NULL, tag_count INTEGER NOT NULL,
  frontmatter_problem TEXT, superseded_by TEXT);
CREATE INDEX pages_by_update ON pages (updated);
CREATE INDEX pages_by_title ON pages (title_terms);
CREATE INDEX pages_by_name ON pages (name);
CREATE INDEX hidden_pages ON pages (id) WHERE hidden;
-- Whether any page has a name with a number sign decides how links with one are read.
CREATE INDEX pages_with_hashes ON pages (id) WHERE instr(tree_path, '#');
-- The sums of pages and of their terms, by language.
CREATE TABLE languages (
  language TEXT PRIMARY KEY, pages INTEGER NOT NULL, terms INTEGER NOT NULL,
  all_terms INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE tags (tag TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (tag, page)) WITHOUT ROWID;
CREATE INDEX tags_by_page ON tags (page);
-- What stands in the frontmatter of pages, folded.
CREATE TABLE properties (
  name TEXT NOT NULL, value TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (name, value, page)) WITHOUT ROWID;
CREATE INDEX properties_by_page ON properties (page);
CREATE TABLE aliases (
  page INTEGER NOT NULL, alias TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (page, alias)) WITHOUT ROWID;
CREATE INDEX aliases_by_name ON aliases (name);
-- Files that are hidden by the page of the same path, in another Unicode form. Their links have their negative ids.
CREATE TABLE shadows (id INTEGER PRIMARY KEY, page INTEGER NOT NULL, tree_path TEXT NOT NULL);
CREATE INDEX shadows_by_page ON shadows (page);
-- place: which of its page's links it is. One that may go by several names has a row for each.
CREATE TABLE links (
  page INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL,
  target TEXT NOT NULL, query TEXT, anchor TEXT, PRIMARY KEY (page, place, name)) WITHOUT ROWID;
CREATE INDEX links_by_name ON links (name);
-- What anchors can name, as JSON: headings as [level, text], and ids.
CREATE TABLE anchors (page INTEGER PRIMARY KEY, headings TEXT NOT NULL, ids TEXT NOT NULL);
-- The smallest hashes of its word sequences, 4 bytes each. In a table of its own: a search reads pages.
CREATE TABLE sketches (page INTEGER PRIMARY KEY, hashes BLOB NOT NULL);
CREATE TABLE link_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Files that are no pages.
CREATE TABLE files (tree_path TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX files_by_name ON files (name);

-- Terms come already taken apart, so all that is left to the tokenizer is to split at spaces. Without
-- contentless_delete, which would leave the deleted in the statistics (fts5_storage.c, sqlite3Fts5StorageDelete).
CREATE VIRTUAL TABLE words USING fts5 (title, headings, path, lead, body, content = '', tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
CREATE VIRTUAL TABLE places USING fts5vocab (words, instance);
-- Words that are or were on a page, in order, to find other forms of a word and those one letter away.
CREATE TABLE spellings (term TEXT PRIMARY KEY) WITHOUT ROWID;
`;
