import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, gitBytes } from '../../../test/native-git.ts';
import { encodeName } from '../../formats/names.ts';
import { conflictTrailers, parsePath, quotedPath } from './conflict-trailers.ts';

test('a path is one line, as git writes it, and is read back', () => {
  const directory = bareRepository();
  const parts = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map(encodeName),
    fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.constantFrom('a"b', 'a\\b', 'a\nb', '\xff\xfe', 'Ö.md', ' a', 'a '),
  );
  const names = parts.filter((name) => !/[\0/]/.test(name) && !/^(\.|\.\.|\.git)$/i.test(name));
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 3 }), (path) => {
      const quoted = quotedPath(path);
      expect(quoted).not.toContain('\n');
      expect(quoted).toBe(quoted.trim());
      expect(parsePath(quoted)).toEqual(path);
    }),
  );
  // Git knows short forms too, such as \n.
  for (const name of ['\xff\xfe', 'a"b', 'a\x01b']) {
    const input = Buffer.from(`100644 blob ${'1'.repeat(40)}\t${name}\0`, 'latin1');
    const tree = gitBytes(directory, ['mktree', '-z', '--missing'], { input }).toString().trim();
    const listed = gitBytes(directory, ['ls-tree', '--name-only', tree]).toString().trim();
    expect(quotedPath([name])).toBe(listed);
  }
});

test('as many conflicts are named as find room, and the others are counted', () => {
  const many = Array.from({ length: 1_500 }, (_, at) => [`p${at}`]);
  const lines = conflictTrailers(many);
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toBe('More-Conflicts: 500');
  const long = conflictTrailers(Array.from({ length: 200 }, (_, at) => ['x'.repeat(200), `${at}`]));
  expect(Buffer.byteLength(long.join('\n'))).toBeLessThan(30_100);
  expect(long.at(-1)).toBe(`More-Conflicts: ${200 - (long.length - 1)}`);
  expect(conflictTrailers([['a.md'], ['b', 'c.md']])).toEqual(['Conflict: a.md', 'Conflict: b/c.md']);
});
