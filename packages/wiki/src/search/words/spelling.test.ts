import { expect, test } from 'vitest';
import { compareText } from '../../core/text/text-order.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { canBeMisspelt, similarWords } from './spelling.ts';

function similarTo(term: string, words: readonly string[], effort = { left: 10_000 }): string[] {
  const inOrder = words.toSorted(compareText);
  const wordFrom = (word: string) => inOrder.find((other) => compareText(other, word) >= 0);
  return [...atOnce(similarWords(term, wordFrom, effort))].sort(compareText);
}

test.each([
  ['templte', 'template', 'a letter left out'],
  ['templaate', 'template', 'a letter put in'],
  ['tenplate', 'template', 'another letter'],
  ['tempalte', 'template', 'two letters swapped'],
  ['emplate', 'template', 'the first letter left out'],
  ['привед', 'привет', 'in any script'],
])('%s is one letter away from %s: %s', (a, b) => {
  expect(similarTo(a, ['other', b, 'tem'])).toEqual([b]);
  expect(similarTo(b, ['other', a, 'tem'])).toEqual([a]);
});

test.each([
  ['template', 'template'],
  ['tmplte', 'template'],
  ['etmplaet', 'template'],
  ['abc', 'cba'],
])('%s is not one letter away from %s', (a, b) => {
  expect(similarTo(a, [b])).toEqual([]);
});

test('exactly the words one letter away are found among all short words, also beyond U+FFFF', () => {
  const letters = ['a', 'b', '\u{10400}', '\uff41'];
  let words = [''];
  const all: string[] = [];
  for (let length = 1; length <= 4; length += 1) {
    words = words.flatMap((word) => letters.map((letter) => word + letter));
    all.push(...words);
  }
  // Every third, so that beginnings of words are words or not.
  const known = all.filter((_, at) => at % 3 !== 1);
  for (const term of all.filter((_, at) => at % 7 === 0)) {
    const wanted = known.filter((word) => isOneLetterAway(term, word)).sort(compareText);
    expect(similarTo(term, known), term).toEqual(wanted);
  }
});

test('a list that is made to take long is given up when the effort is used up', () => {
  const letters = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x1200 + at));
  const words = letters.map((letter) => `a${letter}bc`);
  const effort = { left: 500 };
  expect(similarTo('axbc', words, effort).length).toBeLessThan(500);
  expect(effort.left).toBeGreaterThan(-10);
});

/** The judge: compares letter by letter. */
function isOneLetterAway(a: string, b: string): boolean {
  if (a === b) return false;
  const left = [...a];
  const right = [...b];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  const [gone, come] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  if (gone.length <= 1 && come.length <= 1) return true;
  return gone.length === 2 && come.length === 2 && gone[0] === come[1] && gone[1] === come[0];
}

test('a word of 3 to 33 letters may be misspelt', () => {
  for (const word of ['abc', 'a'.repeat(33), '\u0915\u0942\u091c']) expect(canBeMisspelt(word)).toBe(true);
  for (const word of ['ab', 'a'.repeat(34), 'abc1', '1abc', 'ab1cd', 'a b c', '']) {
    expect(canBeMisspelt(word), word).toBe(false);
  }
});
