import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { coarseHunks } from './coarse-hunks.ts';
import { mergeMarked, mergeText } from './merge-text.ts';

const BASE = Array.from({ length: 12 }, (_, line) => `Line ${line}.`);
const edits = fc.array(
  fc.record({
    line: fc.nat({ max: BASE.length }),
    remove: fc.nat({ max: 2 }),
    insert: fc.array(fc.constantFrom('new', 'other'), { maxLength: 2 }),
  }),
  { maxLength: 3 },
);

test('two texts merge as native git merges them, with the same conflicts', () => {
  const directory = temporaryDirectory();
  fc.assert(
    fc.property(edits, edits, fc.boolean(), (ours, theirs, endsInLine) => {
      const [base, one, other] = [[], ours, theirs].map((list) => edited(list) + (endsInLine ? '\n' : ''));
      const merged = mergeText(bytes(base), bytes(one), bytes(other));
      const native = nativeMerge(directory, base ?? '', one ?? '', other ?? '');
      expect(merged === null ? null : Buffer.from(merged).toString('latin1')).toBe(native);
    }),
    { numRuns: 60 },
  );
});

test('with marks, either side of every conflict is what native git takes for that side', () => {
  const directory = temporaryDirectory();
  fc.assert(
    fc.property(edits, edits, (ours, theirs) => {
      const [base, one, other] = [[], ours, theirs].map((list) => `${edited(list)}\n`);
      const marked = mergeMarked(bytes(base), bytes(one), bytes(other), { ours: 'yours', theirs: 'theirs' });
      const text = Buffer.from(marked?.text ?? []).toString('latin1');
      expect(text.split('<<<<<<< yours\n').length - 1).toBe(marked?.conflicts);
      for (const [at, side] of ['--ours', '--theirs'].entries()) {
        const chosen = text.replaceAll(CONFLICT, (_, ...sides) => String(sides[at]));
        expect(chosen).toBe(nativeMerge(directory, base ?? '', one ?? '', other ?? '', [side]));
      }
    }),
    { numRuns: 60 },
  );
});

const CONFLICT = /<<<<<<< yours\n([\s\S]*?)=======\n([\s\S]*?)>>>>>>> theirs\n/g;

test('the marks stand on lines of their own, also where the texts do not end in a line', () => {
  const marked = mergeMarked(bytes('a'), bytes('b'), bytes('c\n'), { ours: 'yours', theirs: 'theirs' });
  expect(Buffer.from(marked?.text ?? []).toString()).toBe('<<<<<<< yours\nb\n=======\nc\n>>>>>>> theirs\n');
});

test('changes of thousands of lines merge quickly with a change elsewhere', () => {
  const base = Array.from({ length: 20_000 }, (_, line) => (line % 5 ? `Line ${line}.` : ''));
  const many = base.map((line, at) => (at % 3 === 0 && at < 18_000 ? `New ${at}.` : line));
  let merged: Uint8Array | null = null;
  const used = idleCpuMsOf(() => {
    merged = mergeText(
      bytes(base.join('\n')),
      bytes(many.join('\n')),
      bytes(base.with(19_001, 'theirs').join('\n')),
    );
  });
  expect(merged).toEqual(bytes(many.with(19_001, 'theirs').join('\n')));
  // A search for the fewest changed lines took 2,500 ms.
  expect(used).toBeLessThan(800);
});

test('the difference found in linear time turns one list of lines into the other', () => {
  const lines = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      const hunks = coarseHunks(one, other);
      const turned = hunks.toReversed().reduce((left, { start, end, lines }) => {
        return left.toSpliced(start, end - start, ...lines);
      }, one);
      expect(turned).toEqual(other);
      // Hunks that touch would be one: a merge takes those that touch for a conflict.
      for (const [at, { start }] of hunks.entries()) {
        if (at > 0) expect(start).toBeGreaterThan(hunks[at - 1]?.end ?? 0);
      }
    }),
  );
});

test('line ends and bytes of any encoding stay as they are', () => {
  const base = Buffer.from('caf\xe9\r\nzwei\r\n\xff\xfe\r\nend', 'latin1');
  const ours = Buffer.from('CAF\xc9\r\nzwei\r\n\xff\xfe\r\nend', 'latin1');
  const theirs = Buffer.from('caf\xe9\r\nzwei\r\n\xff\xfe\r\nend\n', 'latin1');
  expect(mergeText(base, ours, theirs)).toEqual(
    Buffer.from('CAF\xc9\r\nzwei\r\n\xff\xfe\r\nend\n', 'latin1'),
  );
});

test('binary content is not merged', () => {
  expect(mergeText(bytes('a\nb\nc\n'), bytes('A\nb\nc\n'), bytes('a\nb\n\0\n'))).toBeNull();
});

test('a long page of equal lines merges quickly', () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => (line % 2 ? '' : `Line ${line}.`));
  let merged: Uint8Array | null = null;
  const used = idleCpuMsOf(() => {
    merged = mergeText(
      bytes(lines.join('\n')),
      bytes(lines.with(100, 'ours').join('\n')),
      bytes(lines.with(19_000, 'theirs').join('\n')),
    );
  });
  expect(merged).toEqual(bytes(lines.with(100, 'ours').with(19_000, 'theirs').join('\n')));
  // Comparing each line with all that equal it takes minutes.
  expect(used).toBeLessThan(5_000);
});

function edited(list: readonly { line: number; remove: number; insert: string[] }[]): string {
  const lines = [...BASE];
  for (const { line, remove, insert } of list) lines.splice(line, remove, ...insert);
  return lines.join('\n');
}

function bytes(content = ''): Buffer {
  return Buffer.from(content, 'latin1');
}

/** Null if git finds a conflict. */
function nativeMerge(
  directory: string,
  base: string,
  ours: string,
  theirs: string,
  options: readonly string[] = [],
): string | null {
  for (const [name, content] of Object.entries({ base, ours, theirs })) {
    writeFileSync(join(directory, name), content, 'latin1');
  }
  try {
    git(directory, ['merge-file', ...options, 'ours', 'base', 'theirs']);
  } catch (error) {
    // The number of conflicts is git's exit status.
    if (error instanceof Error && /exited [1-9]: /.test(error.message)) return null;
    throw error;
  }
  return readFileSync(join(directory, 'ours'), 'latin1');
}
