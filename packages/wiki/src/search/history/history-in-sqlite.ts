import type { Oid } from '../../contract/ids.ts';
import { isAuthor, lowerCase } from '../../core/history-filter.ts';
import type { Departure, HistoryEntry, HistoryQuery, Move } from '../../core/index-port.ts';
import { liesInFolders } from '../sqlite/folders-condition.ts';
import type { IndexDatabase, Row } from '../sqlite/index-database.ts';
import { bytesOf, oidOf } from '../sqlite/oid-bytes.ts';
import { type HistoryOrder, historyOrder } from './ancestor-numbers.ts';
import { firstPages, parentsOf, readNumbered } from './record-history.ts';

/** History from the index, which must have the query's commit and may be ahead of it. */
export function queryHistory(
  database: IndexDatabase,
  query: HistoryQuery,
): { entries: HistoryEntry[]; more: boolean } {
  const order = historyOrder(database, query.commit);
  const found =
    query.path === undefined ? ofWiki(database, query, order) : ofPage(database, query, order, query.path);
  const shown = found.slice(0, query.limit);
  return {
    entries: shown.map((touch) => entryOf(database, touch, query.pagesMost)),
    more: found.length > shown.length,
  };
}

/**
 * The way in which a page left its path, according to the newest commit that touched it; null if it did not.
 */
export function queryDeparture(database: IndexDatabase, commit: Oid, path: string): Departure | null {
  const id = database.value('SELECT id FROM paths WHERE path = ?', path);
  if (typeof id !== 'number') return null;
  const [touch] = touchesBack(database, historyOrder(database, commit), id);
  if (touch === undefined || touch.blob !== null) return null;
  const number = Number(touch.number);
  return { commit: readNumbered(database, number).oid, movedTo: movedAway(database, number, id) };
}

/** The path to which a commit moved a page away from its path. */
function movedAway(database: IndexDatabase, number: number, id: number): string | null {
  const movedTo = database.value(
    `SELECT paths.path FROM touches JOIN paths ON paths.id = touches.path
     WHERE number = ? AND origin = ? AND action = 'moved'`,
    number,
    id,
  );
  return typeof movedTo === 'string' ? movedTo : null;
}

/** The first move of a page away from its path after the commit `since`. */
export function queryMoveAfter(database: IndexDatabase, commit: Oid, path: string, since: Oid): Move | null {
  const id = database.value('SELECT id FROM paths WHERE path = ?', path);
  const start = database.value('SELECT number FROM commits WHERE oid = ?', bytesOf(since));
  if (typeof id !== 'number' || typeof start !== 'number') return null;
  const { loose, below } = historyOrder(database, commit);
  const place = loose.indexOf(start);
  if (place === -1 && start > below) return null;
  const left = `SELECT number FROM touches WHERE path = ? AND action = 'left' AND number`;
  const numbers =
    place === -1
      ? database
          .all(`${left} > ? AND number <= ? ORDER BY number`, id, start, below)
          .map(({ number }) => number)
      : [];
  const later = loose.slice(0, place === -1 ? loose.length : place).reverse();
  numbers.push(...later.filter((number) => database.get(`${left} = ?`, id, number) !== undefined));
  for (const number of numbers) {
    const movedTo = movedAway(database, Number(number), id);
    if (movedTo !== null) return { commit: readNumbered(database, Number(number)).oid, movedTo };
  }
  return null;
}

interface Found {
  number: number;
  version: string | null;
  path: string | null;
  origin: string | null;
}

