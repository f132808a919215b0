import { expect, test } from 'vitest';
import { numberedWords, pagesOfWords } from '../../../test/search/worded-pages.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { conceptSteps, effortOfSearch, wantedParts } from './concepts.ts';
import { loadStemmers, type Stemmer } from './languages/stemmers.ts';
import { type Clause, parseWordsQuery } from './words-query.ts';

const germanStemmer = (await loadStemmers('de'))[0]?.stem ?? null;
const textOf = ({ terms, prefix }: Clause) => `${terms.join(' ')}${prefix ? '*' : ''}`;

/** The parts with their weights, and a `?` behind stop words. */
function partsOf(query: string, language: string | null = null) {
  const { parts, isKeywords } = wantedParts(parseWordsQuery(query), language);
  const named = parts.map(({ clause, weight, isStopWord }) => [
    `${textOf(clause)}${isStopWord ? '?' : ''}`,
    Math.round(weight * 100) / 100,
  ]);
  return { parts: Object.fromEntries(named), isKeywords };
}

test.each<[query: string, parts: Record<string, number>]>([
  ['word', { word: 1 }],
  ['TCP/IP', { 'tcp ip': 1, tcp: 1, ip: 1 }],
  ['a-b-c*', { 'a b': 1, a: 1, b: 1, 'c*': 1 }],
  ['a-b*', { a: 1, 'b*': 1 }],
  ['"quick brown"', { 'quick brown': 1 }],
  ['"quick"', { quick: 1 }],
  ['"quick bro*"', { quick: 1, 'bro*': 1 }],
  ['"quick brown fo*"', { 'quick brown': 1, 'fo*': 1 }],
  ['foo foo foo* "f oo"', { foo: 1, 'foo*': 1, 'f oo': 1 }],
  ['使用模板', { 使用: 0.58, 用模: 0.58, 模板: 0.58 }],
  ['"使用模板"', { '使用 用模 模板': 1 }],
  ['使用 使用模板 使用', { 使用: 1, 用模: 0.58, 模板: 0.58 }],
])('the parts of the query %s, each with its weight', (query, parts) => {
  expect(partsOf(query)).toEqual({ parts, isKeywords: true });
});

test('a Korean word counts whole, beside its pairs', () => {
  const pairs = { 로그: 0.71, 그인: 0.71 };
  expect(partsOf('로그인').parts).toEqual(pairs);
  expect(partsOf('로그인', 'ko').parts).toEqual({ '로그 그인': 0.5, ...pairs });
  expect(partsOf('a-b', 'ko').parts).toEqual({ 'a b': 1, a: 1, b: 1 });
});

test('a phrase is searched by its first words', () => {
  const words = Array.from({ length: 20 }, (_, at) => `w${at}`);
  const [phrase, ...more] = Object.keys(partsOf(words.join('-')).parts);
  expect(phrase).toBe(words.slice(0, 16).join(' '));
  expect(more).toEqual(words);
});

test.each<[query: string, parts: string[], isKeywords: boolean]>([
  ['the lantern', ['lantern', 'the?'], true],
  ['is the lantern', ['lantern', 'is?', 'the?'], true],
  ['where is the lantern', ['lantern'], false],
  ['lantern gravel quorum zephyr', ['lantern', 'gravel', 'quorum', 'zephyr'], true],
  ['where is the', ['where', 'is', 'the'], false],
  ['the* lantern', ['the*', 'lantern'], true],
  ['"the" lantern', ['the', 'lantern'], true],
  ['the-lantern', ['the lantern', 'lantern', 'the?'], true],
  ['人 lantern', ['lantern', '人*?'], true],
  ['人', ['人*'], false],
  ['人* lantern', ['lantern', '人*?'], true],
  ['"人" lantern', ['人*', 'lantern'], true],
  ['人ab', ['人', 'ab'], true],
  ['使用* lantern', ['使用*', 'lantern'], true],
])(
  'stop words come last in a short query, and are left out of a long one: %s',
  (query, parts, isKeywords) => {
    const found = partsOf(query, 'en');
    expect({ ...found, parts: Object.keys(found.parts) }).toEqual({ parts, isKeywords });
  },
);

test('no word says nothing in a query of an unknown language', () => {
  expect(Object.keys(partsOf('the lantern').parts)).toEqual(['the', 'lantern']);
});

