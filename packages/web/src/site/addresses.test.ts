import { expect, test } from 'vitest';
import { pathIn } from './addresses.ts';

test('the path of an address is decoded part by part, and a slash within a part makes none', () => {
  const path = (rest: string) => pathIn(`http://localhost/main/${rest}`, '/main/');
  expect(path('a%20b/%C3%A9')).toBe('a b/é');
  for (const rest of ['a%2Fb', 'a%2fb', '%2F', 'a/%2F', '%', '%ff']) expect(path(rest), rest).toBeNull();
});
