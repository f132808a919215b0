import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { shadowedDefinitions } from './shadowed-definitions.ts';

function found(before: string, after: string) {
  return atOnce(shadowedDefinitions(before, after)).map(({ link, by }) => [link.target, by?.target ?? null]);
}

/** The definitions of each label, read by their lines alone. */
function byLabel(lines: readonly string[]): Map<string, string[]> {
  const definitions = lines.filter((line) => /^\[\w\]:/.test(line));
  return Map.groupBy(definitions, (line) => line.charAt(1).toLowerCase());
}

const isInWiki = (written: string) => !written.includes('https:');
const targetOf = (written: string) => (isInWiki(written) ? written.slice(5) : null);

const line = fc.constantFrom(
  '[a]: X',
  '[a]: Y',
  '[A]: X',
  '[b]: X',
  '[b]: Z',
  '[b]: https://example.org',
  'text [a] [b]',
  '[[X]]',
);

test('a definition is shadowed if another of its label is put before it, and only then', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 4 }),
      fc.array(line, { maxLength: 2 }),
      fc.nat({ max: 4 }),
      fc.nat({ max: 1 }),
      (old, added, at, removed) => {
        const now = old.toSpliced(at, removed, ...added);
        const [counted, next] = [byLabel(old), byLabel(now)];
        const wanted = [...counted].flatMap(([label, [was = '']]) => {
          const [first, ...others] = next.get(label) ?? [];
          const isShadowed = isInWiki(was) && first !== undefined && first !== was && others.includes(was);
          return isShadowed ? [[targetOf(was), targetOf(first)]] : [];
        });
        expect(found(old.join('\n\n'), now.join('\n\n'))).toEqual(wanted);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a definition in code, or one that goes, shadows none and is not shadowed', () => {
  expect(found('[a]: X\n', '[a]: Y\n')).toEqual([]);
  expect(found('[a]: X\n', '```\n[a]: Y\n```\n[a]: X\n')).toEqual([]);
  expect(found('```\n[a]: X\n```\n', '[a]: Y\n\n[a]: X\n')).toEqual([]);
  expect(found('> [a]: X\n', '[a]: Y\n\n> [a]: X\n')).toEqual([['X', 'Y']]);
});
