import type { PageFilter } from '../../core/index-port.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { liesInFolders } from '../sqlite/folders-condition.ts';
import type { IndexDatabase } from '../sqlite/index-database.ts';
import { filterCondition } from '../sqlite/page-filter.ts';
import type { Occurrence } from './word-matcher.ts';

/** The pages in the searched folders, with the other facts that the search needs. */
export function* withFacts(
  database: IndexDatabase,
  filter: PageFilter,
  pages: ReadonlyMap<number, number[]>,
): Steps<Occurrence[]> {
  const ids = [...pages.keys()];
  if (isKnown(filter)) return yield* withKnownFacts(database, filter.withoutHidden === true, pages, ids);
  const { facts, joined, values, within } = factsOfPages(database, filter);
  const found: Occurrence[] = [];
  for (let at = 0; at < ids.length; at += PAGES_AT_ONCE) {
    const rows = database.arrays(
      `SELECT pages.id, ${facts} FROM pages ${joined} WHERE pages.id IN (SELECT value FROM json_each(?)) ${within}`,
      ...values.facts,
      JSON.stringify(ids.slice(at, at + PAGES_AT_ONCE)),
      ...values.within,
    );
    for (const row of rows) found.push(occurrence(row, pages.get(Number(row[0])) ?? []));
    yield;
  }
  return found;
}

/** True if what is kept of each page decides whether a search may return it. */
function isKnown({ prefix, ...filter }: PageFilter): boolean {
  const { folders, tag, updatedSince, updatedUntil, author, agent, property } = filter;
  const limits = [folders, tag, updatedSince, updatedUntil, author, agent, property];
  return prefix === '' && limits.every((limit) => limit === undefined);
}

function* withKnownFacts(
  database: IndexDatabase,
  withoutHidden: boolean,
  pages: ReadonlyMap<number, number[]>,
  ids: readonly number[],
): Steps<Occurrence[]> {
  const found: Occurrence[] = [];
  for (let at = 0; at < ids.length; at += PAGES_AT_ONCE) {
    const some = ids.slice(at, at + PAGES_AT_ONCE);
    const facts = knownPages(database, some);
    for (const page of some) {
      const known = facts.get(page);
      if (known === undefined) continue;
      const { language, terms: length, hidden } = known;
      const isAdmitted = !(withoutHidden && hidden);
      found.push({ page, language, length, isAdmitted, counts: pages.get(page) ?? [] });
    }
    yield;
  }
  return found;
}

/** The kept facts of pages, with those of `ids`, at most `PAGES_AT_ONCE`. */
export function knownPages(
  database: IndexDatabase,
  ids: readonly number[],
): ReadonlyMap<number, { language: string | null; terms: number; allTerms: number; hidden: boolean }> {
  const { knownPages } = database;
  const isMissing = (id: number) => !knownPages.has(id);
  if (!ids.some(isMissing)) return knownPages;
  if (knownPages.size + ids.length > MAX_KNOWN) knownPages.clear();
  const rows = database.arrays(
    'SELECT id, language, terms, all_terms, hidden FROM pages WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids.filter(isMissing)),
  );
  for (const [id, language, terms, allTerms, hidden] of rows) {
    knownPages.set(Number(id), {
      language: String(language) || null,
      terms: Number(terms),
      allTerms: Number(allTerms),
      hidden: hidden === 1,
    });
  }
  return knownPages;
}

/** The parts of a statement that reads what a search needs of each page. */
function factsOfPages(database: IndexDatabase, { folders, ...filter }: PageFilter) {
  const admitted = filterCondition(database, filter);
  const isJoined = admitted.condition.includes('paths.') || folders !== undefined;
  return {
    facts: `pages.language, pages.terms, ${admitted.condition}`,
    joined: isJoined ? 'CROSS JOIN paths ON paths.id = pages.id' : '',
    within: folders === undefined ? '' : `AND ${liesInFolders('paths.path')}`,
    values: { facts: admitted.values, within: folders === undefined ? [] : [JSON.stringify(folders)] },
  };
}

/** An occurrence from a row of a page's id and facts. */
function occurrence([page, language, length, isAdmitted]: readonly unknown[], counts: number[]): Occurrence {
  return {
    page: Number(page),
    language: String(language) || null,
    length: Number(length),
    isAdmitted: Number(isAdmitted) === 1,
    counts,
  };
}

/** A statement over so many pages takes some milliseconds. */
export const PAGES_AT_ONCE = 1_000;
/** Some ten megabytes. */
const MAX_KNOWN = 100_000;
