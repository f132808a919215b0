import { LISTED_LANGUAGES, type ListedLanguage, languagesOf } from './stop-words.ts';

/**
 * The language of a page, as its code of two or three letters: from its frontmatter, else from its script,
 * else from most of its stop words. Null if these do not decide it; such a page counts for every language.
 */
export function languageOfPage(
  text: string,
  terms: readonly string[],
  frontmatter: Record<string, unknown>,
): string | null {
  const { lang, language } = frontmatter;
  const named = typeof lang === 'string' ? lang : language;
  const [, code] = typeof named === 'string' ? (/^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/i.exec(named) ?? []) : [];
  if (code !== undefined) return code.toLowerCase();
  const byScript = languageOfScript(text.slice(0, MAX_CHARACTERS), LEAST_SHARE);
  return byScript ?? languageOfStopWords(terms.slice(0, MAX_TERMS), LEAST_STOP_WORDS, CLEAR_LEAD);
}

/** The language of a query that is not in Latin script; one letter decides it. */
export function languageOfLetters(query: string): string | null {
  return languageOfScript(query, 0);
}

/** The language with the most stop words, and how many they are; null if there are none or two have as many. */
export function mostStopWords(
  terms: readonly string[],
  isCandidate: (language: string) => boolean = () => true,
): { language: ListedLanguage; count: number } | null {
  const [first, second] = countedLanguages(terms).filter(([language]) => isCandidate(language));
  if (first === undefined || first[1] === 0 || first[1] === second?.[1]) return null;
  return { language: first[0], count: first[1] };
}

/** Enough to decide, on a page of any size. */
const MAX_CHARACTERS = 4_000;
const MAX_TERMS = 1_000;
const MAX_LETTERS = 500;
/** The share of letters of another script than Latin: code is Latin in every language. */
const LEAST_SHARE = 0.05;
const LEAST_STOP_WORDS = 3;
/** The ratio of stop words of the first to the second language. */
const CLEAR_LEAD = 1.3;

function languageOfScript(text: string, leastShare: number): string | null {
  const letters = text.match(/[\p{L}--\p{sc=Latin}]/gv) ?? [];
  if (letters.length === 0 || letters.length < leastShare * text.length) return null;
  const sample = letters.slice(0, MAX_LETTERS).join('');
  const shares = SCRIPTS.map(([language, pattern]) => {
    return { language, share: (sample.match(pattern)?.length ?? 0) / Math.min(letters.length, MAX_LETTERS) };
  });
  const most = shares.reduce((best, each) => (each.share > best.share ? each : best));
  if (most.share === 0) return null;
  const isLike = (language: string, least: number) =>
    shares.some((each) => each.language === language && each.share > least);
  if (most.language === 'zh' && isLike('ja', LEAST_KANA)) return 'ja';
  if (most.language === 'ru' && isLike('uk', LEAST_UKRAINIAN)) return 'uk';
  return most.language;
}

const SCRIPTS: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['zh', /\p{sc=Han}/gu],
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['ru', /\p{sc=Cyrillic}/gu],
  ['uk', /[іїєґ]/giu],
  ['ar', /\p{sc=Arabic}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['th', /\p{sc=Thai}/gu],
  ['hi', /\p{sc=Devanagari}/gu],
];
/** Chinese text quotes a Japanese word now and then. */
const LEAST_KANA = 0.1;
const LEAST_UKRAINIAN = 0.02;

function languageOfStopWords(terms: readonly string[], least: number, lead: number): ListedLanguage | null {
  const [first, second] = countedLanguages(terms);
  if (first === undefined || second === undefined || first[1] < least) return null;
  // Words of both languages speak for neither: Spanish and Portuguese have many.
  const shared = terms.filter((term) => {
    const languages = languagesOf(term);
    return languages.includes(first[0]) && languages.includes(second[0]);
  }).length;
  const own = first[1] - shared;
  return own > second[1] - shared && own >= lead * (second[1] - shared) ? first[0] : null;
}

/** The listed languages with their numbers of stop words among the terms, most first. */
function countedLanguages(terms: readonly string[]): [language: ListedLanguage, count: number][] {
  const counts = new Map<ListedLanguage, number>(LISTED_LANGUAGES.map((language) => [language, 0]));
  for (const term of terms) {
    for (const language of languagesOf(term)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
