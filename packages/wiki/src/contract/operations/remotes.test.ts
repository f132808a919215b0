import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { parseInput } from '../parse-input.ts';
import { describeRemote, parseRemoteFolder } from './remotes.ts';

test.each([
  ['docs', 'docs'],
  ['docs/', 'docs'],
  ['a/b c/d', 'a/b c/d'],
  ['a\u0308', '\u00e4'],
  ['.github', '.github'],
  ['a/.gitignore', 'a/.gitignore'],
  ['a.git', 'a.git'],
])('%j is the folder of a repository', (text, folder) => {
  expect(parseRemoteFolder(text)).toBe(folder);
});

test.each([
  ...['', '/', '/docs', 'docs//', 'a//b', '.', '..', 'a/./b', 'a/..', '.git', 'a/.GIT/b'],
  ...['a\\b', 'a\u0000', 'a\nb', '\ud800'],
])('%j is no folder of a repository', (text) => {
  expect(parseRemoteFolder(text)).toBeNull();
});

test('the path of a folder is as long as another path may be', () => {
  const longest = 'x'.repeat(limits.pathCharacters);
  expect([parseRemoteFolder(longest), parseRemoteFolder(`${longest}x`)]).toEqual([longest, null]);
});

test('a remote is shown by its address, and by its folder if that is the wiki', () => {
  const url = 'https://example.org/a.git';
  expect(describeRemote({ url })).toBe(url);
  expect(describeRemote({ url, folder: 'docs' })).toBe(`docs/ of ${url}`);
});

test('the objects of a report fit into a call to a function on AWS', () => {
  const report = (...lengths: number[]) => {
    const objects = lengths.map((length) => 'A'.repeat(length));
    const projection = { folder: 'docs', pairs: [], objects };
    const state = { state: 'in_step', words: '', at: 1, in_step_at: 1, next_at: 1 };
    const rest = { failures: 0, branch: null, tip: null };
    return { url: 'https://example.org/a.git', report: { ...state, ...rest, projection } };
  };
  const most = [1_000_000, 1_000_000, 1_000_000, 1_000_000, 100_000];
  expect(parseInput('report_sync', report(...most))).toMatchObject({ url: 'https://example.org/a.git' });
  expect(() => parseInput('report_sync', report(...most, 4))).toThrow('objects');
});
