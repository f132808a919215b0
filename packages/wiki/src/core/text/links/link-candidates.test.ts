import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkCandidates } from './link-candidates.ts';
import { createLinkResolver } from './link-resolver.ts';

const PATHS = [
  'A.md',
  'x/A.md',
  'y/x/A.md',
  'zx/A.md',
  'q/x/A.md',
  'y/A.png.md',
  'a.md',
  'x/a.md',
  'B.md',
  'A.png',
  'x/A.png',
  'x/E\u0301.md',
];
const ALIASES = [
  ['Al', 'A.md'],
  ['AL ', 'x/A.md'],
  ['E\u0301', 'B.md'],
  ['\u00e9', 'y/x/A.md'],
  ['Other', 'B.md'],
] as const;
const TARGETS = [
  'A',
  'x/A',
  ' y/x/A',
  'a',
  'X/a',
  'A.png',
  'x/A.png',
  'Al',
  'al',
  '\u00c9',
  'x/\u00c9',
  './A',
  'B',
  '',
];

/** Says plainly what could be meant: all of the same kind that end with as many parts of the path as the link has. */
function meant(target: string, path: string, by: string, paths: readonly string[]): string[] {
  const plain = (text: string) => text.normalize('NFC').trim().toLowerCase();
  if (by === 'alias')
    return ALIASES.filter(([alias, of]) => plain(alias) === plain(target) && paths.includes(of)).map(
      ([, of]) => of,
    );
  if (by !== 'name') return [];
  const nameOf = (treePath: string) => treePath.normalize('NFC').replace(/\.md$/, '').split('/');
  const isPage = (treePath: string) => treePath.endsWith('.md');
  const last = (treePath: string) => nameOf(treePath).slice(-target.trim().split('/').length).join('/');
  return paths.filter((each) => isPage(each) === isPage(path) && last(each) === last(path));
}

test('an ambiguous link names every page or file that it could mean, and no other', () => {
  fc.assert(
    fc.property(fc.subarray(PATHS, { minLength: 1 }), fc.subarray(TARGETS), (treePaths, targets) => {
      const aliases = ALIASES.filter(([, path]) => treePaths.includes(path));
      const resolver = createLinkResolver(treePaths, aliases);
      const candidatesOf = linkCandidates({ treePaths, aliases });
      for (const target of [...targets, ...targets]) {
        const link = { kind: 'wiki' as const, target, query: null, anchor: null };
        const led = resolver.resolve(link, treePaths[0] ?? '');
        if (led === null) continue;
        expect([...candidatesOf(link, led)].sort(), target).toEqual(
          meant(target, led.path, led.by, treePaths).sort(),
        );
      }
    }),
    { numRuns: 500 },
  );
});
