import { describe, expect, test } from 'vitest';
import { follow, moveIn } from '../../../../test/links/changed-wiki.ts';

/** The text on the page `P` in a folder after its page or file had these names. */
function afterNames(text: string, [first = '', ...others]: readonly string[]): string {
  let [written, name] = [text, first];
  for (const next of others) {
    written = follow(written, moveIn(['f/P.md', name], { [name]: next }), 'f/P.md').text;
    name = next;
  }
  return written;
}

describe('a Markdown link in place of a wikilink', () => {
  test.each([
    ['[[A]]', 'x [y].md', '[x \\[y\\]](<../x [y].md>)'],
    ['[[A#Part|t]]', 'f/x [y].md', '[t](<./x [y].md#Part>)'],
    ['![[A]]', 'a | b.md', '![a \\| b](<../a %7C b.md>)'],
  ])('has its dots, by which it is known: %s', (text, name, expected) => {
    expect(afterNames(text, ['A.md', name])).toBe(expected);
  });

  test.each([
    [['A.md', 'x [y].md', 'A.md']],
    [['A.md', 'x [y].md', 'w [v].md', 'A.md']],
    [['A.md', 'a | b.md', 'A.md']],
    [['A.md', 'f/x]].md', 'x [y].md', 'A.md']],
  ])('becomes that wikilink again: %j', (names) => {
    const text = '[[A]] [[A#Part]] [[A|t <u>]] ![[A]]';
    const moved = afterNames(text, names.slice(0, -1));
    expect(moved).not.toContain('[[A');
    expect(afterNames(text, names)).toBe(text);
  });

  test('becomes it again for a file too', () => {
    expect(afterNames('![[p.png]] [[p.png|t]]', ['p.png', 'p [1].png', 'p.png'])).toBe(
      '![[p.png]] [[p.png|t]]',
    );
  });
});

test.each(['[A](<../A.md>)', '[t](<../A.md#Part>)', '![A](<../A.md>)'])(
  'a link that a person wrote as Markdown stays so, though it looks like one in place of a wikilink: %s',
  (text) => {
    expect(afterNames(text, ['A.md', 'B.md'])).toBe(text.replace('A.md', 'B.md'));
  },
);

test('a link that a person wrote as Markdown to a name that no wikilink can hold stays so', () => {
  expect(afterNames('[t](../x%20%5By%5D.md)', ['x [y].md', 'B.md'])).toBe('[t](../B.md)');
});

test('a Markdown link in place of a wikilink becomes one from the root for a name that begins with a hash', () => {
  expect(afterNames('[[A]]', ['A.md', 'x [y].md', '#x.md'])).toBe('[[/#x]]');
});
