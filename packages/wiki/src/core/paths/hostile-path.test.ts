import { describe, expect, test } from 'vitest';
import { isDotFile, isHostileEntry, isHostileName, isHostilePath, mayLeaveAsFile } from './hostile-path.ts';

test('an entry of a folder counts with the path of that folder', () => {
  const folder = `${'x'.repeat(4_000)}/`;
  expect([95, 96].map((length) => isHostileEntry(folder, 'y'.repeat(length)))).toEqual([false, true]);
});

test('a long name is judged in time that grows with it', () => {
  for (const part of ['~', '.git', 'a~1', 'git~']) {
    const name = `${part}${' .'.repeat(500_000)}x`;
    expect(isHostileName(name)).toBe(false);
    expect(isDotFile(name, 'gitmodules')).toBe(false);
  }
  expect(isHostileName(`a${'\\a'.repeat(500_000)}\\.git`)).toBe(true);
});

describe('a name', () => {
  test.each([
    ...['', '.', '..', 'a/b', 'a\0b'],
    ...[
      '.git',
      '.GIT',
      '.gIt',
      'git~1',
      'GIT~1',
      '.git ',
      '.git. .',
      'git~1.',
      '.git:x',
      '.git::$INDEX_ALLOCATION',
    ],
    ...['.g\u200cit', '\ufeff.git', '.git\u202e', 'a\\.git', '.git\\config', 'a\\b\\git~1 '],
    ...['.gitmodules', '.GitModules.', 'gitmod~1', 'GITMOD~4 ', 'gi7eba~1', 'gi7e~123', '~1234567'],
    ...['.gitattributes', 'gitatt~1', 'gi7d29~1', 'a\\.gitmodules', '.git\u200dattributes'],
    ...['..\\a', 'a\\..\\..\\b', '\\\\server\\share', 'C:\\Windows', '\\x'],
  ])('%j is quarantined', (name) => {
    expect(isHostileName(name)).toBe(true);
    expect(name === 'a/b' || isHostilePath(`a/${name}`)).toBe(true);
  });

  test.each([
    ...[
      'git',
      'a.git',
      '.gitx',
      '.git-x',
      '.gitignore',
      '.mailmap',
      '.github',
      '.claude',
      '...',
      '..a',
      '.git.md',
    ],
    ...['git~2', 'gitmod~5', 'gi7eba~12', 'gi7ebb~1', '~1', 'gitmodules', 'a\\b.md', 'What?.md', 'FAQ: A.md'],
    ...['می‌خواهم.md', '家族👨‍👩‍👧', ' a ', 'CON.md', 'a\u202eb.md'],
  ])('%j is not quarantined', (name) => {
    expect(isHostileName(name)).toBe(false);
    expect(isHostilePath(name)).toBe(false);
  });
});

test('a path that no operating system can store is quarantined', () => {
  expect(isHostilePath(`${'a/'.repeat(2_047)}b`)).toBe(false);
  expect(isHostilePath(`${'a/'.repeat(2_048)}b`)).toBe(true);
});

test('a file whose name begins with a dot is shown and stays in the repository', () => {
  for (const path of ['.claude/settings.json', 'a/.vscode/tasks.json', '.gitignore', 'x/.mcp.json']) {
    expect(isHostilePath(path)).toBe(false);
    expect(mayLeaveAsFile(path)).toBe(false);
  }
  expect(mayLeaveAsFile('a/b.md')).toBe(true);
  expect(mayLeaveAsFile('a/.git/config')).toBe(false);
});

test('other files of git are also recognized by their short names', () => {
  expect(isDotFile('GITIGN~2', 'gitignore')).toBe(true);
  expect(isDotFile('maba30~1', 'mailmap')).toBe(true);
  expect(isDotFile('gi7eba~1', 'mailmap')).toBe(false);
});

test.each([
  ['a name of 255 bytes', 'x'.repeat(255), true],
  ['a name of 256 bytes', 'x'.repeat(256), false],
  ['a name of 256 bytes in 64 characters', '\u{1f600}'.repeat(64), false],
  ['a folder of 256 bytes', `${'x'.repeat(256)}/a.md`, false],
  ['a path of 3,000 bytes', `${`${'x'.repeat(99)}/`.repeat(29)}${'x'.repeat(100)}`, true],
  ['a path of 3,001 bytes', `${`${'x'.repeat(99)}/`.repeat(29)}${'x'.repeat(101)}`, false],
])('%s leaves as a file: %#', (_, path, leaves) => {
  expect(mayLeaveAsFile(path)).toBe(leaves);
});
