import { runsOf } from './words.ts';

/** Terms that stand side by side: a word, or a phrase. */
export interface Clause {
  terms: string[];
  /** The last term is only the beginning of one. */
  prefix: boolean;
  /** In quotation marks: never taken apart, never spelt otherwise. */
  quoted: boolean;
}

/**
 * Every word, and every phrase in quotation marks, becomes a clause; `word*` means words that begin so. What holds
 * no letter or digit is left out, so there may be no clause at all.
 */
export function parseWordsQuery(query: string): Clause[] {
  const clauses: Clause[] = [];
  for (const [, phrase, word] of query.matchAll(clausePattern)) {
    const clause = phrase === undefined ? parseClause(word ?? '', false) : parseClause(phrase, true);
    if (clause.terms.length > 0) clauses.push(clause);
  }
  return clauses.slice(0, mostClauses);
}

/** What to look for where few pages hold all of the query: each term by itself, but phrases in quotation marks whole. */
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
  // The end of a run without spaces may go on in the page, where its last character then begins a pair.
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
