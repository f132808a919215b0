import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinPath, relativePath } from './relative-path.ts';

test('a relative path is joined to its folder, never above the root', () => {
  expect(joinPath('a/b', '../c/./d')).toBe('a/c/d');
  expect(joinPath('', 'a')).toBe('a');
  expect(joinPath('a', '../../b')).toBeNull();
});

test('a path written from a folder leads to the same path', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.oneof(fc.constant(''), path), path, (folder, target) => {
      expect(joinPath(folder, relativePath(folder, target))).toBe(target);
    }),
  );
});
