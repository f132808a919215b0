import { expect, test } from 'vitest';
import { guessAuthor, parseAuthor } from './author.ts';

const nobody = { name: null, email: null };

test('an author is read from "Name <email>", and from nothing else', () => {
  expect(parseAuthor('Ada Lovelace <ada@example.org>')).toEqual({
    name: 'Ada Lovelace',
    email: 'ada@example.org',
  });
  expect(parseAuthor('  张伟 <w@例子.cn> ')).toEqual({ name: '张伟', email: 'w@例子.cn' });
  const wrong = [
    'Ada',
    'ada@example.org',
    '<ada@example.org>',
    'Ada <>',
    'A <a> <b>',
    'A\nB <a@b>',
    `${'x'.repeat(201)} <a@b>`,
  ];
  for (const text of wrong) expect(parseAuthor(text), text).toBeNull();
});

test("git's name and address come before the system's user", () => {
  expect(guessAuthor({ git: { name: 'Ada', email: 'ada@example.org' }, user: 'al', host: 'engine' })).toEqual(
    {
      name: 'Ada',
      email: 'ada@example.org',
    },
  );
  expect(guessAuthor({ git: { name: 'Ada', email: null }, user: 'al', host: 'engine' })).toEqual({
    name: 'Ada',
    email: 'al@engine',
  });
  expect(guessAuthor({ git: nobody, user: 'al', host: 'engine' })).toEqual({
    name: 'al',
    email: 'al@engine',
  });
});

test('there is always an author that a commit can name', () => {
  expect(guessAuthor({ git: nobody, user: null, host: '' })).toEqual({
    name: 'unknown',
    email: 'unknown@localhost',
  });
  const odd = guessAuthor({ git: { name: 'A <b>\nc', email: '<>' }, user: 'john smith', host: 'pc' });
  expect(odd).toEqual({ name: 'A b c', email: 'john-smith@pc' });
});
