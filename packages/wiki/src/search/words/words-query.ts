import { languageOfLetters } from './languages/language-of.ts';
import { type LanguageStemmer, loadStemmers } from './languages/stemmers.ts';
import { type WantedName, wantedName } from './page-names.ts';
import { runsOf, termsOf } from './terms.ts';

/** Adjacent terms: a word, or a phrase. */
export interface Clause {
  terms: string[];
  /** The last term is only the beginning of a word. */
  prefix: boolean;
  /** In quotation marks: never split and never spelled otherwise. */
  quoted: boolean;
}

/** A parsed word query, ready for a search that waits for nothing. */
export interface WordsQuery {
  clauses: readonly Clause[];
  /** The name that makes a page the best answer. */
  name: WantedName;
  /** Its different words, in order. */
  terms: readonly string[];
  /** Its language if it has letters of another script than Latin. */
  letters: string | null;
  /** For this language, or for all languages. */
  stemmers: readonly LanguageStemmer[];
}

export async function readWordsQuery(text: string): Promise<WordsQuery> {
  const letters = languageOfLetters(text);
  return {
    clauses: parseWordsQuery(text),
    name: wantedName(text),
    terms: [...new Set(termsOf(text))],
    letters,
    stemmers: await loadStemmers(letters),
  };
}

/**
 * Turns every word, and every phrase in quotation marks, into a clause; `word*` means words that begin like
 * this. Text without letters or digits is left out, so there may be no clause at all.
 */
export function parseWordsQuery(query: string): Clause[] {
  const clauses: Clause[] = [];
  for (const [, phrase, word] of query.matchAll(clausePattern)) {
    const clause = phrase === undefined ? parseClause(word ?? '', false) : parseClause(phrase, true);
    if (clause.terms.length > 0) clauses.push(clause);
  }
  return clauses.slice(0, mostClauses);
}

/** Each term by itself, but phrases in quotation marks whole. */
export function looseClauses(clauses: readonly Clause[]): Clause[] {
  const loose = new Map<string, Clause>();
  for (const clause of clauses) {
    for (const part of clause.quoted ? [clause] : partsOf(clause)) loose.set(keyOf(part), part);
  }
  return [...loose.values()];
}

function parseClause(text: string, quoted: boolean): Clause {
  const runs = runsOf(text);
  const terms = runs.flatMap((run) => run.terms);
  const last = runs.at(-1);
  // The end of a run without spaces may continue in the page, where its last character then begins a pair.
  const open = last?.dense === true;
  if (open && last.terms.length > 1) terms.pop();
  const prefix = text.endsWith('*') || (open && last.terms.length === 1);
  return { terms: terms.slice(0, mostTerms), prefix, quoted };
}

function partsOf(clause: Clause): Clause[] {
  return clause.terms.map((term, at) => ({
    terms: [term],
    prefix: clause.prefix && at === clause.terms.length - 1,
    quoted: false,
  }));
}

function keyOf(clause: Clause): string {
  return `${clause.terms.join(' ')}${clause.prefix ? '*' : ''}`;
}

const mostClauses = 32;
const mostTerms = 64;
const clausePattern = /["“„«「『]([^"”“»」』]+)["”“»」』]|(\S+)/g;
