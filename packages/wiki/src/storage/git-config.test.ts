import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareRepository, git } from '../../test/native-git.ts';
import { isTrue, parseGitConfig } from './git-config.ts';

it('reads what git writes, as git reads it', () => {
  const directory = bareRepository();
  const values = fc.array(
    fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '#', ';', '\t', '\n', '=', 'é') }),
    {
      minLength: 12,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(values, (texts) => {
      for (const [i, text] of texts.entries()) git(directory, ['config', `some.name.name${i}`, text]);
      const config = parseGitConfig(readFileSync(join(directory, 'config'), 'utf8'));
      for (const [i, text] of texts.entries()) expect(config.get(`some.name.name${i}`)).toBe(text);
    }),
    { numRuns: 3 },
  );
});

it('reads what people write', () => {
  const config = parseGitConfig(
    '[core] bare = true ; yes\n[Core]\n  Bare\n[gc]\nauto = 0 # never\n[x "A \\"b\\""]\ny = "a;b" c\\\nd\n',
  );
  expect([...config]).toEqual([
    ['core.bare', 'true'],
    ['gc.auto', '0'],
    ['x.A "b".y', 'a;b cd'],
  ]);
  expect(isTrue(config, 'core.bare', false)).toBe(true);
  expect(isTrue(config, 'gc.auto', true)).toBe(false);
  expect(isTrue(config, 'core.missing', true)).toBe(true);
});
