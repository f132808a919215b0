import { expect, test } from 'vitest';
import { follow, moveIn } from '../../../../test/links/changed-wiki.ts';

test.each(['[[Notes]]', '[[ Notes ]]', '[[Notes #Part]]', '[[Notes.md]]', '[[t/Notes]]', '[n](t/Notes.md)'])(
  'a link that shows the new name of a page already stays: %s',
  (text) => {
    const renamed = moveIn(['P.md', 't/notes.md'], { 't/notes.md': 't/Notes.md' });
    expect(follow(text, renamed)).toEqual({ text, count: 0, retargeted: [] });
  },
);

test('a name that holds ".md" is compared as a whole', () => {
  const renamed = moveIn(['P.md', 'the .md format.md'], { 'the .md format.md': 'The .md format.md' });
  expect(follow('[[The .md format]]', renamed).count).toBe(0);
  expect(follow('[[the .md format]]', renamed).text).toBe('[[The .md format]]');
});

test('a link in another case than the name stays where the name stays', () => {
  const moved = moveIn(['P.md', 'f/Setup.md'], { 'f/Setup.md': 'g/Setup.md' });
  expect(follow('[[SETUP]] [[setup|text]]', moved)).toMatchObject({
    text: '[[SETUP]] [[setup|text]]',
    count: 0,
  });
});

test('a path from the folder of its page names no folder above it, so it stays where that one gets another case', () => {
  const names = ['d/P.md', 'd/Near.md', 'e/Far.md'];
  const moved = moveIn(
    names.map((name) => `x/${name}`),
    Object.fromEntries(names.map((name) => [`x/${name}`, `X/${name}`])),
  );
  const text = '[[./Near]] [n](./Near.md) [f](../e/Far.md) [[../e/Far]]';
  expect(follow(text, moved, 'x/d/P.md')).toEqual({ text, count: 0, retargeted: [] });
});
