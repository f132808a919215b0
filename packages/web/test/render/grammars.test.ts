import { tests as examples } from 'commonmark-spec';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareGrammars } from './two-grammars.ts';

/** Examples in which the wiki and micromark see different links (docs/adr/0009-two-grammars.md). */
const OTHER_LINKS = { 'links within the text of an image': [520, 574, 575] };

test('the wiki sees the headings and links of the CommonMark examples as micromark does', () => {
  const seen = examples.map(({ markdown, number }) => ({
    number,
    ...compareGrammars(markdown.replaceAll('→', '\t')),
  }));
  const differ = (found: { ours: string[]; theirs: string[] }) => found.ours.length + found.theirs.length > 0;
  expect(seen.filter(({ headings }) => differ(headings)).map(({ number }) => number)).toEqual([]);
  expect(seen.filter(({ links }) => differ(links)).map(({ number }) => number)).toEqual(
    Object.values(OTHER_LINKS)
      .flat()
      .toSorted((a, b) => a - b),
  );
  const totals = seen.map(({ headings, links }) => [headings.total, links.total]);
  expect(totals.reduce(([h = 0, l = 0], [a = 0, b = 0]) => [h + a, l + b], [0, 0])).toEqual([55, 135]);
});

test('the wiki sees the headings of tags, fences and paragraphs in any order as micromark does', () => {
  const lines = ['<Fragment>', '</Fragment>', '<div>', '```sh', '```', '# a', '', '', 'text'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 20 }), (each) => {
      const { headings } = compareGrammars(each.join('\n'));
      expect([...headings.ours, ...headings.theirs]).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
