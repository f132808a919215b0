import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ANCHORS,
  keyOfSection,
  type Section,
  sectionAt,
  sectionsOf,
  sectionText,
} from '../../../../test/anchors/sections.ts';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { editedAnchors } from './edited-anchors.ts';

/** A page before and after an edit that moves, removes, adds, renames and rewrites sections. */
const edit = fc.tuple(sectionsOf('a'), sectionsOf('b')).chain(([before, added]) =>
  fc.record({
    before: fc.constant(before),
    after: fc
      .tuple(fc.shuffledSubarray(before), fc.subarray(added), fc.array(fc.constantFrom('keep', 'rewrite')))
      .map(([kept, news, fates]) => {
        const rewritten = kept.map((section, at) =>
          fates[at] === 'rewrite' ? { ...section, body: `Other ${section.body}` } : section,
        );
        return [...rewritten, ...news];
      }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  }),
);

const textOf = (sections: readonly Section[], lineEnd: string) =>
  sections
    .map((section) => sectionText(section, lineEnd))
    .join('')
    .trimEnd();

test('an anchor stays if it leads to the same section as before, and is lost if it leads to none', () => {
  fc.assert(
    fc.property(edit, ({ before, after, lineEnd }) => {
      const mover = atOnce(editedAnchors(textOf(before, lineEnd), textOf(after, lineEnd)));
      for (const { anchor, kind } of ANCHORS) {
        const was = sectionAt(before, anchor, kind);
        const led = sectionAt(after, anchor, kind);
        const moved = mover?.(anchor, kind) ?? null;
        if (was === null || led === null) {
          if (moved === null) expect(led).toBe(was);
          else if (was === null) expect(moved).toEqual({ anchor, was: false, isKept: true });
          else expect(moved).toEqual({ anchor, was: true, isKept: false, isLost: true });
          continue;
        }
        const isKept = isSameSection(was, led, before, after);
        if (isKept === null) continue;
        const expected = { anchor, was: true, isKept };
        expect(moved ?? { anchor, was: true, isKept: true }, `${kind} ${anchor}`).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});

/** Null if several sections have the same heading, and the text of this one is new: then any of them may be it. */
function isSameSection(
  was: Section,
  led: Section,
  before: readonly Section[],
  after: readonly Section[],
): boolean | null {
  const key = keyOfSection(was);
  if (keyOfSection(led) !== key) return false;
  if (led.body === was.body) return true;
  if (after.some(({ body }) => body === was.body)) return false;
  const alike = [before, after].map((page) => page.filter((each) => keyOfSection(each) === key));
  return alike.every(({ length }) => length === 1) ? true : null;
}

test('of sections with the same heading and new texts, the first is the first one, and so on', () => {
  const before = '# P\n\n## Log\n\na\n\n## Log\n\nb\n\n## Log\n\nc\n';
  const after = '# P\n\n## Log\n\nx\n\n## Log\n\nb\n\n## Log\n\ny\n\n## Log\n\nz\n';
  const mover = atOnce(editedAnchors(before, after));
  const leads = (anchor: string) => mover?.(anchor, 'inline').isKept;
  expect(['log', 'log-1', 'log-2'].map(leads)).toEqual([true, true, true]);
  const swapped = atOnce(editedAnchors(before, '# P\n\n## Log\n\nb\n\n## Log\n\nx\n\n## Log\n\ny\n'));
  expect(['log', 'log-1', 'log-2'].map((each) => swapped?.(each, 'inline').isKept)).toEqual([
    ...[false, false, true],
  ]);
});

test('of sections that are equal as a whole, the first is the first one, and so on', () => {
  const log = '## Log\n\n';
  for (const after of [`${log}x\n\n${log}`, `${log}x\n\n${log}${log}`]) {
    const mover = atOnce(editedAnchors(log + log, after));
    expect(['log', 'log-1'].map((each) => mover?.(each, 'inline').isKept)).toEqual([true, true]);
  }
});

test('a block, an element and the page stay while they are there, wherever they are', () => {
  const before = 'text ^b1\n\n<a id="e1"></a>\n\n# One\n';
  const after = '# One\n\n<a id="e1"></a> text\n\nmore ^b1\n\n# Two\n';
  const mover = atOnce(editedAnchors(before, after));
  for (const anchor of ['^b1', 'One#^b1', 'e1', '', 'one'])
    expect(mover?.(anchor, 'inline')).toEqual({ anchor, was: true, isKept: true });
  const gone = atOnce(editedAnchors(before, '# One\n'));
  for (const anchor of ['^b1', 'e1'])
    expect(gone?.(anchor, 'inline')).toEqual({ anchor, was: true, isKept: false, isLost: true });
  for (const anchor of ['', 'one']) expect(gone?.(anchor, 'inline').isKept).toBe(true);
  expect(gone?.('^b2', 'inline')).toEqual({ anchor: '^b2', was: false, isKept: true });
  const element = atOnce(editedAnchors('# One\n', '<a id="one"></a>\n'));
  expect(element?.('one', 'inline')).toEqual({ anchor: 'one', was: true, isKept: false });
  // An element that becomes a heading is not the same place any more, but the reader still gets there.
  expect(atOnce(editedAnchors('<a id="one"></a>\n', '# One\n'))?.('one', 'inline').isKept).toBe(true);
});

test('a page whose headings, blocks and elements stay has nothing to look at', () => {
  const page = '# One\n\ntext ^b1\n\n<a id="e1"></a>\n\nTwo\n---\n';
  expect(atOnce(editedAnchors(page, page.replace('text', 'other words')))).toBeNull();
  for (const [old, now] of [
    ['# One', '## One'],
    ['One', 'Other'],
    ['^b1', '^b2'],
    ['e1', 'e2'],
  ] as const)
    expect(atOnce(editedAnchors(page, page.replace(old, now)))).not.toBeNull();
});
