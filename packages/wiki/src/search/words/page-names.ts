import { lastPartOf } from '../../core/paths/page-path.ts';
import { foldCase } from '../../core/text/fold-case.ts';
import { nameKey } from '../../core/text/links/link-names.ts';
import { normalForm } from '../../core/text/normal-form.ts';
import { termsOf } from './terms.ts';

/** The names by which a page can be found. */
export interface NamedPage {
  path: string;
  title: string;
  /** The terms of the title, separated by spaces. */
  titleTerms: string;
  aliases: readonly string[];
}

/** A query, interpreted as the name of a page. */
export interface WantedName {
  text: string;
  /** The terms of the query, separated by spaces. */
  terms: string;
  /** The result of `nameKey` for every name that equals it. */
  key: string;
}

export function wantedName(query: string): WantedName {
  const text = normal(query.trim().replace(/^"([^"]*)"$/, '$1'));
  return { text, terms: termsOf(query).join(' '), key: nameKey(text) };
}

/**
 * The rank of a page for a name: higher is better, 0 if it does not match. Paths come before aliases, as in
 * links.
 */
export function nameRank({ path, title, titleTerms, aliases }: NamedPage, wanted: WantedName): number {
  if (normal(path) === wanted.text) return 5;
  if (normal(lastPartOf(path)) === wanted.text) return 4;
  if (normal(title) === wanted.text) return 3;
  if (aliases.some((alias) => normal(alias) === wanted.text)) return 2;
  return titleTerms === wanted.terms ? 1 : 0;
}

/** Added to a score for each rank: more than the words of any query can add up to. */
export const RANK_SCORE = 10_000;

function normal(name: string): string {
  return foldCase(normalForm(name));
}
