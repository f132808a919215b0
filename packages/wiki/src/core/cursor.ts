import { createHash } from 'node:crypto';
import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';

/** A position in a list: the commit of the list, and the number of rows before. */
export interface Place {
  commit: Oid;
  offset: number;
}

/** `query` holds the arguments of the list: a cursor continues that query and no other. */
export function encodeCursor(place: Place, query: unknown): string {
  return Buffer.from(JSON.stringify([place.commit, place.offset, fingerprint(query)])).toString('base64url');
}

/** Throws `invalid_input` if the text is not a cursor of this query. */
export function decodeCursor(cursor: string, query: unknown): Place {
  const [commit, offset, print] = parse(cursor);
  if (typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) throw notACursor();
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) throw notACursor();
  if (print !== fingerprint(query)) throw notACursor();
  return { commit, offset };
}

function fingerprint(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
}

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
