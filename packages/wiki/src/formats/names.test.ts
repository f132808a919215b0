import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../test/native-git.ts';
import { decodeName, encodeName, readableName } from './names.ts';
import { EMPTY_TREE, isOid, objectId } from './oid.ts';

test('a name of any text is stored as its bytes in UTF-8, and read back', () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$|\//.test(text));
  fc.assert(
    fc.property(fc.oneof(names, fc.constantFrom('\ufeffa', 'é', 'a\n')), (text) => {
      const name = encodeName(text);
      expect(Buffer.from(name, 'latin1').equals(Buffer.from(text, 'utf8'))).toBe(true);
      expect(decodeName(name)).toBe(text);
      expect(readableName(name)).toBe(text);
    }),
  );
});

test('bytes that are no UTF-8, or no part of a path, are no name', () => {
  for (const name of ['', '.', '..', 'a/b', '/', '\xff', '\xc3', 'a\xc3\x28', '\xed\xa0\x80'])
    expect(decodeName(name), JSON.stringify(name)).toBeNull();
  for (const name of ['...', '.a', 'a.', ' ', '\0']) expect(decodeName(name)).toBe(name);
  expect(readableName('\xffa\xc3\xa9')).toBe('\ufffdaé');
});

test('only forty hexadecimal digits in small letters are an id, and an object has the id that git gives it', () => {
  const oid = '0123456789abcdef0123456789abcdef01234567';
  expect(isOid(oid)).toBe(true);
  for (const text of [
    '',
    oid.slice(1),
    `${oid}0`,
    ` ${oid}`,
    `${oid}\n`,
    oid.toUpperCase(),
    `${oid.slice(1)}g`,
  ])
    expect(isOid(text), text).toBe(false);
  const directory = bareRepository();
  const content = Buffer.from('Ä page\n');
  expect(objectId('blob', content)).toBe(git(directory, ['hash-object', '--stdin'], content));
  expect(objectId('tree', Buffer.alloc(0))).toBe(EMPTY_TREE);
  expect(git(directory, ['hash-object', '-t', 'tree', '--stdin'], '')).toBe(EMPTY_TREE);
});
