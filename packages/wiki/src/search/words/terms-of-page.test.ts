import { expect, test } from 'vitest';
import { MAX_HEADINGS_FOUND } from '../../core/text/markdown/outline.ts';
import { factsOf } from '../../core/text/markdown/page-facts.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { termsOf } from './terms.ts';
import { wordSteps } from './terms-of-page.ts';

const wordsOf = (path: string, text: string) => atOnce(wordSteps(path, text, factsOf(path, text)));

test('each column has the words of its part of the page, and the body has all', () => {
  const text = [
    '---\naliases: [Beta page, Gamma]\ntags: [delta]\n---\n# Epsilon',
    'A sentence that is long enough to lead.',
    '## Zeta *eta*\n### Theta',
  ].join('\n');
  expect(wordsOf('folder/My page', text)).toEqual({
    title: ['epsilon'],
    headings: ['epsilon', 'zeta', 'eta', 'theta', 'beta', 'page', 'gamma', 'delta'],
    path: ['folder', 'my', 'page'],
    lead: termsOf('A sentence that is long enough to lead.'),
    body: termsOf(text),
  });
});

test('headings and aliases that stand one after the other do not join to a word', () => {
  const { headings } = wordsOf('a', '---\naliases: [cd, ef]\n---\n# ab\n');
  expect(headings).toEqual(['ab', 'cd', 'ef']);
});

test('a page has a limited number of headings, and the rest is text', () => {
  const text = Array.from({ length: MAX_HEADINGS_FOUND + 2 }, (_, at) => `# h${at}`).join('\n');
  const { headings, body } = wordsOf('a', text);
  expect(headings).toEqual(body.slice(0, MAX_HEADINGS_FOUND));
});

test('a word that is left out keeps its place, and no query finds it', () => {
  const { body } = wordsOf('a', `${'again '.repeat(25_001)}end`);
  const [placeholder = ''] = body.slice(25_000);
  expect(placeholder).toHaveLength(1);
  expect(termsOf(placeholder)).toEqual([]);
  expect(body.slice(25_001)).toEqual(['end']);
  expect(wordsOf('a', 'again '.repeat(25_000)).body.at(-1)).toBe('again');
});
