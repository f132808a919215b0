import { createHash } from 'node:crypto';
import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';

/** A position in a list: the commit of the list, and the number of rows before. */
export interface Place {
  commit: Oid;
  offset: number;
  /** Keys of what the answers so far had before its turn, or had already (`keyOf`). Empty if there is none. */
  shown: readonly string[];
  /** Keys of the passages that the answers so far had (`passageKeyOf`). */
  said: readonly string[];
  /** When the list began, in milliseconds since 1970: "2 hours ago" means the same in all its answers. */
  began: number | null;
}

/**
 * `query` holds the arguments of the list: a cursor continues that query and no other. The oldest keys are left out if
 * the cursor would have more characters than `most`; what they stand for may be shown again.
 */
export function encodeCursor(
  { commit, offset, shown = [], said = [], began = null }: Pick<Place, 'commit' | 'offset'> & Partial<Place>,
  query: unknown,
  most = MAX_CHARACTERS,
): string {
  const room = Math.floor((most * 3) / 4) - CHARACTERS_BESIDE_KEYS;
  const pages = newest(shown, Math.min(MAX_SHOWN, Math.floor(room / KEY_LENGTH)));
  const passages = newest(said, Math.floor((room - pages.length) / PASSAGE_KEY_LENGTH));
  const keys = [pages, passages];
  const more = began === null ? keys : [...keys, began];
  const values = [commit, offset, fingerprint(query), ...(more.join('') === '' ? [] : more)];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** A short key of a text. Two texts have the same key by a chance that may be neglected. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
}

/** A shorter key, as an answer has many passages. One among a million that have not been shown has a key that was. */
export function passageKeyOf(said: string): string {
  return keyOf(said).slice(0, PASSAGE_KEY_LENGTH);
}

const KEY_LENGTH = 8;
const PASSAGE_KEY_LENGTH = 5;
/** The characters that the key of one more passage adds to a cursor, in base64. */
export const PASSAGE_KEY_BYTES = Math.ceil((PASSAGE_KEY_LENGTH * 4) / 3);
const MAX_SHOWN = 150;
/** Then a cursor remembers the last 275 passages. */
const MAX_CHARACTERS = 2_000;
/** The commit, the offset, the print and the time, before they become base64. */
const CHARACTERS_BESIDE_KEYS = 125;

function newest(keys: readonly string[], most: number): string {
  return most <= 0 ? '' : keys.slice(-most).join('');
}

/** Throws `invalid_input` if the text is not a cursor of this query. */
export function decodeCursor(cursor: string, query: unknown): Place {
  const [commit, offset, print, pages = '', passages = '', began = null] = parse(cursor);
  if (typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) throw notACursor();
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) throw notACursor();
  if (print !== fingerprint(query)) throw notACursor();
  if (typeof pages !== 'string' || typeof passages !== 'string') throw notACursor();
  if (began !== null && !isTime(began)) throw notACursor();
  return { commit, offset, shown: pages.match(KEYS) ?? [], said: passages.match(PASSAGE_KEYS) ?? [], began };
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && !Number.isNaN(new Date(Number(value)).getTime());
}

function fingerprint(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
}

const KEYS = new RegExp(`.{${KEY_LENGTH}}`, 'g');
const PASSAGE_KEYS = new RegExp(`.{${PASSAGE_KEY_LENGTH}}`, 'g');

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // Not JSON, so not a cursor: the caller reports it.
  }
}

function notACursor(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The cursor does not belong to this query.',
    now: 'A cursor continues only the query that it came from, with the same arguments.',
    next: 'Repeat the arguments of the first call, or leave cursor out to begin again.',
  });
}
