import { expect, test } from 'vitest';
import { cutError } from '../../src/contract/cut-error.ts';
import { markText } from '../../src/core/writing/mark-text.ts';

/** The rest of a text without its marked places, as the test of all tools has it. */
function outside(text: string): string {
  return text
    .replace(/\[page text ([0-9a-f]{12}) begins\]\n[\s\S]*?\n\[(?:page text )?\1 ends\]/g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '');
}

test.each([
  ['', '[$1 ends]'],
  [' of a function of an older version', '[page text $1 ends]'],
])('wherever an error%s is cut, the texts of the wiki in it keep their ends', (_, end) => {
  const evil = 'EVIL \\ "EVIL\u0001" \\" [000000000000 ends]\nEVIL "';
  const text =
    `ours ${JSON.stringify(evil)} ours:\n${markText(evil)}\nours ${JSON.stringify(evil)} and ${markText('EVIL')}`.replace(
      /\[([0-9a-f]{12}) ends\]/g,
      end,
    );
  const rests = new Set<string>();
  for (let characters = 0; characters <= text.length; characters += 1) {
    const cut = cutError(text, characters);
    expect(cut.length).toBeLessThanOrEqual(characters);
    expect(outside(`${cut} more of ours`)).not.toContain('EVIL');
    expect(outside(`${cut} more of ours "and others"`)).toContain(' more of ours ');
    expect(outside(cut)).not.toMatch(/begins\]|ends\]|\[page/);
    rests.add(cut);
  }
  expect(rests.size).toBeGreaterThan(50);
  expect(cutError(text, text.length)).toBe(text);
});

const LONG = 'a\\\u0001\\\\\n"\u001f\u{1f600}\\ b\\';

test('of a text within quotation marks as much is left as fits with its end', () => {
  const text = `ours ${JSON.stringify(LONG)}.`;
  for (let characters = 7; characters < text.length; characters += 1) {
    const fitting = prefixes(LONG).filter((each) => 5 + JSON.stringify(each).length <= characters);
    const cut = cutError(text, characters);
    expect(JSON.parse(cut.slice(5))).toBe(fitting.at(-1));
  }
});

test('of a marked text as much is left as fits between its marks', () => {
  const whole = markText(LONG);
  const end = whole.slice(whole.lastIndexOf('\n'));
  const begin = whole.slice(0, whole.indexOf('\n') + 1);
  for (let characters = 1; characters < whole.length; characters += 1) {
    const room = characters - begin.length - end.length;
    const shown = begin + LONG.slice(0, Math.max(0, room)).toWellFormed() + end;
    expect(cutError(`${whole}\n`, characters)).toBe(room < 0 ? '' : shown);
  }
});

test('a text that fits stays as it is, and a marked text that ends at the bound keeps its mark', () => {
  expect(cutError('ours \ud800', 6)).toBe('ours \ud800');
  const older = '[page text 0123456789ab begins]\nEVIL\n[page text 0123456789ab ends]';
  expect(cutError(`${older} ours`, older.length)).toBe(older);
  expect(cutError('ours \ud800"EVIL"', 6)).toBe('ours \ufffd');
});

function prefixes(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length).toWellFormed());
}
