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
import type { Run } from '../text-runs.ts';
import { anchorMover, takenAnchors } from './merged-anchors.ts';

/** A text of parts that come from pages, and its runs. */
function joined(...parts: readonly [from: string | null, text: string][]): { text: string; runs: Run[] } {
  return {
    text: parts.map(([, text]) => text).join(''),
    runs: parts.map(([from, text]) => ({ length: text.length, from })),
  };
}

/** The anchors of a.md in a page that took it in. */
function moverOf(text: string, now: { text: string; runs: Run[] }, blocks: [string, string][] = []) {
  return atOnce(anchorMover({ from: 'a.md', text, now, blocks: new Map(blocks) }));
}

type Place = Section & { from: string | null };

/** The sections of a page that took another one in, of which the change itself removed or wrote some. */
const merge = fc
  .tuple(sectionsOf('a'), sectionsOf('b'), sectionsOf('c'), sectionsOf('new'))
  .chain((pages) => {
    const [own, target, third, news] = pages;
    const from = (path: string | null, sections: Section[]): Place[] =>
      sections.map((section) => ({ ...section, from: path }));
    const alike = Map.groupBy(own, keyOfSection);
    const isAlone = (section: Section) => alike.get(keyOfSection(section))?.length === 1;
    return fc.record({
      own: fc.constant(own),
      target: fc.constant(target),
      now: fc
        .tuple(fc.subarray(own.filter(isAlone)), fc.integer({ min: 0, max: 2 }), fc.subarray(news))
        .map(([removed, parts, written]): Place[] => [
          ...from('b.md', target),
          ...(parts > 0 ? from('c.md', third) : []),
          ...from(
            'a.md',
            own.filter((each) => !removed.includes(each)),
          ),
          ...(parts > 1 ? from(null, written) : []),
        ]),
    });
  });

const textOf = (sections: readonly Section[]) => sections.map((each) => sectionText(each, '\n')).join('');
const pageOf = (sections: readonly Place[]) =>
  joined(...sections.map((each): [string | null, string] => [each.from, sectionText(each, '\n')]));

/** The names by which a wikilink can call a section of a page. */
function leadsTo(sections: readonly Section[], section: Section): string[] {
  return ANCHORS.flatMap(({ anchor, kind }) =>
    kind === 'wiki' && sectionAt(sections, anchor, kind) === section ? anchor : [],
  );
}

/** No wikilink with fewer headings leads there, and no slug has a number that it does not need. */
function expectShortName(name: string, kind: 'wiki' | 'inline', others: readonly string[]): void {
  if (kind === 'inline') expect(name).not.toMatch(/-0$/);
  else expect(partsOf(name)).toBeLessThanOrEqual(Math.min(...others.map(partsOf)));
}

const partsOf = (anchor: string) => anchor.split('#').length;

