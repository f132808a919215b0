import { expect, test } from 'vitest';
import { type NamedPage, nameRank, wantedName } from './page-names.ts';

const page: NamedPage = { path: 'x/y', title: 'Z', titleTerms: 'z', aliases: ['v', 'w'] };

test.each<[rank: number, query: string, names: Partial<NamedPage>]>([
  [5, 'a/note', { path: 'A/Note' }],
  [4, 'note', { path: 'A/Note' }],
  [3, 'a note', { title: 'A Note', titleTerms: 'another' }],
  [2, 'note', { aliases: ['other', 'Note'] }],
  [1, 'a-note', { titleTerms: 'a note' }],
  [0, 'note', {}],
  [0, 'not', { path: 'A/Note', title: 'Note', titleTerms: 'note', aliases: ['Note'] }],
  [0, 'A', { path: 'A/Note' }],
])('a page has rank %i for the query %s', (rank, query, names) => {
  expect(nameRank({ ...page, ...names }, wantedName(query))).toBe(rank);
});

test('the best of the names of a page counts', () => {
  const all = { path: 'n', title: 'n', titleTerms: 'n', aliases: ['n'] };
  expect(nameRank(all, wantedName('n'))).toBe(5);
  expect(nameRank({ ...all, path: 'a/n' }, wantedName('n'))).toBe(4);
  expect(nameRank({ ...all, path: 'a' }, wantedName('n'))).toBe(3);
  expect(nameRank({ ...all, path: 'a', title: '' }, wantedName('n'))).toBe(2);
});

test.each([
  ['blanks around it', '  note '],
  ['in quotation marks', '"note"'],
  ['in capitals', 'NOTE'],
])('a query is the name of a page, with %s', (_way, query) => {
  expect(nameRank({ ...page, path: 'Note' }, wantedName(query))).toBe(5);
});

test('letters with marks are the same in both normal forms, and the marks count', () => {
  expect(nameRank({ ...page, path: 'Caf\u00e9' }, wantedName('cafe\u0301'))).toBe(5);
  expect(nameRank({ ...page, path: 'Caf\u00e9' }, wantedName('cafe'))).toBe(0);
});

test('a quotation mark within a query is part of the name', () => {
  expect(wantedName('"a" or "b"')).toEqual({ text: '"a" or "b"', terms: 'a or b', key: '"a" or "b"' });
  expect(wantedName('x "b"').text).toBe('x "b"');
  expect(wantedName('"b" x').text).toBe('"b" x');
  expect(wantedName('a/b.md')).toEqual({ text: 'a/b.md', terms: 'a b md', key: 'b' });
});
