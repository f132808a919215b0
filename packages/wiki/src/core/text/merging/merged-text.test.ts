import { expect, test } from 'vitest';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { wholeText } from '../text-runs.ts';
import { endsWithin, mergeTexts, readsOtherwise } from './merged-text.ts';

/** The two pages as one; the runs, the place where the second begins and the blocks must fit the text. */
function merged(target: string, source: string) {
  const runs = (text: string, from: string) =>
    wholeText(from).map((run) => ({ ...run, length: text.length }));
  return atOnce(
    mergeTexts(
      { text: target, runs: runs(target, 'target.md') },
      { text: source, runs: runs(source, 'source.md') },
    ),
  );
}

test('a page whose labels change in other line ends is one run, as long as it is now', () => {
  const { text, runs, addedAt } = merged('[1]: /a\r\n', 'é\n[x][1] b\n\n[1]: /b\n');
  const added = 'é\r\n[x][1-2] b\r\n\r\n[1-2]: /b\r\n';
  expect(text).toBe(`[1]: /a\r\n\r\n${added}`);
  expect(addedAt).toBe(11);
  expect(runs.map(({ length, from }) => [length, from])).toEqual([
    [9, 'target.md'],
    [2, null],
    [added.length, 'source.md'],
  ]);
});

const textOf = (target: string, source: string) => merged(target, source).text;

test('a page comes after another one, behind a blank line, without its frontmatter and in its line ends', () => {
  for (const [target, source, text] of [
    ['a\n', 'b\n', 'a\n\nb\n'],
    ['a', 'b', 'a\n\nb\n'],
    ['', 'b\n', 'b\n'],
    ['a\n', '', 'a\n'],
    ['a\n', '---\nx: 1\n---\n', 'a\n'],
    ['a\n', '---\nx: 1\n---\n\n \t\n\r\nb\n', 'a\n\nb\n'],
    ['a\n', ' \n\n   b\n', 'a\n\n   b\n'],
    ['a\r\n', 'b\nc', 'a\r\n\r\nb\r\nc\r\n'],
    ['a\n', 'b\r\nc\r\n', 'a\n\nb\nc\n'],
    ['---\nx: 1\n---\na\n', '---\ny: 2\n---\nb\n', '---\nx: 1\n---\na\n\nb\n'],
    ['a\n', '---\nx: 1\n---\n---\nb: 1\n---\n', 'a\n\n---\nb: 1\n---\n'],
    // The text of the page must not become frontmatter by what follows it.
    ['---\nno end\n', 'b\n\n---\n', '\n---\nno end\n\nb\n\n---\n'],
  ] as const) {
    const { text: made, addedAt, runs } = merged(target, source);
    expect(made, JSON.stringify([target, source])).toBe(text);
    expect(runs.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(made.length);
    if (text === target) continue;
    const body = source.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^(?:[ \t]*\r?\n)+/, '');
    const first = body.split(/\r?\n/)[0] ?? '';
    expect(made.slice(addedAt, addedAt + first.length)).toBe(first);
    // Each page has its own run.
    let at = 0;
    for (const { length, from } of runs) {
      const part = made.slice(at, at + length);
      if (from === 'target.md') expect(target).toContain(part);
      if (from === 'source.md')
        expect(source.replaceAll('\r\n', '\n')).toContain(part.replaceAll('\r\n', '\n'));
      at += length;
    }
    expect(runs.map(({ from }) => from)).toContain('source.md');
  }
});