test('an anchor of a merged page leads to its own section as before, by another name if need be', () => {
  fc.assert(
    fc.property(merge, ({ own, now }) => {
      const mover = moverOf(textOf(own), pageOf(now));
      for (const { anchor, kind } of ANCHORS) {
        const was = sectionAt(own, anchor, kind);
        const led = sectionAt(now, anchor, kind);
        const moved = mover(anchor, kind);
        const section = now.find(({ body }) => body === was?.body);
        if (was === null || section === undefined) {
          expect(moved).toEqual({ anchor, was: was !== null, isKept: led === null });
        } else if (moved.isKept) {
          expect(moved.was).toBe(true);
          expect(sectionAt(now, moved.anchor, kind), `${kind} ${anchor} ${moved.anchor}`).toBe(section);
          if (led === section) expect(moved.anchor).toBe(anchor);
          else expectShortName(moved.anchor, kind, leadsTo(now, section));
        } else {
          expect(moved).toEqual({ anchor, was: true, isKept: false });
          expect(kind === 'wiki' ? leadsTo(now, section) : []).toEqual([]);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('an anchor of the page that took others in is kept while it does not lead to what they brought', () => {
  fc.assert(
    fc.property(merge, fc.subarray(['a.md', 'c.md']), ({ target, now }, pages) => {
      const mover = atOnce(takenAnchors({ text: textOf(target), now: pageOf(now), joined: new Set(pages) }));
      for (const { anchor, kind } of ANCHORS) {
        const was = sectionAt(target, anchor, kind) !== null;
        const led = sectionAt(now, anchor, kind);
        const isKept = led === null || !pages.includes((led as Place).from ?? '');
        expect(mover(anchor, kind), `${kind} ${anchor}`).toEqual({ anchor, was, isKept });
      }
    }),
    { numRuns: 200 },
  );
});

test('a block is followed to its new id, and an element while no other one has its name', () => {
  const own = 'x ^b1\n\n# One\n\ny ^B2\n\n<a id="e1"></a> <a id="E2"></a> <a id="e3"></a>\n';
  const added = own.replace('^b1', '^b1-2').replace('e3', 'e4');
  const now = joined(['b.md', '<a id="e2"></a>\n\nz ^b1\n\nz ^other\n\n'], ['a.md', added]);
  const mover = moverOf(own, now, [
    ['b1', 'b1-2'],
    ['top', 'top-2'],
  ]);
  for (const [anchor, name, was, isKept] of [
    ['^b1', '^b1-2', true, true],
    ['One#^B1', 'One#^b1-2', true, true],
    ['^b2', '^b2', true, true],
    ['', '', true, true],
    ['top', 'top', true, true],
    ['e3', 'e3', true, false],
    ['E1', 'E1', true, true],
    ['e2', 'e2', true, false],
    ['^none', '^none', false, true],
    ['^other', '^other', false, false],
  ] as const)
    expect(mover(anchor, 'inline')).toEqual({ anchor: name, was, isKept });
});

test('a heading is named without the signs of a link in its text, and without its id', () => {
  for (const [above, name] of [
    ['A [b] | **c** # d', 'A b c d'],
    ['[A]|b', 'A b'],
    ['Setup ^s1', 'Setup'],
    ['Setup {#s1}', 'Setup'],
  ]) {
    const own = `# ${above}\n\n## H #1\n\n## Use ^u1\n`;
    const mover = moverOf(own, joined(['b.md', '# B\n\n## H 1\n\n# Use\n\n'], ['a.md', own]));
    const { anchor, isKept } = mover('H 1', 'wiki');
    expect([anchor.replaceAll(/ +/g, ' '), isKept]).toEqual([`${name}#H 1`, true]);
    expect(mover('use', 'inline')).toEqual({ anchor: 'use-1', was: true, isKept: true });
  }
});

test('a heading is named by as many headings above it as it takes', () => {
  const own = '# Z\n\n## G\n\n### P\n\n#### H\n';
  const others = '# G\n\n## H\n\n# P\n\n## H\n\n# Z\n\n## H\n\n';
  const mover = moverOf(own, joined(['b.md', others], ['a.md', own]));
  expect(mover('H', 'wiki')).toEqual({ anchor: 'G#P#H', was: true, isKept: true });
  expect(mover('Z#P#H', 'wiki')).toEqual({ anchor: 'Z#P#H', was: true, isKept: true });
  const part = '# G\n\n## P\n\n### H\n';
  const whole = moverOf(part, joined(['b.md', others], ['a.md', part]));
  expect(whole('H', 'wiki')).toEqual({ anchor: 'G#P#H', was: true, isKept: true });
});

test('of equal headings each keeps its place in the order, also where the change removed one before', () => {
  const part = (heading: string) => `# ${heading}\n\ntext\n\n`;
  const own = ['Log', 'End', 'Log', 'Log'].map(part).join('');
  const whole = moverOf(own, joined(['b.md', part('Log')], ['a.md', own]));
  expect(['log', 'log-1', 'log-2'].map((each) => whole(each, 'inline'))).toEqual(
    ['log-1', 'log-2', 'log-3'].map((anchor) => ({ anchor, was: true, isKept: true })),
  );
  // The first is taken for the one that was removed: then no later heading comes before it.
  const rest = ['End', 'Log', 'Log'].map(part).join('');
  const without = moverOf(own, joined(['b.md', part('End')], ['a.md', rest]));
  expect(without('log', 'inline')).toEqual({ anchor: 'log', was: true, isKept: true });
  expect(without('end', 'inline')).toEqual({ anchor: 'end', was: true, isKept: false });
  expect(without('log-1', 'inline')).toEqual({ anchor: 'log-1', was: true, isKept: true });
  expect(without('log-2', 'inline')).toEqual({ anchor: 'log-2', was: true, isKept: true });
});
