import type { HistoryEntry, HistoryQuery } from '../core/index-port.ts';
import { liesInFolders } from './folders-condition.ts';
import { type HistoryOrder, historyOrder } from './history-order.ts';
import type { IndexDatabase, Row } from './index-database.ts';
import { oidOf } from './oid-bytes.ts';
import { isAuthor } from './scan-history.ts';
import { firstPages, parentsOf } from './write-history.ts';

/** History from the index, which must know the query's commit but may be ahead of it. */
export function queryHistory(
  database: IndexDatabase,
  query: HistoryQuery,
): { entries: HistoryEntry[]; more: boolean } {
  const order = historyOrder(database, query.commit);
  const found =
    query.path === undefined ? ofWiki(database, query, order) : ofPage(database, query, order, query.path);
  const shown = found.slice(0, query.limit);
  return {
    entries: shown.map(({ number, version }) => entryOf(database, number, version, query.pagesMost)),
    more: found.length > shown.length,
  };
}

interface Found {
  number: number;
  version: string | null;
}

/** One more than was asked for, if there is one. */
function ofWiki(database: IndexDatabase, query: HistoryQuery, { loose, below }: HistoryOrder): Found[] {
  const { condition, values } = conditionOf(database, query);
  const first = loose.filter(
    (number) =>
      database.get(`SELECT 1 FROM commits WHERE number = ?${condition}`, number, ...values) !== undefined,
  );
  const wanted = query.limit + 1;
  const numbers = first.slice(query.offset, query.offset + wanted);
  if (numbers.length < wanted && condition === '') {
    // Every number from 1 up is a commit, so that none need be looked for.
    const next = below - Math.max(0, query.offset - first.length);
    const count = Math.max(0, Math.min(wanted - numbers.length, next));
    numbers.push(...Array.from({ length: count }, (_, at) => next - at));
  } else if (numbers.length < wanted) {
    const rows = database.all(
      `SELECT number FROM commits WHERE number <= ?${condition} ORDER BY number DESC LIMIT ? OFFSET ?`,
      below,
      ...values,
      wanted - numbers.length,
      Math.max(0, query.offset - first.length),
    );
    numbers.push(...rows.map(({ number }) => Number(number)));
  }
  return numbers.map((number) => ({ number, version: null }));
}

function ofPage(database: IndexDatabase, query: HistoryQuery, order: HistoryOrder, path: string): Found[] {
  const id = database.value('SELECT id FROM paths WHERE path = ?', path);
  if (typeof id !== 'number') return [];
  const { condition, values } = conditionOf(database, query);
  const found: Found[] = [];
  let passed = 0;
  for (const { number, blob } of touchesBack(database, order, id)) {
    const isWanted =
      condition === '' ||
      database.get(`SELECT 1 FROM commits WHERE number = ?${condition}`, Number(number), ...values) !==
        undefined;
    if (!isWanted) continue;
    if (passed < query.offset) passed++;
    else found.push({ number: Number(number), version: blob === null ? null : oidOf(blob) });
    if (found.length > query.limit) break;
  }
  return found;
}

/** What befell a page, newest first; from where it moved on, what befell the page that it was. */
function* touchesBack(database: IndexDatabase, { loose, below }: HistoryOrder, id: number): Generator<Row> {
  let path = id;
  for (const number of loose) {
    const row = database.get(`${selectTouches} = ?`, path, number);
    if (row === undefined) continue;
    yield row;
    path = Number(row.origin ?? path);
  }
  let next = below;
  for (let rows: Row[] | null = null; rows === null || rows.length > 0; ) {
    rows = database.all(`${selectTouches} <= ? ORDER BY number DESC LIMIT ${batch}`, path, next);
    for (const row of rows) {
      yield row;
      next = Number(row.number) - 1;
      if (row.origin === null) continue;
      path = Number(row.origin);
      break;
    }
  }
}

const selectTouches = 'SELECT number, blob, origin FROM touches WHERE path = ? AND number';
const batch = 64;

interface Condition {
  /** Empty, or begins with ` AND`. */
  condition: string;
  values: (number | string)[];
}

function conditionOf(database: IndexDatabase, { since, until, author, folders }: HistoryQuery): Condition {
  const parts: string[] = [];
  const values: (number | string)[] = [];
  if (since !== undefined) {
    parts.push(' AND committed >= ?');
    values.push(since.getTime());
  }
  if (until !== undefined) {
    parts.push(' AND committed <= ?');
    values.push(until.getTime());
  }
  if (author !== undefined) {
    const authors = database
      .all('SELECT id, name, email FROM authors')
      .filter(({ name, email }) => isAuthor({ name: String(name), email: String(email) }, author));
    parts.push(' AND author IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(authors.map(({ id }) => id)));
  }
  if (folders !== undefined) {
    parts.push(` AND (other_files OR pages = 0 OR length(parents) > ${oidBytes} OR EXISTS (
      SELECT 1 FROM touches JOIN paths ON paths.id = touches.path
      WHERE touches.number = commits.number AND ${liesInFolders('paths.path')}))`);
    values.push(JSON.stringify(folders));
  }
  return { condition: parts.join(''), values };
}

/** What more than these name is a merge. */
const oidBytes = 20;

/** Commits never change, so what was told of one is kept, for as long as it keeps its number. */
function entryOf(
  database: IndexDatabase,
  number: number,
  version: string | null,
  pagesMost: number,
): HistoryEntry {
  const key = `${number} ${pagesMost}`;
  const known = database.entries.get(key);
  if (known !== undefined) return version === null ? known : { ...known, version };
  const entry = readEntry(database, number, pagesMost);
  if (database.entries.size >= mostEntries) database.entries.clear();
  database.entries.set(key, entry);
  return { ...entry, version };
}

const mostEntries = 2_000;

function readEntry(database: IndexDatabase, number: number, pagesMost: number): HistoryEntry {
  const row = database.get(
    'SELECT commits.*, name, email FROM commits JOIN authors ON authors.id = author WHERE number = ?',
    number,
  );
  if (row === undefined) throw new Error(`The index lacks commit number ${number}.`);
  return {
    commit: {
      oid: oidOf(row.oid),
      parents: parentsOf(row),
      author: { name: String(row.name), email: String(row.email), date: new Date(Number(row.authored)) },
      committed: new Date(Number(row.committed)),
      message: String(row.message),
      agent: row.agent === null ? null : String(row.agent),
    },
    version: null,
    pages: pagesOf(database, number, row, pagesMost),
    pagesTotal: Number(row.pages),
  };
}

function pagesOf(
  database: IndexDatabase,
  number: number,
  { first_pages }: Row,
  pagesMost: number,
): HistoryEntry['pages'] {
  if (typeof first_pages === 'string' && pagesMost <= firstPages) {
    const pages = JSON.parse(first_pages) as [path: string, action: Action][];
    return pages.slice(0, pagesMost).map(([path, action]) => ({ path, action }));
  }
  const rows = database.all(
    `SELECT paths.path, action FROM touches JOIN paths ON paths.id = touches.path
     WHERE number = ? AND action <> 'left' ORDER BY paths.path LIMIT ?`,
    number,
    pagesMost,
  );
  return rows.map(({ path, action }) => ({ path: String(path), action: action as Action }));
}

type Action = HistoryEntry['pages'][number]['action'];