test('labels of the page that comes in keep their meaning under another name, in every form', () => {
  const target = '[1]: /a\n[^n]: A note.\n\n[One][1] [^n]\n';
  for (const [source, text] of [
    ['[x][1]\n\n[1]: /b\n', '[x][1-2]\n\n[1-2]: /b\n'],
    ['[1][] and [1]\n\n[1]: /b\n', '[1][1-2] and [1][1-2]\n\n[1-2]: /b\n'],
    ['![1]\n\n[1]: /b\n', '![1][1-2]\n\n[1-2]: /b\n'],
    ['See[^n].\n\n[^n]: Another note.\n', 'See[^n-2].\n\n[^n-2]: Another note.\n'],
    ['See[^n].\n\n> [^n]: Quoted.\n', 'See[^n-2].\n\n> [^n-2]: Quoted.\n'],
    ['[x][ 1 ]\n\n[ 1 ]: /b\n', '[x][1-2]\n\n[1-2]: /b\n'],
    ['[x][1] [y][1-2]\n\n[1]: /b\n[1-2]: /c\n', '[x][1-3] [y][1-2]\n\n[1-3]: /b\n[1-2]: /c\n'],
    ['[x][2]\n\n[2]: /b\n', '[x][2]\n\n[2]: /b\n'],
    ['[^n]: First of all.\n\nSee[^n].\n', '[^n-2]: First of all.\n\nSee[^n-2].\n'],
    ['---\nf: x\n---\n---\nb: [1]\n---\n\n[1]: /b\n', '---\nb: [1][1-2]\n---\n\n[1-2]: /b\n'],
    ['[a][1][b][1]\n\n[1]: /b\n[b]: /c\n', '[a][1-2][b][1-2]\n\n[1-2]: /b\n[b]: /c\n'],
    [
      `[^n]: First.\n\nSee[^n].${' word'.repeat(50)}\n`,
      `[^n-2]: First.\n\nSee[^n-2].${' word'.repeat(50)}\n`,
    ],
    ['Two[^n][^m].\n\n[^n]: N.\n[^m]: M.\n', 'Two[^n-2][^m].\n\n[^n-2]: N.\n[^m]: M.\n'],
    ['See[^n][1].\n\n[^n]: N.\n\n[1]: /b\n', 'See[^n-2][1][1-2].\n\n[^n-2]: N.\n\n[1-2]: /b\n'],
    ['See[^n](aside).\n\n[^n]: N.\n', 'See[^n-2](aside).\n\n[^n-2]: N.\n'],
    ['[a [^n] b](c.md)\n\n[^n]: N.\n', '[a [^n-2] b](c.md)\n\n[^n-2]: N.\n'],
    ['# [1]: a\n\n[1]\n', '# \\[1]: a\n\n\\[1]\n'],
    ['<div>[1]</div>\n', '<div>[1]</div>\n'],
    // A path may lead elsewhere from another page.
    ['[x][1]\n\n[1]: /a\n', '[x][1-2]\n\n[1-2]: /a\n'],
    // The same place on the web is the same.
    ['[x][w]\n\n[w]: https://example.org/ "T"\n', '[x][w]\n\n[w]: https://example.org/ "T"\n'],
  ] as const) {
    expect(textOf(target, source), source).toBe(`${target}\n${text}`);
  }
  const web = '[w]: https://example.org/\n\n[w]\n';
  expect(textOf(web, '[w]\n\n[w]: https://example.org/\n')).toBe(
    `${web}\n[w]\n\n[w]: https://example.org/\n`,
  );
  expect(textOf(web, '[w]\n\n[w]: https://example.org/x\n')).toBe(
    `${web}\n[w][w-2]\n\n[w-2]: https://example.org/x\n`,
  );
  // Letters of either case, and any blanks, are one label.
  const long = '[Straße  Ä]: /a\n\n[Straße  Ä]\n';
  expect(textOf(long, '[x][STRASSE\tä]\n\n[STRASSE ä]: /b\n')).toBe(
    `${long}\n[x][STRASSE ä-2]\n\n[STRASSE ä-2]: /b\n`,
  );
  const sharp = '[ẞ]: /a\n\n[ẞ]\n';
  expect(textOf(sharp, '[x][ss]\n\n[ss]: /b\n')).toBe(`${sharp}\n[x][ss-2]\n\n[ss-2]: /b\n`);
});

