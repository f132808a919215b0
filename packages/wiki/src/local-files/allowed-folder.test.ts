import { posix, win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderAround, namesOf } from './allowed-folder.ts';

const around = (system: typeof posix, spelled: string, path: string) =>
  folderAround([{ spelled, real: 'the real one' }], path, system)?.rest ?? null;

test('the first folder that holds the path is taken, by any of its names', () => {
  const folders = [
    { spelled: '/a/b', real: '/inner' },
    { spelled: '/a', real: '/outer' },
  ];
  expect(folderAround(folders, '/a/b/c', posix)).toEqual({ real: '/inner', rest: ['', 'c'] });
  expect(folderAround(folders, '/a/c', posix)).toEqual({ real: '/outer', rest: ['', 'c'] });
  expect(folderAround(folders, '/c', posix)).toBeNull();
});

describe('elsewhere than on Windows', () => {
  test.each([
    ['/a', '/a', ['']],
    ['/a', '/a/b/c', ['', 'b', 'c']],
    ['/', '/b', ['b']],
    ['/a', '/ab', null],
    ['/a', '/A/b', null],
    ['/A', '/a/b', null],
    ['/a', '/a\\b', null],
  ])('below %s, %s is %j', (folder, path, rest) => {
    expect(around(posix, folder, path)).toEqual(rest);
  });

  test('a backslash is part of a name', () => {
    expect(namesOf('a\\b/c', posix)).toEqual(['a\\b', 'c']);
  });
});

describe('on Windows', () => {
  test.each([
    ['C:\\a', 'C:\\a', ['']],
    ['C:\\a', 'C:\\a\\b\\c', ['', 'b', 'c']],
    ['C:\\', 'C:\\b', ['b']],
    ['C:\\a', 'c:\\A\\B', ['', 'B']],
    ['c:\\A', 'C:\\a\\B', ['', 'B']],
    ['C:\\a', 'C:\\ab', null],
    ['C:\\a', 'D:\\a', null],
  ])('below %s, %s is %j', (folder, path, rest) => {
    expect(around(win32, folder, path)).toEqual(rest);
  });

  test('both slashes separate names', () => {
    expect(namesOf('a\\b/c', win32)).toEqual(['a', 'b', 'c']);
  });
});