/** One more entry than requested, if there is one. */
function ofWiki(database: IndexDatabase, query: HistoryQuery, { loose, below }: HistoryOrder): Found[] {
  const { condition, values } = conditionOf(database, query);
  const first = loose.filter(
    (number) =>
      database.get(`SELECT 1 FROM commits WHERE number = ?${condition}`, number, ...values) !== undefined,
  );
  const wanted = query.limit + 1;
  const numbers = first.slice(query.offset, query.offset + wanted);
  if (numbers.length < wanted && condition === '') {
    // Every number from 1 up is a commit, so none needs to be looked up.
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
  return numbers.map((number) => ({ number, version: null, path: null, origin: null }));
}

function ofPage(database: IndexDatabase, query: HistoryQuery, order: HistoryOrder, path: string): Found[] {
  const id = database.value('SELECT id FROM paths WHERE path = ?', path);
  if (typeof id !== 'number') return [];
  const { condition, values } = conditionOf(database, query);
  const found: Found[] = [];
  let passed = 0;
  for (const { number, path, blob, origin } of touchesBack(database, order, id)) {
    const isWanted =
      condition === '' ||
      database.get(`SELECT 1 FROM commits WHERE number = ?${condition}`, Number(number), ...values) !==
        undefined;
    if (!isWanted) continue;
    if (passed < query.offset) passed++;
    else {
      const version = blob === null ? null : oidOf(blob);
      found.push({
        number: Number(number),
        version,
        path: pathOf(database, path),
        origin: pathOf(database, origin),
      });
    }
    if (found.length > query.limit) break;
  }
  return found;
}

function pathOf(database: IndexDatabase, id: unknown): string | null {
  if (id === null || id === undefined) return null;
  return String(database.value('SELECT path FROM paths WHERE id = ?', Number(id)));
}

/** The changes of a page, newest first. After a move, continues with the page that it was before. */
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

const selectTouches = 'SELECT number, path, blob, origin FROM touches WHERE path = ? AND number';
const batch = 64;

interface Condition {
  /** Empty, or begins with ` AND`. */
  condition: string;
  values: (number | string)[];
}

function conditionOf(
  database: IndexDatabase,
  { since, until, author, agent, folders }: HistoryQuery,
): Condition {
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
  const writer = writerCondition(database, { author, agent });
  parts.push(writer.condition);
  values.push(...writer.values);
  if (folders !== undefined) {
    parts.push(` AND (other_files > 0 OR pages = 0 OR length(parents) > ${oidBytes} OR EXISTS (
      SELECT 1 FROM touches JOIN paths ON paths.id = touches.path
      WHERE touches.number = commits.number AND ${liesInFolders('paths.path')}))`);
    values.push(JSON.stringify(folders));
  }
  return { condition: parts.join(''), values };
}

/** A condition on `commits`: those of such an author, through such an agent. */
export function writerCondition(
  database: IndexDatabase,
  { author, agent }: Pick<HistoryQuery, 'author' | 'agent'>,
): Condition {
  const parts: string[] = [];
  const values: string[] = [];
  if (author !== undefined) {
    const authors = database
      .all('SELECT id, name, email FROM authors')
      .filter(({ name, email }) => isAuthor({ name: String(name), email: String(email) }, author));
    parts.push(' AND author IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(authors.map(({ id }) => id)));
  }
  if (agent !== undefined) {
    // SQLite's lower() handles only ASCII, as lowerCase does. No agent: NULL, which is not above 0.
    parts.push(' AND instr(lower(agent), ?) > 0');
    values.push(lowerCase(agent));
  }
  return { condition: parts.join(''), values };
}

/** A commit with more bytes of parents than this is a merge. */
const oidBytes = 20;

/** Commits never change, so the entry of one is kept for as long as it keeps its number. */
function entryOf(
  database: IndexDatabase,
  { number, version, path, origin }: Found,
  pagesMost: number,
): HistoryEntry {
  const key = `${number} ${pagesMost}`;
  const known = database.entries.get(key);
  if (known !== undefined) return path === null ? known : { ...known, version, path, origin };
  const entry = readEntry(database, number, pagesMost);
  if (database.entries.size >= mostEntries) database.entries.clear();
  database.entries.set(key, entry);
  return { ...entry, version, path, origin };
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
    path: null,
    origin: null,
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