test('a search is for a limited number of parts', () => {
  const joined = Array.from({ length: 25 }, (_, at) => `a${at}-b${at}-c${at}`).join(' ');
  expect(Object.keys(partsOf(joined).parts)).toHaveLength(64);
  const characters = Array.from({ length: 70 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const clauses = characters.map((one) => ({ terms: [one], prefix: true, quoted: false }));
  const { parts, isKeywords } = wantedParts(clauses, null);
  expect([parts.length, isKeywords]).toEqual([64, false]);
  expect(parts.every(({ isStopWord }) => !isStopWord)).toBe(true);
});

interface Searched {
  clause?: Partial<Clause>;
  stemmers?: Stemmer[];
  german?: boolean;
  effort?: ReturnType<typeof effortOfSearch>;
  isStopWord?: boolean;
  prefix?: string;
}

/** The clauses that are searched for a term, in a wiki where each text is a page. */
function searched(term: string, texts: string[], given: Searched = {}): string[] {
  const { stemmers = [], german = false, effort = effortOfSearch(), isStopWord = false, prefix = '' } = given;
  const part = {
    clause: { terms: [term], prefix: false, quoted: false, ...given.clause },
    weight: 1,
    isStopWord,
  };
  const languages = { language: null, stemmers, germanStemmer: german ? germanStemmer : null };
  const matcher = pagesOfWords(
    texts.map((text) => ({ words: text.split(' ') })),
    prefix,
  );
  return atOnce(conceptSteps(part, languages, matcher, effort)).clauses.map(textOf);
}

const firstFour: Stemmer = (word) => word.slice(0, 4);

test('forms are words with the same stem that begin alike, up to a limited number', () => {
  expect(searched('lamps', ['lamp lamps lamb lampion damp'], { stemmers: [firstFour] })).toEqual([
    'lamps',
    'lamp',
    'lampion',
  ]);
  const many = numberedWords('lamp', 150);
  const lastOnes: Stemmer = (word) => (word === 'lamps' || word > (many[99] ?? '') ? 'lamp' : word);
  const found = searched('lamps', [many.join(' ')], { stemmers: [firstFour, lastOnes] });
  expect(found).toEqual(['lamps', ...many.slice(0, 100)]);
});

test('forms begin as the word does, but for two letters at the end of its stem', () => {
  const same: Stemmer = () => 'sameone';
  const texts = ['lanterns lante lant lanxx'];
  expect(searched('lanterns', texts, { stemmers: [same] })).toEqual(['lanterns', 'lante']);
  expect(searched('lant', texts, { stemmers: [same] })).toEqual(['lant', 'lante', 'lanterns', 'lanxx']);
  expect(searched('lan', texts, { stemmers: [same] })).toEqual(['lan', 'lant', 'lante', 'lanterns', 'lanxx']);
});

test('forms are found among many words, as far as the effort allows', () => {
  const others = numberedWords('lampa', 700);
  const lastLetter: Stemmer = (word) => (word.startsWith('lampz') || word === 'lampy' ? 'lamp' : word);
  const texts = [[...others, 'lampy', 'lampz', 'lampzz'].join(' ')];
  expect(searched('lampy', texts, { stemmers: [lastLetter] })).toEqual(['lampy', 'lampz', 'lampzz']);
  const effort = effortOfSearch();
  effort.forms.left = 702;
  expect(searched('lampy', texts, { stemmers: [lastLetter], effort })).toEqual(['lampy', 'lampz']);
  expect(effort.forms.left).toBe(-1);
  expect(searched('lampy', texts, { stemmers: [lastLetter], effort })).toEqual(['lampy']);
});

test('a word is compared only with those that begin alike', () => {
  const effort = effortOfSearch();
  const { left } = effort.forms;
  searched('lamps', [[...numberedWords('lamp', 10), ...numberedWords('m', 100)].join(' ')], {
    stemmers: [firstFour],
    effort,
  });
  expect(left - effort.forms.left).toBe(11);
});

test.each<[name: string, clause: Partial<Clause>]>([
  ['a word in quotation marks', { quoted: true }],
  ['the beginning of a word', { prefix: true }],
  ['a phrase', { terms: ['kundenx', 'gravel'] }],
  ['a word with a digit before it', { terms: ['1kundenx'] }],
  ['a word with a digit behind it', { terms: ['kundenx1'] }],
])('%s has no other forms', (_name, clause) => {
  const one: Stemmer = () => 'one';
  expect(searched('kundenx', ['kundeny 1kundeny'], { clause, stemmers: [one] })).not.toContain('kundeny');
});

test.each<[name: string, clause: Partial<Clause>]>([
  ['a word in quotation marks', { quoted: true }],
  ['the beginning of a word', { prefix: true }],
  ['a phrase', { terms: ['kunden', 'gravel'] }],
  ['a short word', { terms: ['kun'] }],
  ['a long word', { terms: ['k'.repeat(65)] }],
  ['a word behind a sign', { terms: ['-kundem'] }],
  ['a word before a sign', { terms: ['kundem-'] }],
  ['a word with a sign in it', { terms: ['kun-dem'] }],
])('%s is part of no compound, and is spelt in no other way', (_name, clause) => {
  const texts = ['kundenhauser kundan kundem kunx -kundan kundan- kun-dan', 'k'.repeat(66)];
  expect(searched('kunden', texts, { clause, german: true })).toHaveLength(1);
});

test('a word on no page is searched in its compounds, else in other spellings and their forms', () => {
  expect(searched('kunden', ['kunden kundenhauser kundan'], { german: true })).toEqual(['kunden']);
  expect(searched('kunden', ['kundenhauser kundan'], { german: true })).toEqual(['kunden', 'kundenhauser']);
  expect(searched('kunden', ['kundan kundaxyz'], { german: true, stemmers: [firstFour] })).toEqual([
    'kunden',
    'kundan',
    'kundaxyz',
  ]);
});

test('a word with a digit may be misspelt', () => {
  expect(searched('lamp1', ['lamp'])).toEqual(['lamp1', 'lamp']);
});

test('the spellings on the most pages are searched, in the folder alone', () => {
  const words = ['lampa', 'lampb', 'lampc', 'lampd', 'lampe', 'lampf', 'lampg', 'lamph', 'lampi'];
  const texts = [words.join(' '), 'lampi lamph', 'lampi', 'another page', 'one more'];
  expect(searched('lampx', texts)).toEqual(['lampx', 'lampi', 'lamph', ...words.slice(0, 6)]);
  expect(searched('lampx', texts, { prefix: '1' })).toEqual(['lampx', 'lamph', 'lampi']);
});

test('a stop word is searched as it stands', () => {
  expect(searched('lamps', ['lamp'], { stemmers: [firstFour], isStopWord: true })).toEqual(['lamps']);
});
