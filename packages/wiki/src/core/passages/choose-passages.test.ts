import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passageKeyOf } from '../cursor.ts';
import { choosePassages } from './choose-passages.ts';
import { rankPassages } from './rank-passages.ts';
import { wordsSaid } from './said-alike.ts';

const character = fc.constantFrom('a', 'ü', '字', '"', '\\', '\n', '\u0007', '👩', '. ', ' ');
const text = fc.array(character, { minLength: 1, maxLength: 120 }).map((all) => `x${all.join('')}`);
const paragraph = fc.record({
  heading: fc.constantFrom('', 'One', 'One/字"字'),
  line: fc.integer({ min: 1, max: 99 }),
  text,
  words: fc.constant(new Set([0])),
  headingWords: fc.constant(new Set<number>()),
});
const page = fc.record({ path: text, title: text, paragraphs: fc.array(paragraph, { maxLength: 6 }) });

test('passages never take more bytes than there are, are whole but for one that is said to be cut, and all are counted', async () => {
  const version = 'a'.repeat(40);
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { maxLength: 5 }),
      fc.integer({ min: 0, max: 3_000 }),
      async (pages, budget) => {
        const ranked = rankPassages(pages.map(({ paragraphs }) => paragraphs));
        const rows = pages.map(({ path, title }) => ({ path, title, version, score: 1.5 }));
        const earlier = new Set([passageKeyOf(wordsSaid('x字'))]);
        const chosen = await choosePassages(ranked, rows, budget, earlier);
        const { hits, folded, repeated, leftOut, isCut } = chosen;
        expect(Buffer.byteLength(JSON.stringify(hits)) - '[]'.length).toBeLessThanOrEqual(budget);
        const texts = new Set(pages.flatMap(({ paragraphs }) => paragraphs.map((each) => each.text)));
        const shown = hits.flatMap(({ lines }) => lines);
        const cut = shown.filter((each) => !texts.has(each.text));
        expect(cut.length).toBe(isCut ? 1 : 0);
        for (const each of cut) expect(each.text.isWellFormed() && each.text.endsWith('…')).toBe(true);
        expect(shown.length + folded + repeated + leftOut).toBe(ranked.length);
      },
    ),
    { numRuns: 150, seed: 20_261_123 },
  );
});
