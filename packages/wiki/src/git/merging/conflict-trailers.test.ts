import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, gitBytes } from '../../../test/native-git.ts';
import { encodeName } from '../../formats/names.ts';
import {
  conflictMarks,
  conflictTrailers,
  parsePath,
  quotedPath,
  settledTrailer,
} from './conflict-trailers.ts';

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
  for (const name of ['\xff\xfe', 'a"b', 'a\x01b', 'a\\b', 'a b', 'Ö"', '\xff Ö'].map(bytesOf)) {
    const input = Buffer.from(`100644 blob ${'1'.repeat(40)}\t${name}\0`, 'latin1');
    const tree = gitBytes(directory, ['mktree', '-z', '--missing'], { input }).toString().trim();
    const quotesLittle = ['-c', `core.quotePath=${name.includes('\xff')}`];
    const listed = gitBytes(directory, [...quotesLittle, 'ls-tree', '--name-only', tree])
      .toString()
      .trim();
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

const [OURS, THEIRS] = ['1'.repeat(40), '2'.repeat(40)];
const PATHS = [['a.md'], ['folder', 'Ö "quoted".md'], [' blank'], ['\\'], ['tab\t']];

test('the conflicts of a merge are open, and a commit that keeps a file settles it', () => {
  const readable = PATHS.map((path) => path.join('/'));
  const trailers = conflictTrailers(PATHS.map((path) => path.map(encodeName)));
  expect(conflictMarks({ message: mergeMessage(trailers), parents: [OURS, THEIRS] })).toEqual({
    open: readable,
    settled: [],
  });
  const settled = readable.map(settledTrailer);
  const message = `Keep them\n\nAgent: x\n${settled.join('\n')}\nRequest-Id: 1\n`;
  expect(conflictMarks({ message, parents: [OURS] })).toEqual({ open: [], settled: readable });
  // Names that are not UTF-8 are not shown.
  const odd = mergeMessage(conflictTrailers([['\xff\xfe'], ['folder', '\xff'], ['b.md']]));
  expect(conflictMarks({ message: odd, parents: [OURS, THEIRS] })).toEqual({ open: ['b.md'], settled: [] });
});

test('no other commit opens or settles a conflict, whatever its message says', () => {
  const conflict = ['Conflict: a.md'];
  const settled = 'Settled: a.md';
  for (const [message, parents] of [
    [mergeMessage([]), [OURS, THEIRS]],
    [mergeMessage(conflict), [OURS]],
    [mergeMessage(conflict), [OURS, THEIRS, '3'.repeat(40)]],
    [mergeMessage(conflict), [THEIRS, OURS]],
    [mergeMessage(conflict, '\n\nAnd more.'), [OURS, THEIRS]],
    [mergeMessage([settled]), [OURS, THEIRS]],
    [`Conflict: a.md\n\nRequest-Id: merged-commit-${THEIRS}\nx\ny`, [OURS, THEIRS]],
    ['Keep\n\nConflict: a.md\nRequest-Id: 1\n', [OURS]],
    [`Keep\n\n${settled}\n\nMore of it.\n`, [OURS]],
    [`Keep\n\nNot ${settled}\nRequest-Id: 1\n`, [OURS]],
    [`Keep\n\n${settled}\nRequest-Id: 1\n`, []],
  ] as const) {
    expect(conflictMarks({ message, parents: [...parents] }), message).toBeUndefined();
  }
});

/** A name that is not UTF-8 stands for its bytes. */
function bytesOf(name: string): string {
  return name.includes('\xff') ? name : encodeName(name);
}

/** As the wiki writes it; with `end`, as it might go on. */
function mergeMessage(trailers: readonly string[], end = ''): string {
  const ours = [...trailers, `Request-Id: merged-commit-${THEIRS}`, `Request-Digest: ${THEIRS}`, 'Nonce: 1'];
  return `Merge main\n\nBoth sides changed it.\n\nAgent: x\n${ours.join('\n')}\n${end}`;
}
