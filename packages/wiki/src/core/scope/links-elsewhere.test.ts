import { expect, test } from 'vitest';
import { LinksElsewhere } from './links-elsewhere.ts';

const scope = { read: ['notes/', 'more/'], write: ['notes/'] };

test('a change after which links were looked for says where nobody looked', () => {
  const elsewhere = new LinksElsewhere(scope);
  const change = { changed: true, path: 'notes/A' };
  expect(elsewhere.addTo(change)).toBe(change);
  elsewhere.lookedFor();
  expect(elsewhere.addTo(change)).toEqual({
    ...change,
    links_elsewhere:
      'Pages outside of "notes/", "more/" were not looked at. Links on them to what this change moves, deletes or adds may lead elsewhere or nowhere now. check_wiki finds those that lead nowhere where the whole wiki may be seen.',
  });
});

test.each([null, undefined, 'text', {}, { changed: false }, { changed: 1 }])('%j is no change', (answer) => {
  const elsewhere = new LinksElsewhere(scope);
  elsewhere.lookedFor();
  expect(elsewhere.addTo(answer)).toBe(answer);
});
