import { isDeepStrictEqual } from 'node:util';
import type { Entry } from './clients.ts';

/** A settings file after an edit, or the sentence that says why it is left alone. */
export type Edit = { text: string } | Refusal;

export interface Refusal {
  refused: string;
}

/** Changes an entry of a settings file, or takes it out with `null`, and leaves every other byte as it was. */
export type EditSettings = (text: string, at: EntryPlace, entry: Entry | null) => Edit;

export interface EntryPlace {
  container: string;
  name: string;
}

/**
 * The resulting entry. A person's additions to an existing entry stay, such as a time limit or variables. An
 * entry that starts no program is another kind of server and is replaced.
 */
export function mergeEntry(present: unknown, wanted: Entry): Entry {
  if (!isRecord(present) || present.command === undefined) return wanted;
  const merged = Object.entries(wanted).map(([key, value]) => {
    const old = present[key];
    return [key, isRecord(old) && isRecord(value) ? { ...old, ...value } : value];
  });
  return { ...present, ...Object.fromEntries(merged) };
}

/**
 * True if an edit changed the entry and nothing else. Settings belong to people, so the text is written only
 * if a parser finds exactly the intended change.
 */
export function isAsMeant(before: unknown, after: unknown, at: EntryPlace, entry: Entry | null): boolean {
  const { [at.container]: servers, ...others } = isRecord(before) ? before : {};
  const { [at.container]: serversNow, ...othersNow } = isRecord(after) ? after : {};
  const { [at.name]: _, ...rest } = isRecord(servers) ? servers : {};
  const { [at.name]: entryNow, ...restNow } = isRecord(serversNow) ? serversNow : {};
  const isEntryRight = entry === null ? entryNow === undefined : isEqual(entryNow, entry);
  return isEntryRight && isEqual(others, othersNow) && isEqual(rest, restNow);
}

/** Parsers make objects with and without a prototype. */
export function isEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