test('brackets that only the definitions of the other page would turn into a link stay brackets', () => {
  const target = '[x]: /a\n[xx]: /b\n[^n]: note\n\n[x] [xx] [^n]\n';
  for (const [source, text] of [
    ['Not [x] a link.\n', 'Not \\[x] a link.\n'],
    ['Not [x][] either.\n', 'Not \\[x][] either.\n'],
    ['- [x] done\n- [ ] open\n', '- [x] done\n- [ ] open\n'],
    [`- [x] done${' word'.repeat(50)}\n`, `- [x] done${' word'.repeat(50)}\n`],
    ['[x]: no definition\n', '\\[x]: no definition\n'],
    ['Done. [x] marks it. - [x] too\n', 'Done. \\[x] marks it. - \\[x] too\n'],
    ['See[^n][y].\n', 'See[\\^n][y].\n'],
    ['See[^n][x].\n', 'See\\[\\^n]\\[x].\n'],
    // These are links alone, with the text "^n".
    ['See[^n](aside).\n', 'See[\\^n](aside).\n'],
    ['See[^n][mine].\n\n[mine]: /m\n', 'See[\\^n][mine].\n\n[mine]: /m\n'],
    ['[see [^n] there](z.md)\n', '[see [\\^n] there](z.md)\n'],
    ['1. [X] done\n', '1. [X] done\n'],
    ['1) \t[x] done\n', '1) \t[x] done\n'],
    ['10. [x] done\n', '10. [x] done\n'],
    ['* - [x] done\n', '* - [x] done\n'],
    ['- [x]no task\n', '- \\[x]no task\n'],
    ['- a [x] no task\n', '- a \\[x] no task\n'],
    ['- a\n\n  [x] no task\n', '- a\n\n  \\[x] no task\n'],
    ['- [xx] no task\n', '- \\[xx] no task\n'],
    ['See [^n].\n', 'See [\\^n].\n'],
    ['See\n[^n] there.\n', 'See\n[\\^n] there.\n'],
    ['See [^n]: there.\n', 'See [\\^n]: there.\n'],
    ['`[x]` is code.\n', '`[x]` is code.\n'],
    ['[see [x] there](z.md)\n', '[see \\[x\\] there](z.md)\n'],
    ['[x][x] is text.\n', '\\[x]\\[x] is text.\n'],
    ['[xx][y][x] is text.\n', '\\[xx]\\[y]\\[x] is text.\n'],
  ] as const) {
    expect(textOf(target, source), source).toBe(`${target}\n${text}`);
  }
});

test('a label of the page that comes in gets another name if the page uses it, as a footnote before a label too', () => {
  const target = 'See[^n][B c].\n';
  expect(textOf(target, 'See[^n].\n\n[^n]: N.\n')).toBe(`${target}\nSee[^n-2].\n\n[^n-2]: N.\n`);
});

test('ids of blocks stay apart, and the new ones are named', () => {
  const target = 'A block. ^id\n\nAnother. ^Other\n';
  const { text, blocks } = merged(target, 'B. ^id\n\nC. ^id-2\n\nD. ^OTHER\n\nE. ^free\n');
  expect(text).toBe(`${target}\nB. ^id-3\n\nC. ^id-2\n\nD. ^OTHER-2\n\nE. ^free\n`);
  expect([...blocks.values()]).toEqual(['id-3', 'OTHER-2']);
  expect([...merged(target, 'B. ^mine\n').blocks]).toEqual([]);
  // In their order among the labels.
  const both = '[1]: /a\n\nA. [1] ^id\n';
  expect(textOf(both, 'B. ^id\n\n[x][1] ^id\n\n[1]: /b\n')).toBe(
    `${both}\nB. ^id-2\n\n[x][1-2] ^id-2\n\n[1-2]: /b\n`,
  );
});

test('a page whose end would swallow what is added is found', () => {
  for (const [text, isOpen] of [
    ['', false],
    ['words\n', false],
    ['# probe\n', false],
    ['```\ncode\n', true],
    ['```\ncode\n```\n', false],
    ['~~~\n# probe\n', true],
    ['<!-- open\n', true],
    ['<!-- closed -->\n', false],
    ['- item\n', false],
  ] as const) {
    expect(atOnce(endsWithin(text)), text).toBe(isOpen);
  }
});

test('a page that would join the last item of a list is found', () => {
  for (const [target, source, isOther] of [
    ['- item\n', '    code\n', true],
    ['- item\n', '    code\nwords\n', true],
    ['- item\n', 'words\n', false],
    ['words\n', '    code\n', false],
    ['- item\n', '    code\n\nwords\n', true],
    ['[^n]: note\n', '    code `x`\n', true],
    ['- item\n', '- more\n', false],
    ['', '    code\n', false],
  ] as const) {
    expect(atOnce(readsOtherwise(merged(target, source))), JSON.stringify([target, source])).toBe(isOther);
  }
});
